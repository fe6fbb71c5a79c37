//! Place search, place profiles and place audience reports.
