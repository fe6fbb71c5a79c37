//! Cohorts, and the cells of the population that they consist of.
//!
//! A cell is an age band of one sex, an ethnic group, or an income bracket. Every cohort is a sum of cells,
//! so relations between the counts of cells also hold for cohorts. For example, the counts of a state's
//! counties add up to the state's count. A release contains the list of cohorts, and the builder computes the
//! cells.

mod cells;
mod cohort;

pub use cells::{
    AGE_SEX, AGES, AgeBand, CELLS, CellKind, CellSet, Cells, ETHNICITIES, EthnicGroup, INCOMES, IncomeBracket,
};
pub use cohort::{Cohort, ShareSource};
