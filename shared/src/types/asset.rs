use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The five states of a scenario asset (Specification, States and transitions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssetState {
    /// Only the asset exists.
    Draft,
    /// A measurement has been purchased and its results are pending.
    Queued,
    /// The active period is running; results are not final.
    InFlight,
    /// Every measure is final.
    Completed,
    /// The measurement met a problem; the asset can be mended and tried again.
    Failed,
}

impl AssetState {
    /// Every state, in the order of the specification.
    pub const ALL: [Self; 5] = [Self::Draft, Self::Queued, Self::InFlight, Self::Completed, Self::Failed];

    /// Returns the state's name as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Queued => "queued",
            Self::InFlight => "in_flight",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// Tells whether the asset can no longer be edited or deleted.
    pub fn is_locked(self) -> bool {
        match self {
            Self::Draft | Self::Queued | Self::Failed => false,
            Self::InFlight | Self::Completed => true,
        }
    }
}

impl fmt::Display for AssetState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AssetState {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(())
    }
}

/// The two families of scenario assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Out-of-home spots on displays.
    Campaign,
    /// Places and named time periods.
    Event,
}

impl Family {
    /// Returns the family's name as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Campaign => "campaign",
            Self::Event => "event",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Family {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "campaign" => Ok(Self::Campaign),
            "event" => Ok(Self::Event),
            _ => Err("must be `campaign` or `event`".to_owned()),
        }
    }
}
