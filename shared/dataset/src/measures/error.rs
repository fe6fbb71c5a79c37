//! Errors in checking and writing records.

use thiserror::Error;

use super::limits::{MOST, YEARS};
use crate::places::PlaceId;
use crate::release::WriteError;

/// The reason why a record is rejected as implausible. Members are named as in the import format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeasureError {
    #[error("visits: must be at least 1 per week; omit places without visits")]
    NoVisits,
    #[error("certified: must be false in a modelled record, because nothing was measured")]
    CertifiedModel,
    #[error("visits_unique_persons: must be at least 1, got 0")]
    NoPersons,
    /// A count exceeds its limit or a related count.
    #[error("{member}: {value} is more than {bound}, {bound_is}")]
    TooMany { member: &'static str, value: u64, bound: u64, bound_is: &'static str },
    #[error("dwell: the bins sum to {dwell} visits, but the hours sum to {visits}; the sums must be equal")]
    DwellDiffers { dwell: u64, visits: u64 },
    #[error("{member}: {item} occurs twice or is out of order")]
    NotAscending { member: &'static str, item: &'static str },
    #[error("{member}: {year} is not between {} and {}", YEARS.start(), YEARS.end())]
    Year { member: &'static str, year: u16 },
    #[error("{member}: week {week} is not between 1 and {last}, the number of ISO weeks in {year}")]
    Week { member: &'static str, year: u16, week: u8, last: u8 },
}

impl MeasureError {
    /// Returns an error if a count is greater than [`MOST`].
    pub(super) fn check_most(member: &'static str, value: u64) -> Result<(), Self> {
        Self::check_bound(member, value, MOST, "the maximum")
    }

    pub(super) fn check_bound(
        member: &'static str,
        value: u64,
        bound: u64,
        bound_is: &'static str,
    ) -> Result<(), Self> {
        if value <= bound { Ok(()) } else { Err(Self::TooMany { member, value, bound, bound_is }) }
    }
}

/// The reason why the records can't be written.
#[derive(Debug, Error)]
pub enum MeasuresWriteError {
    #[error("place {place} follows place {last}; records must be in ascending order of place id")]
    Order { place: PlaceId, last: PlaceId },
    #[error("the record for place {place}: {error}")]
    Record { place: PlaceId, error: MeasureError },
    #[error(transparent)]
    File(#[from] WriteError),
}
