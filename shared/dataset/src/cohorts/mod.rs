//! What is a cohort made of?
//!
//! Of cells: a cell is a band of age of one sex, a group of ethnicity, or a bracket of income. Every cohort
//! is a sum of cells, so whatever holds for the cells (that they divide everyone, that the parts of an area
//! sum to it) holds for the cohorts. Which cohorts there are is said by the release, and how persons are
//! divided into cells is known to the builder.

mod cells;
mod cohort;

pub use cells::{
    AGE_SEX, AGES, AgeBand, CELLS, CellSet, Cells, ETHNICITIES, EthnicGroup, INCOMES, IncomeBracket,
};
pub use cohort::{Cohort, ShareSource};
