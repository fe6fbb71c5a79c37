//! Assets as the program knows them that sends their calls: what was acknowledged, and what may have happened.

use measurement::{EventType, MeasurementEvent};
use store::{AssetState, Family};

/// A body that was sent for an asset.
#[derive(Clone, Debug)]
pub struct Body {
    pub stamp: String,
    /// The version that it was given; none when its call was not answered with success.
    pub version: Option<u64>,
}

/// An asset as its sender knows it.
#[derive(Debug)]
pub struct Known {
    /// Its id; none when its creation was not answered.
    pub id: Option<String>,
    pub family: Family,
    /// The bodies sent for it, in their order.
    pub bodies: Vec<Body>,
    pub delete: Delete,
    /// The events that were applied.
    pub applied: Vec<MeasurementEvent>,
    /// An event that was not answered.
    pub unsure: Option<MeasurementEvent>,
}

/// What became of the delete of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delete {
    NotSent,
    Unanswered,
    Done,
}

impl Known {
    /// Returns the stamps that the asset may have now: the last one acknowledged, and those sent since.
    pub fn possible(&self) -> Vec<&str> {
        let last = self.bodies.iter().rposition(|body| body.version.is_some()).unwrap_or(0);
        self.bodies[last..].iter().map(|body| body.stamp.as_str()).collect()
    }
    /// Returns the states that the asset may have now: that of its last event, and of one not answered.
    pub fn possible_states(&self) -> Vec<AssetState> {
        let last = self.applied.last().map_or(AssetState::Draft, state_after);
        [last].into_iter().chain(self.unsure.as_ref().map(state_after)).collect()
    }
}

/// Returns the state in which an event leaves an asset, if it is applied.
fn state_after(event: &MeasurementEvent) -> AssetState {
    match event.event_type {
        EventType::Purchased => AssetState::Queued,
        EventType::Started | EventType::Measured => AssetState::InFlight,
        EventType::Completed => AssetState::Completed,
        EventType::Failed => AssetState::Failed,
    }
}
