//! A test client's record of its assets: the acknowledged changes, and the changes whose outcome is unknown.
//! Each body that the client sends has its own stamp, a string that is in every member.

use measurement::{EventType, MeasurementEvent};
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use crate::{samples, text, whole};

/// A body that the client sent.
#[derive(Clone, Debug)]
pub struct Body {
    pub stamp: String,
    /// The version in the response, or `None` if the call didn't succeed.
    pub version: Option<u64>,
}

/// A client's record of one asset.
#[derive(Debug)]
pub struct Known {
    /// `None` if the create call wasn't answered.
    pub id: Option<String>,
    pub family: Family,
    /// The bodies sent for the asset, in order.
    pub bodies: Vec<Body>,
    pub delete: Delete,
    pub applied: Vec<MeasurementEvent>,
    /// An event whose outcome is unknown.
    pub unsure: Option<MeasurementEvent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delete {
    NotSent,
    Unanswered,
    Done,
}

impl Known {
    /// Records an asset after a create call that succeeded or whose outcome is unknown.
    pub fn made(id: Option<String>, family: Family, body: Body) -> Self {
        let (bodies, applied, unsure) = (vec![body], Vec::new(), None);
        Self { id, family, bodies, delete: Delete::NotSent, applied, unsure }
    }

    /// Returns the asset's path, or `None` if its ID is unknown.
    pub fn path(&self) -> Option<String> {
        Some(format!("{}/{}", samples::library(self.family), self.id.as_ref()?))
    }

    /// Checks that a listed asset has one of the possible stamps and states, and returns its stamp.
    pub fn assert_may_be(&self, asset: &Value) -> String {
        let stamp = whole(asset);
        assert!(self.possible().contains(&stamp.as_str()), "{stamp} is not a possible stamp of {self:?}");
        let state = text(&asset["state"]).parse().expect("a state");
        assert!(self.possible_states().contains(&state), "{state} is not a possible state of {self:?}");
        stamp
    }

    /// Returns the stamps that the asset may have: the last acknowledged one, and all that were sent later.
    pub fn possible(&self) -> Vec<&str> {
        let last = self.bodies.iter().rposition(|body| body.version.is_some()).unwrap_or(0);
        self.bodies[last..].iter().map(|body| body.stamp.as_str()).collect()
    }

    /// Returns the states that the asset may have: the one after its last applied event, and the one after an
    /// event whose outcome is unknown.
    pub fn possible_states(&self) -> Vec<AssetState> {
        let last = self.applied.last().map_or(AssetState::Draft, state_after);
        [last].into_iter().chain(self.unsure.as_ref().map(state_after)).collect()
    }
}

/// Checks that a library's summary matches its assets.
pub fn assert_summary(summary: &Value, assets: &[Value], context: &str) {
    assert_eq!(summary["total"], assets.len(), "{context}");
    for state in AssetState::iter().map(<&str>::from) {
        let listed = assets.iter().filter(|asset| asset["state"] == state).count();
        assert_eq!(summary["by_state"][state], listed, "{context} {state}");
    }
}

fn state_after(event: &MeasurementEvent) -> AssetState {
    match event.event_type {
        EventType::Purchased => AssetState::Queued,
        EventType::Started | EventType::Measured => AssetState::InFlight,
        EventType::Completed => AssetState::Completed,
        EventType::Failed => AssetState::Failed,
    }
}
