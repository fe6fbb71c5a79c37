//! Which cohorts a release gets, and how persons divide into their cells.
//!
//! What is divided is divided by the largest remainder, in whole persons, so that parts sum to wholes.

mod catalogue;
mod division;

pub(crate) use catalogue::CATALOGUE;
pub(crate) use division::{apportion, cells_of, expand, mean_shares};
