//! Assets as the program knows them that sends their calls: what was acknowledged, and what may have happened.

use measurement::{EventType, MeasurementEvent};
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use crate::{samples, text, whole};

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
    /// An asset that was created, or may have been.
    pub fn made(id: Option<String>, family: Family, body: Body) -> Self {
        let (bodies, applied, unsure) = (vec![body], Vec::new(), None);
        Self { id, family, bodies, delete: Delete::NotSent, applied, unsure }
    }

    /// Returns the asset's path, if its id is known.
    pub fn path(&self) -> Option<String> {
        Some(format!("{}/{}", samples::library(self.family), self.id.as_ref()?))
    }

    /// Compares an asset that is listed with what was acknowledged, and returns its stamp.
    pub fn assert_may_be(&self, asset: &Value) -> String {
        let stamp = whole(asset);
        assert!(self.possible().contains(&stamp.as_str()), "{stamp} is not the last one of {self:?}");
        let state = text(&asset["state"]).parse().expect("a state");
        assert!(self.possible_states().contains(&state), "{state} of {self:?}");
        stamp
    }

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

/// Compares the summary of a library with all of its assets.
pub fn assert_summary(summary: &Value, assets: &[Value], context: &str) {
    assert_eq!(summary["total"], assets.len(), "{context}");
    for state in AssetState::iter().map(<&str>::from) {
        let listed = assets.iter().filter(|asset| asset["state"] == state).count();
        assert_eq!(summary["by_state"][state], listed, "{context} {state}");
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
