//! The states and families of scenario assets.

use accounting::UnknownName;
use serde::{Deserialize, Serialize};
use serde_with::SerializeDisplay;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

/// The five states of a scenario asset; `AssetState` in openapi.yaml describes them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, SerializeDisplay, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownName, parse_err_fn = UnknownName::among::<AssetState>)]
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
    /// Returns the state's name as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Tells whether the asset can no longer be edited or deleted.
    pub fn is_locked(self) -> bool {
        match self {
            Self::Draft | Self::Queued | Self::Failed => false,
            Self::InFlight | Self::Completed => true,
        }
    }
}

/// The two families of scenario assets.
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
