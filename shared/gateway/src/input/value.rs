//! Types that several request bodies use. Requests are read with Deserr, which checks each type's rules.
//! Stored values are read with Serde, which doesn't, because the rules may have become stricter since a value
//! was stored.

use std::fmt::Display;
use std::str::FromStr;

use deserr::{Deserr, IntoValue, Sequence, Value, ValuePointerRef};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoEnumIterator, VariantNames};

use super::violations::{InvalidValue, Violations, one_of};

/// The maximum length of a search string, in characters. All names and addresses in a release are shorter.
pub const MAX_SEARCH_TEXT: usize = 200;

/// A non-empty string, such as an ID or a required name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Deserr)]
#[serde(transparent)]
#[deserr(error = Violations, try_from(String) = Identifier::new -> InvalidValue)]
pub struct Identifier(String);

/// A value parsed from a string with [`FromStr`], such as an email address.
pub struct Parsed<T>(pub T);

/// An enum variant parsed from its name.
pub struct Named<T>(pub T);

/// A trimmed search string that isn't blank and is at most [`MAX_SEARCH_TEXT`] characters long.
#[derive(Clone, Debug, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(&String) = SearchText::new -> InvalidValue)]
pub struct SearchText(String);

/// An integer from `MIN` to `MAX`, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserr)]
#[deserr(error = Violations, try_from(i64) = Bounded::new -> InvalidValue)]
pub struct Bounded<const MIN: usize, const MAX: usize>(usize);

/// An array with `MIN` to `MAX` items, inclusive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Items<T, const MIN: usize, const MAX: usize = { usize::MAX }>(Vec<T>);

/// The direction that results are sorted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserr, EnumString, VariantNames)]
#[deserr(error = Violations, rename_all = lowercase)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = InvalidValue, parse_err_fn = InvalidValue::no_variant::<SortOrder>)]
pub enum SortOrder {
    #[default]
    Asc,
    Desc,
}

impl Identifier {
    fn new(text: String) -> Result<Self, InvalidValue> {
        if text.is_empty() { Err(InvalidValue("must not be empty".to_owned())) } else { Ok(Self(text)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl<T: FromStr + IntoEnumIterator + ToString> Named<T> {
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let names: Vec<_> = T::iter().map(|name| name.to_string()).collect();
        text.parse().map(Self).map_err(|_| InvalidValue(one_of(&names, text)))
    }
}

impl SearchText {
    /// Trims a search string. Returns an error if the result is empty or too long.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let text = text.trim();
        match text.chars().count() {
            0 => Err(InvalidValue("must not be blank; omit it to match everything".to_owned())),
            1..=MAX_SEARCH_TEXT => Ok(Self(text.to_owned())),
            length => {
                Err(InvalidValue(format!("must have at most {MAX_SEARCH_TEXT} characters, but has {length}")))
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Bounded<MIN, MAX> {
    fn new(integer: i64) -> Result<Self, InvalidValue> {
        match usize::try_from(integer) {
            Ok(value) if (MIN..=MAX).contains(&value) => Ok(Self(value)),
            _ if MAX == usize::MAX => Err(InvalidValue(format!("must be at least {MIN}, got {integer}"))),
            _ => Err(InvalidValue(format!("must be from {MIN} to {MAX}, got {integer}"))),
        }
    }

    pub fn get(self) -> usize {
        self.0
    }
}

impl<T, const MIN: usize, const MAX: usize> Items<T, MIN, MAX> {
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> Items<T, 1, 1> {
    pub fn into_one(self) -> T {
        self.0.into_iter().next().expect("the array has exactly one item")
    }
}

impl<T, const MIN: usize, const MAX: usize> IntoIterator for Items<T, MIN, MAX> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T: FromStr<Err: Display>> Deserr<Violations> for Parsed<T> {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let text = String::deserialize_from_value(value, location)?;
        text.parse().map(Self).map_err(|rule| Violations::at(location, InvalidValue::quoting(rule, &text).0))
    }
}

impl<T: FromStr + IntoEnumIterator + ToString> Deserr<Violations> for Named<T> {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let named = Self::new(&String::deserialize_from_value(value, location)?);
        named.map_err(|InvalidValue(detail)| Violations::at(location, detail))
    }
}

impl<T: Deserr<Violations>, const MIN: usize, const MAX: usize> Deserr<Violations> for Items<T, MIN, MAX> {
    /// Checks every item, so that the error lists all invalid ones. If the number of items is out of range,
    /// reports only this.
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        if let Value::Sequence(items) = &value
            && !(MIN..=MAX).contains(&items.len())
        {
            let bounds = match (MIN, MAX) {
                (1, 1) => "exactly 1 item".to_owned(),
                (1, usize::MAX) => "at least 1 item".to_owned(),
                (_, usize::MAX) => format!("at least {MIN} items"),
                _ => format!("{MIN} to {MAX} items"),
            };
            return Err(Violations::at(location, format!("must have {bounds}, but has {}", items.len())));
        }
        Vec::deserialize_from_value(value, location).map(Self)
    }
}
