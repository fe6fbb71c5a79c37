//! Cohorts and the cells that they consist of.
//!
//! A cell is an age band of one sex, an ethnic group, or an income bracket. Every cohort is a sum of cells,
//! so the properties of cells carry over. For example, the counts of an area's counties add up to the area's
//! count. The list of cohorts is part of the release, and the builder computes the cells.

mod cells;
mod cohort;

pub use cells::{
    AGE_SEX, AGES, AgeBand, CELLS, CellSet, Cells, ETHNICITIES, EthnicGroup, INCOMES, IncomeBracket,
};
pub use cohort::{Cohort, ShareSource};
