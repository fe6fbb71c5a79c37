//! Strict JSON parsing for imports. Duplicate, unknown, and missing members are errors.

use serde_json::{Map, Value};
use strict_json::Limits;

use super::quoted::shortened;

/// The maximum length of an invalid value in an error message, in characters.
const SHOWN: usize = 40;

/// The error for invalid JSON or an invalid value in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    #[error("invalid JSON: {reason}, at byte {byte}")]
    Invalid { reason: String, byte: usize },
    #[error("{path} is an unknown member; allowed members: {members}")]
    Unknown { path: String, members: String },
    #[error("{path} is missing")]
    Missing { path: String },
    #[error("{shown} {what}")]
    Whole { shown: String, what: String },
    #[error("{path}: {shown} {what}")]
    Value { path: String, shown: String, what: String },
}

/// A value and its path for error messages.
#[derive(Clone, Debug)]
pub(crate) struct Field<'a> {
    path: String,
    value: &'a Value,
}

/// An object with exactly the expected members.
pub(crate) struct Members<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

/// Parses a line as a JSON value.
pub(crate) fn parse(line: &str) -> Result<Value, JsonError> {
    // No limits are necessary, because an administrator provides the file, and the length of a row is
    // limited.
    let value = strict_json::parse(line.as_bytes(), Limits::NONE);
    value.map(Value::from).map_err(|error| {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        JsonError::Invalid { reason, byte: error.column() }
    })
}

impl<'a> Field<'a> {
    /// Creates a field for the value of an entire line, with an empty path.
    pub(crate) fn whole(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// Returns an object's members. Fails unless their names are exactly `names`.
    pub(crate) fn members(&self, names: &[&str]) -> Result<Members<'a>, JsonError> {
        let members = self.value.as_object().ok_or_else(|| self.refuse("is not an object"))?;
        if let Some(unknown) = members.keys().find(|key| !names.contains(&key.as_str())) {
            let path = join(&self.path, &shortened(unknown, SHOWN));
            return Err(JsonError::Unknown { path, members: names.join(", ") });
        }
        match names.iter().find(|name| !members.contains_key(**name)) {
            Some(missing) => Err(JsonError::Missing { path: join(&self.path, missing) }),
            None => Ok(Members { path: self.path.clone(), members }),
        }
    }

    /// Returns a list's items. Fails if the value isn't a list.
    pub(crate) fn items(&self) -> Result<impl ExactSizeIterator<Item = Field<'a>>, JsonError> {
        let items = self.value.as_array().ok_or_else(|| self.refuse("is not an array"))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(at, value)| Field { path: format!("{path}[{at}]"), value }))
    }

    /// Returns an integer. Fails if the value isn't an integer from 0 to `most`.
    pub(crate) fn integer(&self, most: u64) -> Result<u64, JsonError> {
        let integer = self.value.as_u64().filter(|integer| *integer <= most);
        integer.ok_or_else(|| self.refuse(&format!("is not an integer from 0 to {most}")))
    }

    /// Returns a number. Fails if the value isn't a number from 0 to `most`.
    pub(crate) fn number(&self, most: f64) -> Result<f64, JsonError> {
        let number = self.value.as_f64().filter(|number| (0.0..=most).contains(number));
        number.ok_or_else(|| self.refuse(&format!("is not a number from 0 to {most}")))
    }

    pub(crate) fn boolean(&self) -> Result<bool, JsonError> {
        self.value.as_bool().ok_or_else(|| self.refuse("is not true or false"))
    }

    pub(crate) fn text(&self) -> Result<&'a str, JsonError> {
        self.value.as_str().ok_or_else(|| self.refuse("is not a string"))
    }

    /// Creates an error for this value. In the message, `what` follows the value, such as "is not an object".
    pub(crate) fn refuse(&self, what: &str) -> JsonError {
        let (shown, what) = (self.value.to_string(), what.to_owned());
        let shown = shortened(&shown, SHOWN).into_owned();
        if self.path.is_empty() {
            return JsonError::Whole { shown, what };
        }
        JsonError::Value { path: self.path.clone(), shown, what }
    }
}

impl<'a> Members<'a> {
    /// Returns the member with the given name, which must be one of the expected names.
    pub(crate) fn get(&self, name: &str) -> Field<'a> {
        Field { path: join(&self.path, name), value: &self.members[name] }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
