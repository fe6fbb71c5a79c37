//! Changes that a PATCH request makes to members. A member in the request replaces the whole existing member.

use deserr::{Deserr, IntoValue, Value, ValuePointerRef};

use super::violations::Violations;

/// A change to an optional member. If the request omits the member, it's kept. Null clears it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

/// A change to a required member. If the request omits the member, it's kept. Null is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace<T> {
    #[default]
    Keep,
    Set(T),
}

impl<T> Patch<T> {
    /// Applies the change to a member and turns the patch into its inverse. Moves values instead of copying
    /// them, so that large values cost nothing.
    pub fn apply(&mut self, member: &mut Option<T>) {
        let before = match std::mem::take(self) {
            Self::Keep => return,
            Self::Clear => member.take(),
            Self::Set(value) => member.replace(value),
        };
        *self = before.map_or(Self::Clear, Self::Set);
    }
}

impl<T> Replace<T> {
    /// Applies the change to a member, and turns the patch into its inverse, as [`Patch::apply`] does.
    pub fn apply(&mut self, member: &mut T) {
        match self {
            Self::Keep => {}
            Self::Set(value) => std::mem::swap(value, member),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applying_a_patch_twice_restores_the_member() {
        for (mut patch, before, after) in [
            (Patch::Keep, Some(1), Some(1)),
            (Patch::Keep, None, None),
            (Patch::Clear, Some(1), None),
            (Patch::Clear, None, None),
            (Patch::Set(2), Some(1), Some(2)),
            (Patch::Set(2), None, Some(2)),
        ] {
            let (original, mut member) = (patch, before);
            patch.apply(&mut member);
            assert_eq!(member, after, "{original:?} applied to {before:?}");
            patch.apply(&mut member);
            assert_eq!((member, patch), (before, original), "{original:?} applied to {before:?}");
        }
        for (mut patch, after) in [(Replace::Keep, 1), (Replace::Set(2), 2)] {
            let (original, mut member) = (patch, 1);
            patch.apply(&mut member);
            assert_eq!(member, after);
            patch.apply(&mut member);
            assert_eq!((member, patch), (1, original));
        }
    }
}
