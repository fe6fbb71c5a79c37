//! How many of what a record holds, and how much at most.

/// The days of a week, Monday first.
pub const DAYS: usize = 7;

/// The hours of a day.
pub const HOURS: usize = 24;

/// The bins of how long visits last: under half an hour, under one, two and four hours, and longer.
pub const DWELL_BINS: usize = 5;

/// The most that any weekly count of a record may be: a hundred thousand records still add up exactly.
pub const MOST: u64 = 1_000_000_000;

/// No visit of a week lasts longer than the week.
pub const MINUTES_OF_WEEK: u64 = 7 * 24 * 60;

/// The years that a history may speak of.
pub(super) const YEARS: std::ops::RangeInclusive<u16> = 1990..=2100;
