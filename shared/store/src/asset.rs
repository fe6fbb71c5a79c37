//! Asset states and families.

use accounting::UnknownName;
use serde::{Deserialize, Serialize};
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

/// The state of an asset. `AssetState` in openapi.yaml describes all five states.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    SerializeDisplay,
    Display,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[strum(
    serialize_all = "snake_case",
    parse_err_ty = UnknownName,
    parse_err_fn = UnknownName::among::<AssetState>
)]
pub enum AssetState {
    /// No measurement has been purchased yet.
    Draft,
    /// A measurement was purchased. Results are pending.
    Queued,
    /// The flight or event is running. Results aren't final.
    InFlight,
    /// All results are final.
    Completed,
    /// The measurement failed. The asset can be edited and measured again.
    Failed,
}

impl AssetState {
    /// Returns the state's name, as stored and displayed.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns whether the state prevents edits and deletion.
    pub fn is_locked(self) -> bool {
        match self {
            Self::Draft | Self::Queued | Self::Failed => false,
            Self::InFlight | Self::Completed => true,
        }
    }
}

/// The kind of scenario that an asset contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = neither_family)]
pub enum Family {
    /// Out-of-home spots on displays.
    Campaign,
    /// Places and named time periods.
    Event,
}

fn neither_family(_text: &str) -> UnknownName {
    UnknownName::described("`campaign` or `event`")
}
