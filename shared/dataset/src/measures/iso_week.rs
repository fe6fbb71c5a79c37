//! The weeks of ISO 8601, by which histories count.

use chrono::{NaiveDate, Weekday};

/// The ISO weeks that every year has; some have one more.
const WEEKS_OF_EACH_YEAR: u8 = 52;

/// The most ISO weeks that a year has.
pub const WEEKS_OF_YEAR: u8 = 53;

/// Returns how many ISO weeks a year has.
pub(super) fn weeks_in_year(year: u16) -> u8 {
    if monday(year, WEEKS_OF_YEAR).is_some() { WEEKS_OF_YEAR } else { WEEKS_OF_EACH_YEAR }
}

/// Returns the first day of a week; `None` when its year has no such week.
pub(super) fn monday(year: u16, week: u8) -> Option<NaiveDate> {
    NaiveDate::from_isoywd_opt(i32::from(year), u32::from(week), Weekday::Mon)
}
