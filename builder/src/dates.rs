//! Validation of dates and times in imported files.

use chrono::{NaiveDate, NaiveTime};

/// Returns whether a string is a calendar date in the format `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    has_form(text, "dddd-dd-dd") && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// Returns whether a string is a time in the format `HH:MM:SS`. Leap seconds are invalid.
pub(crate) fn is_time(text: &str) -> bool {
    has_form(text, "dd:dd:dd") && !text.ends_with("60") && NaiveTime::parse_from_str(text, "%H:%M:%S").is_ok()
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a string matches a pattern in which `d` stands for a digit. This check is necessary
/// because chrono also accepts signs and numbers with fewer digits.
fn has_form(text: &str, form: &str) -> bool {
    let matches =
        |(byte, expected): (u8, u8)| if expected == b'd' { byte.is_ascii_digit() } else { byte == expected };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_calendar_days_in_iso_form() {
        for day in ["2026-08-02", "2024-02-29", "0000-01-01", "9999-12-31"] {
            assert!(is_date(day), "{day}");
        }
        for day in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-8-2",
            "-2026-7-27",
            "20260-7-27",
            "2026-08-2x",
            " 2026-08-0",
        ] {
            assert!(!is_date(day), "{day}");
        }
    }

    #[test]
    fn times_have_two_digits_per_part_and_no_leap_second() {
        for time in ["00:00:00", "23:59:59"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "24:00:00", "12:60:00", "12:00:60", "1:00:000", "12.00.00", "12:00:0 "] {
            assert!(!is_time(time), "{time}");
        }
    }
}
