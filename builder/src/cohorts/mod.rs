//! The cohorts of a release, and the division of a population into cells.
//!
//! Divisions use the largest remainder method, so whole persons always sum to their total.

mod catalogue;
mod division;

pub(crate) use catalogue::CATALOGUE;
pub(crate) use division::{apportion, cells_of, expand, mean_shares};
