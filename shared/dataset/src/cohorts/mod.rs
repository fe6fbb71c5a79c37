//! Cohorts and the population cells that make them up.
//!
//! A cell is an age band for one sex, an ethnic group, or an income bracket. Every cohort is a sum of cells,
//! so relations between the counts for cells also hold for cohorts. For example, a state's count is the sum
//! of its counties' counts. A release contains the list of cohorts, and the builder computes the cells.

mod cells;
mod cohort;

pub use cells::{
    AGE_SEX, AGES, AgeBand, CELLS, CellKind, CellSet, Cells, ETHNICITIES, EthnicGroup, INCOMES, IncomeBracket,
};
pub use cohort::{Cohort, ShareSource};
