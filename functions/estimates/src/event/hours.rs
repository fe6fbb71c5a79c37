//! Maps the periods of an event to the hours of a week.

use accounting::Timestamp;
use dataset::Measure;
use gateway::Violations;
use scenario_bodies::{Event, Period};

use crate::estimates::MAX_DAYS;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The day of the week of January 1, 1970, which was a Thursday. Monday is day 0.
const FIRST_DAY: i64 = 3;

/// For each hour of the week, the total time that the event takes place during that hour, in hours. The weeks
/// of a longer event are added up. The first hour starts on Monday at midnight.
pub(crate) struct EventHours([f64; 7 * 24]);

impl EventHours {
    /// Adds up the periods of an event up to `until`, in the event's time zone. Overlapping periods count
    /// once. Returns an error if the event is too long.
    pub(crate) fn of(event: &Event, until: Timestamp) -> Result<Self, Violations> {
        let mut periods: Vec<(i64, i64)> = event.periods.as_slice().iter().filter_map(bounds).collect();
        periods.sort_unstable();
        check_length(&periods)?;
        let offset = event.timezone.offset();
        let (mut hours, mut counted) = ([0.0; 7 * 24], i64::MIN);
        for (start, end) in periods.into_iter().map(|(start, end)| (start, end.min(until.unix_millis()))) {
            let mut now = start.max(counted);
            counted = end.max(counted);
            while now < end {
                let local = now + 1_000 * offset(Timestamp::from_unix_millis(now));
                let next = end.min(now + HOUR - local.rem_euclid(HOUR));
                let hour = (local.div_euclid(HOUR) + FIRST_DAY * 24).rem_euclid(7 * 24);
                hours[hour as usize] += (next - now) as f64 / HOUR as f64;
                now = next;
            }
        }
        Ok(Self(hours))
    }

    /// Returns the visits to a place during the event, assuming that every week is an average week.
    pub(crate) fn visits(&self, measure: &Measure) -> f64 {
        let visits = measure.hours.as_flattened().iter();
        visits.zip(self.0).map(|(of_hour, hours)| *of_hour as f64 * hours).sum()
    }
}

fn bounds(period: &Period) -> Option<(i64, i64)> {
    Some((period.start_time.moment()?.unix_millis(), period.end_time.moment()?.unix_millis()))
}

fn check_length(periods: &[(i64, i64)]) -> Result<(), Violations> {
    let first = periods.first().map_or(0, |(start, _)| *start);
    let last = periods.iter().map(|(_, end)| *end).max().unwrap_or(first);
    if last - first <= MAX_DAYS as i64 * DAY {
        return Ok(());
    }
    let rule = format!(
        "must span at most {MAX_DAYS} days from the first start to the last end, but span {:.2} days",
        (last - first) as f64 / DAY as f64
    );
    Err(Violations::one("/periods", rule))
}
