//! Items' attributes, read and written.

use std::collections::HashMap;

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

pub(super) fn binary(value: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(value))
}

pub(super) fn map(entries: impl IntoIterator<Item = (String, AttributeValue)>) -> AttributeValue {
    AttributeValue::M(entries.into_iter().collect())
}

/// Makes an item's key.
pub(super) fn key(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text(sk))])
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
