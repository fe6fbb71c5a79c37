//! The IDs of spots, and their positions in a release.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The ID of a spot, which is a positive integer, usually with 6 to 8 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpotId(u32);

impl SpotId {
    /// The largest possible ID.
    pub const MAX: Self = Self(u32::MAX);

    /// Creates an ID. The spot doesn't need to exist. To check whether it does, use
    /// [`Inventory::find`](super::Inventory::find).
    pub const fn from_raw(number: u32) -> Self {
        Self(number)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }
}

impl fmt::Display for SpotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The position of a spot in its release. Spots are sorted by ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpotIndex(u32);

impl SpotIndex {
    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }
}
