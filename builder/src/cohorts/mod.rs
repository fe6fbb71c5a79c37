//! The cohorts of a release, and the division of persons into their cells.
//!
//! Divisions use the largest remainder method in whole persons, so parts sum to their total.

mod catalogue;
mod division;

pub(crate) use catalogue::CATALOGUE;
pub(crate) use division::{apportion, cells_of, expand, mean_shares};
