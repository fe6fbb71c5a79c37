//! Parses JSON into a [`Value`]. Detects repeated members and exceeded limits during parsing, before the
//! complete tree is in memory.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use thiserror::Error;

use crate::{Object, Value};

/// The maximum number of member names to search linearly for a repeated name. Larger objects use a set.
const COMPARED: usize = 32;

/// The maximum number of characters that an error message quotes from a repeated name.
const SHOWN: usize = 100;

/// Limits on the size of a JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of members in an object.
    pub members: usize,
    /// The maximum nesting depth of arrays and objects. It can't exceed 127 levels, the parser's own limit.
    pub depth: usize,
    /// The maximum number of values, including arrays, objects, and everything in them.
    pub values: usize,
}

/// The reason that a JSON document is rejected.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The document isn't valid JSON, has a repeated member, or is nested deeper than 127 levels.
    #[error(transparent)]
    Invalid(serde_json::Error),
    #[error("{limit} at line {line} column {column}")]
    Exceeded { limit: ExceededLimit, line: usize, column: usize },
}

/// The exceeded limit and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExceededLimit {
    #[error("an object has more than {0} members")]
    Members(usize),
    #[error("arrays and objects are nested deeper than {0} levels")]
    Depth(usize),
    #[error("there are more than {0} values")]
    Values(usize),
}

/// Parses a JSON document.
///
/// # Errors
///
/// Returns the first error with its line and column.
pub fn parse(text: &[u8], limits: Limits) -> Result<Value, ParseError> {
    let budget = Budget { limits, values_left: Cell::new(limits.values), exceeded: Cell::new(None) };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Reader { budget: &budget, depth: 0 }.deserialize(&mut deserializer);
    value.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| match budget.exceeded.get() {
        Some(limit) => ParseError::Exceeded { limit, line: error.line(), column: error.column() },
        None => ParseError::Invalid(error),
    })
}

impl Limits {
    /// No limits for trusted documents, except for the depth limit of 127 levels.
    pub const NONE: Self = Self { members: usize::MAX, depth: usize::MAX, values: usize::MAX };
}

impl ParseError {
    /// Returns the error's column in bytes, starting at 1. It's 0 for an error at the end of the previous
    /// line.
    pub fn column(&self) -> usize {
        match self {
            Self::Invalid(error) => error.column(),
            Self::Exceeded { column, .. } => *column,
        }
    }

    /// Returns the error's line, starting at 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Invalid(error) => error.line(),
            Self::Exceeded { line, .. } => *line,
        }
    }
}

/// A document's limits and the number of values left, which all readers share.
struct Budget {
    limits: Limits,
    values_left: Cell<usize>,
    /// The exceeded limit, if any. It's stored here because serde errors contain only a message.
    exceeded: Cell<Option<ExceededLimit>>,
}

impl Budget {
    fn refuse<E: serde::de::Error>(&self, limit: ExceededLimit) -> E {
        self.exceeded.set(Some(limit));
        E::custom(limit)
    }

    fn take_value<E: serde::de::Error>(&self) -> Result<(), E> {
        let left = self.values_left.get().checked_sub(1);
        self.values_left.set(left.ok_or_else(|| self.refuse(ExceededLimit::Values(self.limits.values)))?);
        Ok(())
    }
}

/// Reads one JSON value.
#[derive(Clone, Copy)]
struct Reader<'a> {
    budget: &'a Budget,
    /// The number of arrays and objects that contain the value.
    depth: usize,
}

impl Reader<'_> {
    /// Returns a reader for this array's items or this object's members. Returns an error if they're nested
    /// too deep.
    fn inner<E: serde::de::Error>(self) -> Result<Self, E> {
        let most = self.budget.limits.depth;
        if self.depth == most {
            return Err(self.budget.refuse(ExceededLimit::Depth(most)));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.budget.take_value()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Value, E> {
        Ok(Value::Number(integer.into()))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Value, E> {
        Ok(Value::Number(integer.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, float: f64) -> Result<Value, E> {
        Number::from_f64(float).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(fitted(array)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let most = self.budget.limits.members;
        let mut members: Vec<(String, Value)> = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(inner)?;
            if members.len() == COMPARED {
                names.extend(members.iter().map(|(name, _)| name.clone()));
            }
            let is_repeated = match members.len() {
                ..COMPARED => members.iter().any(|(known, _)| *known == name),
                _ => !names.insert(name.clone()),
            };
            if is_repeated {
                return Err(A::Error::custom(format_args!("member \"{}\" occurs twice", shortened(&name))));
            }
            if members.len() == most {
                return Err(self.budget.refuse(ExceededLimit::Members(most)));
            }
            members.push((name, value));
        }
        Ok(Value::Object(Object(fitted(members))))
    }
}

/// Shrinks a vector that is mostly empty. Vectors start with a capacity of four items, so nested arrays with
/// one item each would mostly consist of unused memory.
fn fitted<T>(mut items: Vec<T>) -> Vec<T> {
    if items.len() < items.capacity() / 2 {
        items.shrink_to_fit();
    }
    items
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
