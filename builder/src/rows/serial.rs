//! Formats the numbers, dates, and times in a workbook's cells.

use calamine::{ExcelDateTime, ExcelDateTimeType};

/// The number of significant digits that spreadsheets show. Further digits in stored numbers are rounding
/// errors.
const DIGITS: usize = 15;

/// The first serial number after December 31, 9999, in the date system that starts in 1900.
const END_1900: f64 = 2_958_466.0;

/// The number of seconds in a day.
const DAY: u64 = 86_400;

/// Formats a number without a trailing `.0` and without rounding errors.
pub(super) fn number(value: f64) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    // Adding 0 turns -0 into 0.
    (rounded + 0.0).to_string()
}

/// Returns a date as `YYYY-MM-DD`, followed by `HH:MM:SS` unless it's midnight. Returns a time without a date
/// as `HH:MM:SS`. Returns `None` for numbers that aren't dates.
pub(super) fn date(moment: &ExcelDateTime) -> Option<String> {
    let value = moment.as_f64();
    if !(0.0..END_1900).contains(&value) {
        return None;
    }
    let seconds = (value * DAY as f64).round() as u64;
    let time = |hours| format!("{hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60);
    if moment.is_duration() {
        return Some(time(seconds / 3_600));
    }
    if value < 1.0 {
        return Some(time(seconds / 3_600 % 24));
    }
    // Use whole seconds, because rounding errors can move midnight to the previous day.
    let is_1904 = *moment == ExcelDateTime::new(value, ExcelDateTimeType::DateTime, true);
    let day = ExcelDateTime::new((seconds / DAY) as f64, ExcelDateTimeType::DateTime, is_1904);
    let (year, month, day, ..) = day.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let is_midnight = seconds.is_multiple_of(DAY);
    Some(if is_midnight { date } else { format!("{date} {}", time(seconds % DAY / 3_600)) })
}
