//! Assets from the client's point of view: acknowledged changes, and changes with an unknown outcome.

use measurement::{EventType, MeasurementEvent};
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use crate::{samples, text, whole};

/// A body that the client sent for an asset.
#[derive(Clone, Debug)]
pub struct Body {
    pub stamp: String,
    /// The version in the answer; `None` if the call didn't succeed.
    pub version: Option<u64>,
}

/// The client's knowledge of an asset.
#[derive(Debug)]
pub struct Known {
    /// The ID; `None` if the create wasn't answered.
    pub id: Option<String>,
    pub family: Family,
    /// The bodies that were sent, in order.
    pub bodies: Vec<Body>,
    pub delete: Delete,
    /// The applied events.
    pub applied: Vec<MeasurementEvent>,
    /// An event without an answer.
    pub unsure: Option<MeasurementEvent>,
}

/// The status of an asset's deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delete {
    NotSent,
    Unanswered,
    Done,
}

impl Known {
    /// Creates an asset whose create succeeded or has an unknown outcome.
    pub fn made(id: Option<String>, family: Family, body: Body) -> Self {
        let (bodies, applied, unsure) = (vec![body], Vec::new(), None);
        Self { id, family, bodies, delete: Delete::NotSent, applied, unsure }
    }

    /// Returns the asset's path if its ID is known.
    pub fn path(&self) -> Option<String> {
        Some(format!("{}/{}", samples::library(self.family), self.id.as_ref()?))
    }

    /// Compares a listed asset with the acknowledged changes, and returns its stamp.
    pub fn assert_may_be(&self, asset: &Value) -> String {
        let stamp = whole(asset);
        assert!(self.possible().contains(&stamp.as_str()), "{stamp} is not a possible stamp of {self:?}");
        let state = text(&asset["state"]).parse().expect("a state");
        assert!(self.possible_states().contains(&state), "{state} is not a possible state of {self:?}");
        stamp
    }

    /// Returns the stamps that the asset may have: the last acknowledged one, and any sent after it.
    pub fn possible(&self) -> Vec<&str> {
        let last = self.bodies.iter().rposition(|body| body.version.is_some()).unwrap_or(0);
        self.bodies[last..].iter().map(|body| body.stamp.as_str()).collect()
    }

    /// Returns the states that the asset may have: after its last applied event, and after an unanswered one.
    pub fn possible_states(&self) -> Vec<AssetState> {
        let last = self.applied.last().map_or(AssetState::Draft, state_after);
        [last].into_iter().chain(self.unsure.as_ref().map(state_after)).collect()
    }
}

/// Compares the summary of a library with its assets.
pub fn assert_summary(summary: &Value, assets: &[Value], context: &str) {
    assert_eq!(summary["total"], assets.len(), "{context}");
    for state in AssetState::iter().map(<&str>::from) {
        let listed = assets.iter().filter(|asset| asset["state"] == state).count();
        assert_eq!(summary["by_state"][state], listed, "{context} {state}");
    }
}

/// Returns the state of an asset after an event is applied.
fn state_after(event: &MeasurementEvent) -> AssetState {
    match event.event_type {
        EventType::Purchased => AssetState::Queued,
        EventType::Started | EventType::Measured => AssetState::InFlight,
        EventType::Completed => AssetState::Completed,
        EventType::Failed => AssetState::Failed,
    }
}
