//! Tests display files.

mod flat;
mod full;
mod identity;
mod industry_sheet;
mod tables;
