//! The table of transitions: which event leads an asset from which state to which.

use shared::dynamo::Head;
use shared::types::{AssetState, Timestamp};

use crate::event::{EventType, MeasurementEvent};
use crate::refusal::EventRefusal;

/// Returns the state that an event leads to.
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

/// Returns the time of the latest measurement, if there is one: a completed asset has been measured by then.
pub(crate) fn measured_at(event: &MeasurementEvent, head: &Head) -> Option<Timestamp> {
    match event.event_type {
        EventType::Measured => head.last_measured_at.max(Some(event.occurred_at)),
        EventType::Completed => head.last_measured_at.or(Some(event.occurred_at)),
        EventType::Purchased | EventType::Started | EventType::Failed => head.last_measured_at,
    }
}
