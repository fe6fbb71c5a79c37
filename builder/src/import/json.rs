//! JSON as strictly as an import reads it: no member twice, none unknown, none missing.

use serde_json::{Map, Value};
use strict_json::Limits;

use super::json_reason;

/// A row is short enough for any number of members.
const LIMITS: Limits = Limits { members: usize::MAX };

/// How much of a wrong value a reason shows.
const SHOWN: usize = 40;

/// A value, and where it is.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    path: String,
    value: &'a Value,
}

/// The members of an object, all of which are there.
pub(super) struct Members<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

/// Reads a line of JSON.
pub(super) fn parse(line: &str) -> Result<Value, String> {
    let value = strict_json::parse(line.as_bytes(), LIMITS);
    value.map(Value::from).map_err(|error| json_reason(&error))
}

impl<'a> Field<'a> {
    /// Takes the value of a whole line.
    pub(super) fn whole(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// Returns the members of an object that has these and no others.
    pub(super) fn members(&self, names: &[&str]) -> Result<Members<'a>, String> {
        let members = self.value.as_object().ok_or_else(|| self.refuse("is not an object"))?;
        if let Some(unknown) = members.keys().find(|key| !names.contains(&key.as_str())) {
            let unknown = shorten(unknown);
            return Err(format!(
                "{}: is unknown; the members here are {}",
                join(&self.path, &unknown),
                names.join(", ")
            ));
        }
        match names.iter().find(|name| !members.contains_key(**name)) {
            Some(missing) => Err(format!("{}: is missing", join(&self.path, missing))),
            None => Ok(Members { path: self.path.clone(), members }),
        }
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> Result<impl ExactSizeIterator<Item = Field<'a>>, String> {
        let items = self.value.as_array().ok_or_else(|| self.refuse("is not a list"))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(at, value)| Field { path: format!("{path}[{at}]"), value }))
    }

    /// Returns an integer from 0 to a bound.
    pub(super) fn integer(&self, most: u64) -> Result<u64, String> {
        let integer = self.value.as_u64().filter(|integer| *integer <= most);
        integer.ok_or_else(|| self.refuse(&format!("is not an integer from 0 to {most}")))
    }

    /// Returns a number from 0 to a bound.
    pub(super) fn number(&self, most: f64) -> Result<f64, String> {
        let number = self.value.as_f64().filter(|number| (0.0..=most).contains(number));
        number.ok_or_else(|| self.refuse(&format!("is not a number from 0 to {most}")))
    }

    pub(super) fn boolean(&self) -> Result<bool, String> {
        self.value.as_bool().ok_or_else(|| self.refuse("is not true or false"))
    }

    pub(super) fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| self.refuse("is not a text"))
    }

    /// Says what is wrong with the value.
    pub(super) fn refuse(&self, what: &str) -> String {
        let shown = shorten(&self.value.to_string());
        if self.path.is_empty() { format!("{shown} {what}") } else { format!("{}: {shown} {what}", self.path) }
    }
}

impl<'a> Members<'a> {
    /// Returns a member that is among those asked for.
    pub(super) fn get(&self, name: &str) -> Field<'a> {
        Field { path: join(&self.path, name), value: &self.members[name] }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
