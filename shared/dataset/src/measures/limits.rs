//! The dimensions and limits of a record.

/// The number of days in a week. The first is Monday.
pub const DAYS: usize = 7;

/// The number of hours in a day.
pub const HOURS: usize = 24;

/// The number of duration bins: under 30 minutes, under 1 hour, under 2 hours, under 4 hours, and longer.
pub const DWELL_BINS: usize = 5;

/// The maximum of any weekly count of a record. It's small enough to add up 100,000 records without overflow.
pub const MOST: u64 = 1_000_000_000;

/// The number of minutes in a week, which is the maximum average duration of a visit.
pub const MINUTES_OF_WEEK: u64 = 7 * 24 * 60;

/// The years that a history can contain.
pub(super) const YEARS: std::ops::RangeInclusive<u16> = 1990..=2100;
