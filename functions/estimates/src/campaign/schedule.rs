//! The days in a flight, and the days when a spot is active.

use accounting::Day;
use gateway::Violations;
use scenario_bodies::{DateRange, Spot};

use crate::estimates::MAX_DAYS;

pub(crate) const DAYS_PER_WEEK: usize = 7;

/// The days in a flight, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    first_day: Day,
    pub(crate) days: usize,
}

/// A week in a flight. The first week starts on the first day, and the last week can be shorter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Week {
    pub(crate) first_day: Day,
    pub(crate) last_day: Day,
}

impl Flight {
    /// Creates a flight from its dates. Returns an error if it's too long.
    pub(crate) fn of(dates: &DateRange) -> Result<Self, Violations> {
        let first_day = dates.start_date.day();
        let days = dates.end_date.day().days_since(first_day) + 1;
        match usize::try_from(days) {
            Ok(days) if days <= MAX_DAYS => Ok(Self { first_day, days }),
            _ => {
                let rule = format!("must be at most {MAX_DAYS} days long, got {days} days");
                Err(Violations::one("/flight", rule))
            }
        }
    }

    pub(crate) fn weeks(&self) -> impl Iterator<Item = Week> {
        let day = |number: usize| self.first_day.start().plus_days(number as i64).day();
        (0..self.days).step_by(DAYS_PER_WEEK).map(move |first| Week {
            first_day: day(first),
            last_day: day(self.days.min(first + DAYS_PER_WEEK) - 1),
        })
    }

    /// Returns whether the spot is active on each day of the flight. Also returns the positions of the
    /// windows that extend beyond the flight.
    pub(crate) fn active_days(&self, spot: &Spot) -> (Vec<bool>, Vec<usize>) {
        let Some(windows) = &spot.windows else { return (vec![true; self.days], Vec::new()) };
        let (mut active, mut outside) = (vec![false; self.days], Vec::new());
        for (at, window) in windows.as_slice().iter().enumerate() {
            let [first, last] =
                [window.start_date, window.end_date].map(|date| date.day().days_since(self.first_day));
            let end = self.days as i64;
            if first < 0 || last >= end {
                outside.push(at);
            }
            let inside = first.clamp(0, end) as usize..(last + 1).clamp(0, end) as usize;
            active[inside].fill(true);
        }
        (active, outside)
    }
}
