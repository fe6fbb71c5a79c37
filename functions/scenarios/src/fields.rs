//! The `fields` parameter, which selects the members of listed assets.

use gateway::{ApiError, InvalidValue, JsonMembers, quoted};
use serde_json::value::{RawValue, to_raw_value};
use store::StoreError;

use crate::asset::{AFTER_BODY, BEFORE_BODY};
use crate::library::Listed;

/// The members of an asset that a list returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fields {
    All,
    /// Only these members. There is at least one name, and all names are members of the family's assets.
    Only(Vec<String>),
}

impl Fields {
    /// Parses a comma-separated list of member names. Returns an error if any name is unknown.
    pub(crate) fn read<S: Listed>(text: &str) -> Result<Self, InvalidValue> {
        let allowed = Self::All.names::<S>();
        let unknown: Vec<_> = text.split(',').filter(|name| !allowed.contains(name)).collect();
        if unknown.is_empty() {
            return Ok(Self::Only(text.split(',').map(str::to_owned).collect()));
        }
        let (unknown, allowed) = (unknown.join("\", \""), allowed.join(", "));
        Err(InvalidValue(format!(
            "must be a comma-separated list of an asset's members, got {}; allowed members: {allowed}",
            quoted(&unknown)
        )))
    }

    /// Returns the names of the selected top-level members.
    pub(crate) fn names<S: Listed>(&self) -> Vec<&str> {
        match self {
            Self::All => {
                let columns = (S::TABLE.columns)().into_iter();
                let mut names: Vec<_> = columns.filter_map(|column| column.split('.').next()).collect();
                // Columns of the same object are adjacent, so this removes all duplicates.
                names.dedup();
                names
            }
            Self::Only(names) => names.iter().map(String::as_str).collect(),
        }
    }

    /// Returns whether any selected member belongs to the body.
    pub(crate) fn need_body(&self) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => {
                let beside = [&BEFORE_BODY[..], &AFTER_BODY].concat();
                names.iter().any(|name| !beside.contains(&name.as_str()))
            }
        }
    }

    /// Removes all members that aren't selected from a serialized asset. Returns an error if the asset isn't
    /// a JSON object.
    pub(crate) fn of(&self, asset: Box<RawValue>) -> Result<Box<RawValue>, ApiError> {
        let Self::Only(names) = self else { return Ok(asset) };
        let mut members: JsonMembers<'_> =
            serde_json::from_str(asset.get()).map_err(|_| StoreError::Corrupt("body"))?;
        members.0.retain(|(name, _)| names.iter().any(|wanted| wanted == name));
        to_raw_value(&members).map_err(|_| ApiError::internal())
    }
}
