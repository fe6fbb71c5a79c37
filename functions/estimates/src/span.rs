//! The days of a campaign or an event. A day counts as ended when it has ended everywhere in the United
//! States.

use accounting::{Day, Timestamp};

/// The time at which a day has ended in all time zones of the United States, in seconds after midnight UTC at
/// the end of the day. This is 12:00 UTC on the next day.
const DAY_ENDS_AT_SECONDS: i64 = 12 * 60 * 60;

/// The first and last days of a campaign or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: Day,
    pub(crate) last: Day,
}

/// Returns the day that contains `moment`. A day ends at the time that [`end_of`] returns for it.
pub(crate) fn day_of(moment: Timestamp) -> Day {
    moment.plus_seconds(-DAY_ENDS_AT_SECONDS).day()
}

/// Returns the time when a day has ended everywhere in the United States.
pub(crate) fn end_of(day: Day) -> Timestamp {
    day_after(day, 1).start().plus_seconds(DAY_ENDS_AT_SECONDS)
}

/// Returns the day that is `days` days after `day`.
pub(crate) fn day_after(day: Day, days: i64) -> Day {
    day.start().plus_days(days).day()
}
