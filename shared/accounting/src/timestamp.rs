//! Timestamps and calendar days, both in UTC.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, Utc};
use derive_more::Display;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

const MILLIS_PER_SECOND: i64 = 1_000;
const SECONDS_PER_MINUTE: i64 = 60;
const SECONDS_PER_DAY: i64 = 86_400;

/// A point in time, in whole milliseconds since the Unix epoch. Displayed as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay)]
pub struct Timestamp(i64);

impl Timestamp {
    pub fn from_unix_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Creates a timestamp from whole Unix seconds.
    pub fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds * MILLIS_PER_SECOND)
    }

    pub fn from_system(time: SystemTime) -> Self {
        let since_epoch = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }

    /// Returns the timestamp as a system time. Timestamps before the epoch become the epoch.
    pub fn to_system(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(u64::try_from(self.0).unwrap_or_default())
    }

    /// Parses an RFC 3339 date-time, which includes an offset. Returns `None` for any other string.
    pub fn parse(text: &str) -> Option<Self> {
        // RFC 3339 allows other separators, and chrono also accepts the Unicode minus sign. This service
        // accepts only ASCII with a `T` or `t`.
        if !text.is_ascii() || !matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
            return None;
        }
        let moment = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
        let millis = moment.timestamp_millis();
        if moment.timestamp_subsec_millis() < 1_000 {
            return Some(Self(millis));
        }
        // A leap second becomes the last millisecond before it. Leap seconds occur only at the end of a
        // month.
        let second = moment.timestamp() + 1;
        let next = DateTime::from_timestamp(second, 0)?;
        (next.day() == 1 && next.time() == NaiveTime::MIN).then(|| Self(second * MILLIS_PER_SECOND - 1))
    }

    pub fn unix_millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(MILLIS_PER_SECOND)
    }

    /// Returns the number of whole minutes since the Unix epoch.
    pub fn minute(self) -> i64 {
        self.unix_seconds().div_euclid(SECONDS_PER_MINUTE)
    }

    /// Returns the start of a minute. Minutes are numbered from the Unix epoch.
    pub fn at_minute(minute: i64) -> Self {
        Self::from_unix_seconds(minute * SECONDS_PER_MINUTE)
    }

    /// Returns the calendar day in UTC.
    pub fn day(self) -> Day {
        Day(self.to_utc().date_naive())
    }

    /// Returns the start of the next calendar month in UTC.
    pub fn next_month(self) -> Self {
        let first = self.day().0.with_day(1).and_then(|first| first.checked_add_months(Months::new(1)));
        first.map_or(self, |first| Day(first).start())
    }

    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(MILLIS_PER_SECOND)))
    }

    pub fn plus_days(self, days: i64) -> Self {
        self.plus_seconds(days * SECONDS_PER_DAY)
    }

    fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_utc().format("%Y-%m-%dT%H:%M:%S%.3fZ").fmt(f)
    }
}

/// The error for a string that isn't a calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a calendar date (YYYY-MM-DD)")]
pub struct InvalidDay;

/// A calendar day, displayed as `YYYY-MM-DD`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, SerializeDisplay, DeserializeFromStr,
)]
pub struct Day(NaiveDate);

impl From<Day> for NaiveDate {
    fn from(Day(date): Day) -> Self {
        date
    }
}

impl Day {
    /// Returns the start of the day in UTC.
    pub fn start(self) -> Timestamp {
        Timestamp::from_unix_seconds(self.0.and_time(NaiveTime::MIN).and_utc().timestamp())
    }

    /// Returns the number of days from another day to this one, which is negative if the other day is later.
    pub fn days_since(self, other: Self) -> i64 {
        (self.0 - other.0).num_days()
    }

    pub fn month(self) -> Month {
        Month { year: self.0.year(), number: self.0.month() }
    }

    /// Returns the first day of the month that is `months` months before this day's month.
    pub fn first_of_month_before(self, months: u32) -> Self {
        let first = self.0.with_day(1).and_then(|first| first.checked_sub_months(Months::new(months)));
        first.map_or(self, Self)
    }
}

/// A calendar month, displayed as `YYYY-MM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, SerializeDisplay)]
#[display("{year:04}-{number:02}")]
pub struct Month {
    year: i32,
    /// The month of the year, from 1 to 12.
    number: u32,
}

impl FromStr for Month {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        format!("{text}-01").parse().map(Day::month)
    }
}

impl FromStr for Day {
    type Err = InvalidDay;

    /// Parses `YYYY-MM-DD`. Rejects the signs and spaces that chrono also accepts.
    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let has_form = text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        if text.len() != 10 || !has_form {
            return Err(InvalidDay);
        }
        text.parse().map(Self).map_err(|_| InvalidDay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_times_need_t_and_an_offset_and_are_displayed_in_utc() {
        for (text, shown) in [
            ("2026-11-20T09:00:00-05:00", "2026-11-20T14:00:00.000Z"),
            ("2026-11-20t09:00:00.123456z", "2026-11-20T09:00:00.123Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("2024-02-29T23:59:59.9999+23:59", "2024-02-29T00:00:59.999Z"),
            // A leap second becomes the last millisecond of its month in UTC.
            ("2026-12-31T23:59:60Z", "2026-12-31T23:59:59.999Z"),
            ("2027-01-01T00:59:60.25+01:00", "2026-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(
                Timestamp::parse(text).map(|moment| moment.to_string()).as_deref(),
                Some(shown),
                "{text}"
            );
        }
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T09:00:00",
            "2026-11-20 09:00:00Z",
            "2026-11-20_09:00:00Z",
            "2026-11-20T09:00Z",
            "2026-11-20T09:00:00.Z",
            "2026-02-30T09:00:00Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T09:00:00+24:00",
            "2026-11-20T09:00:00\u{2212}05:00",
            "2026-11-20T09:00:60Z",
            "2026-12-30T23:59:60Z",
            "+2026-11-20T09:00:00Z",
            "2026-11-20T09:00:00Z ",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn days_are_ten_characters_and_valid_dates() {
        for text in ["2026-11-20", "2024-02-29", "0000-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Day>().map(|day| day.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "2026-11-2",
            "2026-11-31",
            "2025-02-29",
            "2026-13-01",
            "+202-11-20",
            "2026/11/20",
            " 2026-11-2",
        ] {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay), "{text}");
        }
    }

    #[test]
    fn next_month_starts_on_its_first_day() {
        for (text, next) in [
            ("2026-11-20T09:00:30Z", "2026-12-01T00:00:00.000Z"),
            ("2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"),
            ("2027-01-31T00:00:00Z", "2027-02-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp::parse(text).expect("a timestamp").next_month().to_string(), next);
        }
        assert_eq!(
            Timestamp::parse("2026-11-20T09:00:30Z").expect("a timestamp").day().month().to_string(),
            "2026-11"
        );
    }
}
