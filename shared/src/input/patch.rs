//! What a PATCH does to the members of a body. Each member that it carries is replaced whole.

use deserr::{Deserr, IntoValue, Value, ValuePointerRef};

use super::violations::Violations;

/// What happens to an optional member: absent keeps it, null clears it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

/// What happens to a required member: absent keeps it, and nothing clears it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace<T> {
    #[default]
    Keep,
    Set(T),
}

impl<T: Clone> Patch<T> {
    pub fn apply(&self, member: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *member = None,
            Self::Set(value) => *member = Some(value.clone()),
        }
    }
}

impl<T: Clone> Replace<T> {
    pub fn apply(&self, member: &mut T) {
        match self {
            Self::Keep => {}
            Self::Set(value) => *member = value.clone(),
        }
    }
}

impl<T: Deserr<Violations>> Deserr<Violations> for Patch<T> {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        match value {
            Value::Null => Ok(Self::Clear),
            value => T::deserialize_from_value(value, location).map(Self::Set),
        }
    }
}

impl<T: Deserr<Violations>> Deserr<Violations> for Replace<T> {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        match value {
            Value::Null => Err(Violations::at(location, "is required and cannot be cleared")),
            value => T::deserialize_from_value(value, location).map(Self::Set),
        }
    }
}
