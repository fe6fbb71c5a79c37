//! A JSON value that keeps the order of members and all digits of 64-bit integers.

use deserr::{IntoValue, Map, ValueKind};
use serde::{Serialize, Serializer};
use serde_json::Number;

/// 2^53. A double can represent all integers up to this limit exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A JSON value. Objects keep the order of their members.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

/// An object's members, with unique names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(pub(crate) Vec<(String, Value)>);

impl Object {
    /// Moves the members with the given names into a new object.
    pub fn take(&mut self, names: &[&str]) -> Self {
        let members = std::mem::take(&mut self.0).into_iter();
        let (taken, kept) = members.partition(|(name, _)| names.contains(&name.as_str()));
        self.0 = kept;
        Self(taken)
    }
}

impl Value {
    /// Returns an object's member by name. `None` if the member doesn't exist or the value isn't an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let Self::Object(Object(members)) = self else { return None };
        members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns an array's items. `None` if the value isn't an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns a string's content. `None` if the value isn't a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Converts a value from any representation that Deserr supports. Infinite numbers and NaN become null.
    pub fn of<V: IntoValue>(value: deserr::Value<V>) -> Self {
        match value {
            deserr::Value::Null => Self::Null,
            deserr::Value::Boolean(truth) => Self::Bool(truth),
            deserr::Value::Integer(integer) => Self::Number(integer.into()),
            deserr::Value::NegativeInteger(integer) => Self::Number(integer.into()),
            deserr::Value::Float(float) => Number::from_f64(float).map_or(Self::Null, Self::Number),
            deserr::Value::String(text) => Self::String(text),
            deserr::Value::Sequence(items) => Self::Array(
                deserr::Sequence::into_iter(items).map(|item| Self::of(item.into_value())).collect(),
            ),
            deserr::Value::Map(members) => {
                let members = members.into_iter().map(|(name, value)| (name, Self::of(value.into_value())));
                Self::Object(Object(members.collect()))
            }
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(truth) => serializer.serialize_bool(*truth),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(Object(members)) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(truth),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::String(text),
            Value::Array(items) => items.into_iter().map(Self::from).collect(),
            Value::Object(Object(members)) => {
                members.into_iter().map(|(name, value)| (name, Self::from(value))).collect()
            }
        }
    }
}

impl IntoValue for Value {
    type Sequence = Vec<Self>;
    type Map = Object;

    fn kind(&self) -> ValueKind {
        match self {
            Self::Null => ValueKind::Null,
            Self::Bool(_) => ValueKind::Boolean,
            Self::Number(number) => integer_or_float(number).kind(),
            Self::String(_) => ValueKind::String,
            Self::Array(_) => ValueKind::Sequence,
            Self::Object(_) => ValueKind::Map,
        }
    }

    fn into_value(self) -> deserr::Value<Self> {
        match self {
            Self::Null => deserr::Value::Null,
            Self::Bool(truth) => deserr::Value::Boolean(truth),
            Self::Number(number) => integer_or_float(&number),
            Self::String(text) => deserr::Value::String(text),
            Self::Array(items) => deserr::Value::Sequence(items),
            Self::Object(members) => deserr::Value::Map(members),
        }
    }
}

impl Map for Object {
    type Value = Value;
    type Iter = std::vec::IntoIter<(String, Value)>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn remove(&mut self, name: &str) -> Option<Value> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    fn into_iter(self) -> Self::Iter {
        self.0.into_iter()
    }
}

/// Converts a number to an integer if it has no fractional part. The notation doesn't matter: `5.0`, `5e0`,
/// and `5` are the same number, as in [JSON
/// Schema](https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.3). All signed 64-bit integers
/// are supported in plain digits. Numbers with a decimal point or an exponent are parsed as doubles, so they
/// can only become integers up to 2^53.
fn integer_or_float(number: &Number) -> deserr::Value<Value> {
    let float = number.as_f64().unwrap_or(f64::NAN);
    let written_otherwise = float.fract() == 0.0 && float.abs() <= EXACT && number.is_f64();
    match number.as_i64().or(written_otherwise.then_some(float as i64)) {
        Some(integer) => match u64::try_from(integer) {
            Ok(integer) => deserr::Value::Integer(integer),
            Err(_) => deserr::Value::NegativeInteger(integer),
        },
        None => deserr::Value::Float(float),
    }
}
