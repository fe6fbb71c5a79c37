//! Who comes to a place?
//!
//! A measured record of each place: counts of an average week. How it is stored, added up for several places,
//! and turned into the shares and indexes of a report. What a place is called and where it lies is known to
//! [`places`](crate::places).
//!
//! Decided in `docs/decisions/0055-measures.md`.

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
    DAY_NAMES, DWELL_NAMES, DayOfWeek, History, Origin, Parents, Report, SegmentShare, Week, Year,
};
pub use table::{Glance, Measures};
pub use writer::MeasuresWriter;
