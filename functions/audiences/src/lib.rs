//! Cohort search, population at home, and markets.
