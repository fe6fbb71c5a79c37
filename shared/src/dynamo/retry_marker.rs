//! Retry markers: what a step leaves in its account, so that a try without an answer can be told from none.

use std::collections::BTreeMap;

/// Says which step took a slot last: 6 bytes of the step's digest, and the number of the try that made it.
///
/// Six bytes keep the fullest account under two write units, and two steps of one slot apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryMarker {
    /// The first bytes of the step's digest.
    pub step: [u8; 6],
    /// The number of the try, from 0.
    pub attempt: u8,
}

/// The markers of an account's recent steps, by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetryMarkers(BTreeMap<u8, RetryMarker>);

impl RetryMarkers {
    /// Returns the marker of a slot; `None` for one that no step has taken.
    pub fn get(&self, slot: u8) -> Option<RetryMarker> {
        self.0.get(&slot).copied()
    }

    /// Returns how many slots are taken.
    pub fn taken(&self) -> usize {
        self.0.len()
    }

    /// Iterates over the slots that are taken, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u8, RetryMarker)> {
        self.0.iter().map(|(slot, marker)| (*slot, *marker))
    }
}

impl FromIterator<(u8, RetryMarker)> for RetryMarkers {
    fn from_iter<I: IntoIterator<Item = (u8, RetryMarker)>>(markers: I) -> Self {
        Self(markers.into_iter().collect())
    }
}

/// The change of one slot, on the condition that it is as the deciding copy showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerChange {
    pub slot: u8,
    /// What the deciding copy showed in it.
    pub before: Option<RetryMarker>,
    /// What the change leaves in it.
    pub after: RetryMarker,
}
