//! The ISO 8601 weeks in a visit history.

use chrono::{NaiveDate, Weekday};

/// The minimum number of ISO weeks in a year.
const WEEKS_OF_EACH_YEAR: u8 = 52;

/// The maximum number of ISO weeks in a year.
pub const WEEKS_OF_YEAR: u8 = 53;

/// Returns the number of ISO weeks in a year: 52 or 53.
pub(super) fn weeks_in_year(year: u16) -> u8 {
    if monday(year, WEEKS_OF_YEAR).is_some() { WEEKS_OF_YEAR } else { WEEKS_OF_EACH_YEAR }
}

/// Returns the Monday of an ISO week, or `None` if the year doesn't have that week.
pub(super) fn monday(year: u16, week: u8) -> Option<NaiveDate> {
    NaiveDate::from_isoywd_opt(i32::from(year), u32::from(week), Weekday::Mon)
}
