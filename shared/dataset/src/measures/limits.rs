//! The sizes and limits of the lists and counts in a record.

/// The number of days in a week. The first day is Monday.
pub const DAYS: usize = 7;

/// The number of hours in a day.
pub const HOURS: usize = 24;

/// The number of bins for the duration of a visit: under 30 minutes, under 1 hour, under 2 hours, under 4
/// hours, and longer.
pub const DWELL_BINS: usize = 5;

/// The maximum value of any weekly count in a record. It's low enough that adding up 100,000 records can't
/// overflow.
pub const MOST: u64 = 1_000_000_000;

/// The number of minutes in a week, which is the maximum average duration of a visit.
pub const MINUTES_OF_WEEK: u64 = 7 * 24 * 60;

/// The years that a history of visits can contain.
pub(super) const YEARS: std::ops::RangeInclusive<u16> = 1990..=2100;
