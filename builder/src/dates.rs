//! Days and times as files write them.

use chrono::{NaiveDate, NaiveTime};

/// Tells whether a text is a date `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    has_form(text, "dddd-dd-dd") && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// Tells whether a text is a time `HH:MM:SS`. No clock on a wall shows a leap second.
pub(crate) fn is_time(text: &str) -> bool {
    has_form(text, "dd:dd:dd") && !text.ends_with("60") && NaiveTime::parse_from_str(text, "%H:%M:%S").is_ok()
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Tells whether a text has a digit for each `d` of a form, and what else is in the form: chrono alone would
/// also take numbers of fewer digits, and a sign.
fn has_form(text: &str, form: &str) -> bool {
    let is_right =
        |(byte, expected): (u8, u8)| if expected == b'd' { byte.is_ascii_digit() } else { byte == expected };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_of_the_calendar_in_one_form() {
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
    fn a_time_is_one_of_a_clock_in_one_form() {
        for time in ["00:00:00", "23:59:59"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "24:00:00", "12:60:00", "12:00:60", "1:00:000", "12.00.00", "12:00:0 "] {
            assert!(!is_time(time), "{time}");
        }
    }
}
