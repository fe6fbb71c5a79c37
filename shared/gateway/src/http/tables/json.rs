//! Extracts parts of a response without parsing their values, so that numbers and lists in files look exactly
//! as they do in JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::{Map, serde_as};

/// The members of a JSON object, in their original order. Their names must not contain escapes, and none in
/// the API do.
#[serde_as]
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct JsonMembers<'a>(
    #[serde(borrow)]
    #[serde_as(as = "Map<_, _>")]
    pub Vec<(&'a str, &'a RawValue)>,
);

impl<'a> JsonMembers<'a> {
    /// Returns an object's members, or an empty list for any other value.
    pub(super) fn of(value: &'a RawValue) -> Self {
        serde_json::from_str(value.get()).unwrap_or_default()
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}

/// Returns the value at a dotted path, or `None` if there is no such value.
pub(super) fn at<'a>(value: &'a RawValue, path: &str) -> Option<&'a RawValue> {
    path.split('.').try_fold(value, |value, name| JsonMembers::of(value).get(name))
}
