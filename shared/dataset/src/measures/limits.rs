//! The sizes of lists and the limits of counts in a record.

/// The number of days in a week. Lists of days start with Monday.
pub const DAYS: usize = 7;

/// The number of hours in a day.
pub const HOURS: usize = 24;

/// The number of bins for the duration of a visit: less than 30 minutes, less than 1 hour, less than 2 hours,
/// less than 4 hours, and longer.
pub const DWELL_BINS: usize = 5;

/// The maximum for any weekly count in a record. With this limit, the sum of 100,000 records can't overflow.
pub const MOST: u64 = 1_000_000_000;

/// The number of minutes in a week. The average visit can't be longer than that.
pub const MINUTES_OF_WEEK: u64 = 7 * 24 * 60;

/// The years that a visit history can contain.
pub(super) const YEARS: std::ops::RangeInclusive<u16> = 1990..=2100;
