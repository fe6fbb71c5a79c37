//! Reads text into a [`Value`], and refuses what is ambiguous: an object that names a member twice.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::{Object, Value};

/// The most members that are compared with a new one; among more of them, a set finds it.
const COMPARED: usize = 32;

/// How many characters of a repeated name are shown.
const SHOWN: usize = 100;

/// How much a text may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most members of one object.
    pub members: usize,
}

/// Parses a text of JSON. Values lie at most 127 deep in one another.
///
/// # Errors
///
/// The first thing that is wrong, with its line and column: of the syntax, a member that occurs twice in its
/// object, or an object with more members than it may have.
pub fn parse(text: &[u8], limits: Limits) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Reader(limits).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Reader(Limits);

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
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
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members: Vec<(String, Value)> = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if members.len() == COMPARED {
                names.extend(members.iter().map(|(name, _)| name.clone()));
            }
            let is_repeated = match members.len() {
                ..COMPARED => members.iter().any(|(known, _)| *known == name),
                _ => !names.insert(name.clone()),
            };
            if is_repeated {
                return Err(A::Error::custom(format_args!("the member {} occurs twice", shortened(&name))));
            }
            if members.len() == self.0.members {
                let message = format_args!("an object has more than {} members", self.0.members);
                return Err(A::Error::custom(message));
            }
            members.push((name, value));
        }
        Ok(Value::Object(Object(members)))
    }
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
