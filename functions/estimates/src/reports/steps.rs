//! The steps of a measurement, and when each of them is due. All functions are pure: they don't read a clock
//! or the database.

use accounting::{Day, Timestamp, sha256_hex};
use measurement::{EventType, MeasurementEvent};
use store::{AssetState, Purchase, ScheduledCheck};

use super::report::LAST;
use crate::campaign::DAYS_PER_WEEK;
use crate::span::{Span, day_after, day_of, end_of};

/// A step that is due, and the days that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) event_type: EventType,
    /// The last day that the step covers.
    pub(crate) through: Day,
    pub(crate) due_at: Timestamp,
}

/// The next step of a measurement, or the time when it becomes due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This step is due now.
    Now(Step),
    /// No step is due before this time.
    At(Timestamp),
    /// The measurement has ended.
    Nothing,
}

impl Span {
    /// Returns the next step, as of `now`, for an asset in the given state. `measured_at` is the asset's
    /// `last_measured_at`.
    ///
    /// A measurement starts on the first day. It then has a step at the end of each complete week, and a
    /// final one at the end of the last day. If several steps are overdue, only the latest one is run,
    /// because its report covers the days of the earlier ones.
    pub(crate) fn next(
        self,
        state: AssetState,
        purchased_at: Timestamp,
        measured_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Next {
        let first = self.first;
        let starts_at = end_of(day_after(first, -1));
        match state {
            AssetState::Queued if now < starts_at => Next::At(starts_at),
            AssetState::Queued => {
                Next::Now(Step { event_type: EventType::Started, through: first, due_at: starts_at })
            }
            AssetState::InFlight => self.next_report(purchased_at, measured_at, now),
            AssetState::Draft | AssetState::Completed | AssetState::Failed => Next::Nothing,
        }
    }

    fn next_report(self, purchased_at: Timestamp, measured_at: Option<Timestamp>, now: Timestamp) -> Next {
        let Self { first, last } = self;
        if now >= end_of(last) {
            return Next::Now(Step { event_type: EventType::Completed, through: last, due_at: end_of(last) });
        }
        let days_ended = day_of(now).days_since(first).max(0);
        let week = DAYS_PER_WEEK as i64;
        let ended = days_ended - days_ended % week;
        let through = day_after(first, ended - 1);
        let step = Step { event_type: EventType::Measured, through, due_at: end_of(through) };
        if ended > 0 && measured_at < Some(step.occurred_at(purchased_at)) {
            return Next::Now(step);
        }
        Next::At(end_of(day_after(first, ended + week - 1)).min(end_of(last)))
    }
}

impl Step {
    /// Returns the position of the step's report. `first` is the first day of the campaign or event.
    pub(crate) fn position(&self, first: Day) -> u64 {
        match self.event_type {
            EventType::Completed => LAST,
            _ => self.through.days_since(first).unsigned_abs(),
        }
    }

    /// Returns the time of the step's event. It's never before the purchase, because an earlier event would
    /// be treated as part of an earlier purchase.
    fn occurred_at(&self, purchased_at: Timestamp) -> Timestamp {
        self.due_at.max(purchased_at)
    }

    /// Returns an event for the step. `event_type` differs from the step's own type if the stored report has
    /// a different status, for example if the measurement fails at this step.
    pub(crate) fn event(
        &self,
        check: &ScheduledCheck,
        purchase: &Purchase,
        event_type: EventType,
    ) -> MeasurementEvent {
        let at = self.occurred_at(purchase.purchased_at);
        step_event(check, purchase, event_type, &self.through.to_string(), at)
    }
}

/// Returns the event that refunds the purchase of an asset that was deleted while it was queued.
pub(crate) fn deletion_event(check: &ScheduledCheck, purchase: &Purchase) -> MeasurementEvent {
    step_event(check, purchase, EventType::Failed, "deleted", purchase.purchased_at)
}

/// Creates an event. Its ID is derived from the purchase, the event type, and the days that the event covers,
/// so repeating a step creates the same event.
fn step_event(
    check: &ScheduledCheck,
    purchase: &Purchase,
    event_type: EventType,
    covers: &str,
    occurred_at: Timestamp,
) -> MeasurementEvent {
    let Purchase { id, purchased_at, .. } = purchase;
    let step = format!("{}#{id}#{purchased_at}#{event_type}#{covers}", check.asset);
    MeasurementEvent {
        event_id: sha256_hex(&[step.as_bytes()]).parse().expect("a digest is a valid event ID"),
        org_id: check.org.clone(),
        family: check.family,
        asset_id: check.asset,
        event_type,
        occurred_at,
        purchase: None,
    }
}
