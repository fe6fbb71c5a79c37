//! The state transition that each type of event causes.

use accounting::Timestamp;
use store::{AssetState, Head};

use crate::event::{EventType, MeasurementEvent};
use crate::refusal::EventRefusal;

/// Returns the asset's state after an event, or an error if the event isn't allowed in the current state.
pub(crate) fn next_state(state: AssetState, event_type: EventType) -> Result<AssetState, EventRefusal> {
    use AssetState::{Completed, Draft, Failed, InFlight, Queued};
    match (event_type, state) {
        (EventType::Purchased, Draft | Failed) => Ok(Queued),
        (EventType::Started, Queued) | (EventType::Measured, InFlight) => Ok(InFlight),
        (EventType::Completed, Queued | InFlight) => Ok(Completed),
        (EventType::Failed, Queued | InFlight) => Ok(Failed),
        (EventType::Purchased, Queued | InFlight | Completed)
        | (EventType::Started, Draft | InFlight | Completed | Failed)
        | (EventType::Measured, Draft | Queued | Completed | Failed)
        | (EventType::Completed | EventType::Failed, Draft | Completed | Failed) => {
            Err(EventRefusal::NoTransition { state, event_type })
        }
    }
}

/// Returns the time of the latest measurement after an event, or `None` if the current run has no measurement
/// yet.
///
/// A run begins with a purchase. Measurements with an earlier time belong to a previous run and are ignored.
/// If a run completes without a `measured` event, the completion counts as its measurement.
pub(crate) fn measured_at(event: &MeasurementEvent, head: &Head) -> Option<Timestamp> {
    use AssetState::{Completed, Draft, Failed, InFlight, Queued};
    let of_this_run = match head.state {
        InFlight => head.last_measured_at,
        Draft | Queued | Completed | Failed => None,
    };
    let began_at = head.purchase.as_ref().map(|purchase| purchase.purchased_at);
    let occurred_at = Some(event.occurred_at).filter(|at| began_at.is_none_or(|began_at| began_at <= *at));
    match event.event_type {
        EventType::Purchased | EventType::Started => None,
        EventType::Measured => of_this_run.max(occurred_at),
        EventType::Completed => of_this_run.or(occurred_at),
        EventType::Failed => of_this_run,
    }
}
