use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::FormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, UtcOffset};

const MILLIS_PER_SECOND: i64 = 1_000;
const SECONDS_PER_MINUTE: i64 = 60;
const SECONDS_PER_DAY: i64 = 86_400;
const SHOWN: &[FormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
const DAY: &[FormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A moment, in whole milliseconds since the Unix epoch, shown as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Makes a moment from Unix milliseconds.
    pub fn from_unix_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Makes a moment from whole Unix seconds.
    pub fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds * MILLIS_PER_SECOND)
    }

    /// Makes a moment from the system's time.
    pub fn from_system(time: SystemTime) -> Self {
        let since_epoch = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }

    /// Parses an RFC 3339 date-time, which names its offset; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        // RFC 3339 leaves other separators open; a date-time of this service has a `T`.
        if !matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
            return None;
        }
        let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        i64::try_from(moment.unix_timestamp_nanos().div_euclid(1_000_000)).ok().map(Self)
    }

    /// Returns the milliseconds since the Unix epoch.
    pub fn unix_millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(MILLIS_PER_SECOND)
    }

    /// Returns the number of the clock minute since the Unix epoch.
    pub fn minute(self) -> i64 {
        self.unix_seconds().div_euclid(SECONDS_PER_MINUTE)
    }

    /// Returns the moment at which a numbered clock minute starts.
    pub fn at_minute(minute: i64) -> Self {
        Self::from_unix_seconds(minute * SECONDS_PER_MINUTE)
    }

    /// Returns the calendar day in UTC.
    pub fn day(self) -> Day {
        Day(self.date())
    }

    /// Returns the first moment of the next calendar month in UTC.
    pub fn next_month(self) -> Self {
        let date = self.date();
        let (year, month) = match date.month() {
            time::Month::December => (date.year() + 1, time::Month::January),
            month => (date.year(), month.next()),
        };
        Date::from_calendar_date(year, month, 1).map_or(self, |first| Day(first).start())
    }

    /// Returns the moment `seconds` later.
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(MILLIS_PER_SECOND)))
    }

    /// Returns the moment `days` later.
    pub fn plus_days(self, days: i64) -> Self {
        self.plus_seconds(days * SECONDS_PER_DAY)
    }

    fn date(self) -> Date {
        self.to_utc().date()
    }

    fn to_utc(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
            .to_offset(UtcOffset::UTC)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_utc().format(&SHOWN).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A calendar day, shown as `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// Returns the day's first moment in UTC.
    pub fn start(self) -> Timestamp {
        Timestamp::from_unix_seconds(self.0.midnight().assume_utc().unix_timestamp())
    }

    /// Returns the month's text, `YYYY-MM`.
    pub fn month(self) -> String {
        self.to_string()[..7].to_owned()
    }
}

impl FromStr for Day {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // Ten bytes keep out signed and five-digit years.
        if text.len() != 10 {
            return Err(());
        }
        Date::parse(text, &DAY).map(Self).map_err(|_| ())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&DAY).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("a calendar date is YYYY-MM-DD"))
    }
}
