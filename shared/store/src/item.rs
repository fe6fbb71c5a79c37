//! Items' attributes, read and written.

use std::collections::HashMap;

use accounting::Timestamp;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::error::StoreError;

/// An item as the SDK has it.
pub(super) type Item = HashMap<String, AttributeValue>;

pub(super) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(super) fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Writes a moment in milliseconds.
pub(super) fn moment(at: Timestamp) -> AttributeValue {
    number(at.unix_millis())
}

pub(super) fn binary(value: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(value))
}

pub(super) fn list(values: impl IntoIterator<Item = impl ToString>) -> AttributeValue {
    AttributeValue::L(values.into_iter().map(|value| text(value.to_string())).collect())
}

pub(super) fn map(entries: impl IntoIterator<Item = (String, AttributeValue)>) -> AttributeValue {
    AttributeValue::M(entries.into_iter().collect())
}

/// Makes an item's key.
pub(super) fn key(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text(sk))])
}

/// An item, or a map in one, that is written attribute by attribute.
#[derive(Debug, Default)]
pub(super) struct NewItem(Item);

impl NewItem {
    /// Starts with an item's key.
    pub(super) fn of_key(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self(key(pk, sk))
    }

    pub(super) fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Writes an attribute that may be absent.
    pub(super) fn with_some(self, name: &str, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn text(self, name: &str, value: impl ToString) -> Self {
        self.with(name, text(value.to_string()))
    }

    /// Writes a text that may be absent.
    pub(super) fn optional_text(self, name: &str, value: Option<impl ToString>) -> Self {
        self.with_some(name, value.map(|value| text(value.to_string())))
    }

    pub(super) fn number(self, name: &str, value: impl ToString) -> Self {
        self.with(name, number(value))
    }

    /// Writes a moment in milliseconds.
    pub(super) fn moment(self, name: &str, at: Timestamp) -> Self {
        self.with(name, moment(at))
    }

    /// Writes a moment in milliseconds that may be absent.
    pub(super) fn optional_moment(self, name: &str, at: Option<Timestamp>) -> Self {
        self.with_some(name, at.map(moment))
    }

    /// Says from when on the database may delete the item.
    pub(super) fn time_to_live(self, until: Timestamp) -> Self {
        self.number("ttl", until.unix_seconds())
    }

    pub(super) fn build(self) -> Item {
        self.0
    }
}

/// Reads the attributes of an item, or of a map in it.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a>(pub(super) &'a Item);

impl<'a> Attributes<'a> {
    pub(super) fn text(self, name: &'static str) -> Result<&'a str, StoreError> {
        self.optional_text(name)?.ok_or(StoreError::Corrupt(name))
    }

    pub(super) fn optional_text(self, name: &'static str) -> Result<Option<&'a str>, StoreError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::S(value)) => Ok(Some(value)),
            Some(_) => Err(StoreError::Corrupt(name)),
        }
    }

    /// Reads a text and parses it.
    pub(super) fn parsed<T: std::str::FromStr>(self, name: &'static str) -> Result<T, StoreError> {
        self.text(name)?.parse().map_err(|_| StoreError::Corrupt(name))
    }

    /// Reads a text that may be absent, and parses it.
    pub(super) fn optional_parsed<T: std::str::FromStr>(
        self,
        name: &'static str,
    ) -> Result<Option<T>, StoreError> {
        let text = self.optional_text(name)?;
        text.map(|text| text.parse().map_err(|_| StoreError::Corrupt(name))).transpose()
    }

    pub(super) fn number<T: std::str::FromStr>(self, name: &'static str) -> Result<T, StoreError> {
        self.optional_number(name)?.ok_or(StoreError::Corrupt(name))
    }

    pub(super) fn optional_number<T: std::str::FromStr>(
        self,
        name: &'static str,
    ) -> Result<Option<T>, StoreError> {
        self.0.get(name).map(|value| parse_number(value, name)).transpose()
    }

    /// Reads a moment in milliseconds.
    pub(super) fn moment(self, name: &'static str) -> Result<Timestamp, StoreError> {
        self.number(name).map(Timestamp::from_unix_millis)
    }

    /// Reads a moment in milliseconds that may be absent.
    pub(super) fn optional_moment(self, name: &'static str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.optional_number(name)?.map(Timestamp::from_unix_millis))
    }

    /// Reads a list of texts, and parses each.
    pub(super) fn parsed_list<T: std::str::FromStr, L: FromIterator<T>>(
        self,
        name: &'static str,
    ) -> Result<L, StoreError> {
        let list = self.0.get(name).and_then(|list| list.as_l().ok()).ok_or(StoreError::Corrupt(name))?;
        let parsed = list.iter().map(|value| value.as_s().ok()?.parse().ok());
        parsed.collect::<Option<L>>().ok_or(StoreError::Corrupt(name))
    }

    pub(super) fn optional_binary(self, name: &'static str) -> Result<Option<&'a [u8]>, StoreError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::B(value)) => Ok(Some(value.as_ref())),
            Some(_) => Err(StoreError::Corrupt(name)),
        }
    }

    /// Reads a map; an absent one is empty.
    pub(super) fn entries(
        self,
        name: &'static str,
    ) -> Result<impl Iterator<Item = (&'a String, &'a AttributeValue)>, StoreError> {
        match self.0.get(name) {
            None => Ok(None.into_iter().flatten()),
            Some(AttributeValue::M(entries)) => Ok(Some(entries).into_iter().flatten()),
            Some(_) => Err(StoreError::Corrupt(name)),
        }
    }
}

/// Parses a number attribute.
pub(super) fn parse_number<T: std::str::FromStr>(
    value: &AttributeValue,
    name: &'static str,
) -> Result<T, StoreError> {
    match value {
        AttributeValue::N(digits) => digits.parse().map_err(|_| StoreError::Corrupt(name)),
        _ => Err(StoreError::Corrupt(name)),
    }
}
