//! Visits to places.
//!
//! A release contains at most one record per place, with measured or modelled counts for an average week.
//! This module stores the records, sums them over several places, and computes the shares and indexes in a
//! report. Names and positions are in [`places`](crate::places).
//!
//! See `docs/decisions/0055-measures.md`.

mod apportion;
mod bit_stream;
mod codec;
mod error;
mod iso_week;
mod limits;
mod predictor;
mod record;
mod report;
mod table;
#[cfg(test)]
mod tests;
mod training;
mod writer;

pub use error::{MeasureError, MeasuresWriteError};
pub use iso_week::WEEKS_OF_YEAR;
pub use limits::{DAYS, DWELL_BINS, HOURS, MINUTES_OF_WEEK, MOST};
pub use record::{Measure, check_week, check_year};
pub use report::{
    DAY_NAMES, DWELL_NAMES, DayOfWeek, History, Origin, Parents, Report, SegmentShare, Week, Year, index_of,
    rounded_index, share_by_homes,
};
pub use table::{Glance, Measures};
pub use writer::MeasuresWriter;
