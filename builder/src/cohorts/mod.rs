//! A release's cohorts and the division of a population into cells.
//!
//! Populations are divided using the largest remainder method, so the parts always add up to the total.

mod catalogue;
mod division;

pub(crate) use catalogue::CATALOGUE;
pub(crate) use division::{apportion, cells_of, expand, mean_shares};
