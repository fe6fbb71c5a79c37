//! Sets of record fields, for selecting the fields that a search returns.

use super::field::Field;

/// A set of record fields, with one bit per field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet(u128);

impl FieldSet {
    /// The set of all fields.
    pub const ALL: Self = Self((1 << Field::ALL.len()) - 1);

    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the field at the given path, or all fields below it. `id` is short for `spot_id`. Returns
    /// `None` if there's nothing at the path.
    pub const fn at(path: &str) -> Option<Self> {
        let path = if matches!(path.as_bytes(), b"id") { Field::SpotId.path() } else { path };
        let (mut found, mut at) = (0, 0);
        while at < Field::ALL.len() {
            if leads_to(path.as_bytes(), Field::ALL[at].path().as_bytes()) {
                found |= bit(Field::ALL[at]);
            }
            at += 1;
        }
        if found == 0 { None } else { Some(Self(found)) }
    }

    /// Returns the union of the two sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of the two sets.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set with a field added.
    pub const fn with(self, field: Field) -> Self {
        Self(self.0 | bit(field))
    }

    /// Returns the set without a field.
    pub(super) const fn without(self, field: Field) -> Self {
        Self(self.0 & !bit(field))
    }

    /// Returns the fields in the set, in the same order as the record's members.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| self.has(*field))
    }

    /// Returns whether the set contains a field.
    pub const fn has(self, field: Field) -> bool {
        self.0 & bit(field) != 0
    }

    /// Returns whether the set contains all fields in `of`.
    pub const fn has_all(self, of: Self) -> bool {
        self.0 & of.0 == of.0
    }

    /// Returns whether the set contains any field in `of`.
    pub const fn has_any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

impl Field {
    /// Returns the path of the member that the field is stored in, or `None` if the field isn't the first
    /// field in that member. All fields in a list are stored in the same member.
    pub const fn first_of(self) -> Option<&'static str> {
        match FieldSet::at(self.member()) {
            Some(FieldSet(fields)) if fields.trailing_zeros() == self as u32 => Some(self.member()),
            _ => None,
        }
    }
}

/// Returns whether `path` is the path of the field itself, or of an object or list that contains it.
const fn leads_to(path: &[u8], field: &[u8]) -> bool {
    let mut at = 0;
    while at < path.len() {
        if at == field.len() || path[at] != field[at] {
            return false;
        }
        at += 1;
    }
    at > 0 && (at == field.len() || field[at] == b'.')
}

const fn bit(field: Field) -> u128 {
    1 << field as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_selects_a_field_or_all_fields_below_it() {
        let of = |path| {
            let found = FieldSet::at(path);
            let set = found.unwrap_or(FieldSet::NONE);
            (found.is_some(), Field::ALL.into_iter().filter(|field| set.has(*field)).collect::<Vec<Field>>())
        };
        assert_eq!(of("id"), (true, vec![Field::SpotId]));
        assert_eq!(of("spot_id"), (true, vec![Field::SpotId]));
        assert_eq!(of("location.geometry"), (true, vec![Field::GeometryType, Field::Coordinates]));
        assert_eq!(of("layouts.faces.spots.measures"), (true, vec![Field::FaceSpotMeasures]));
        assert_eq!(of("place"), (true, vec![Field::PlaceId, Field::PlaceName]));
        for path in ["", "loc", "location.", "location.stat", "layouts.faces.spots.measures.x", "ids", "."] {
            assert_eq!(of(path), (false, vec![]), "{path}");
        }
        let at = |path| FieldSet::at(path).expect("the path exists");
        let faces = at("layouts.faces");
        assert!(faces.has_any(at("layouts.faces.spots")));
        assert!(faces.has_any(at("layouts").or(at("representations"))));
        assert!(!faces.has_any(at("layouts.id").or(at("representations"))));
        let every = Field::ALL.map(|field| at(field.path())).into_iter().fold(FieldSet::NONE, FieldSet::or);
        assert_eq!(every, FieldSet::ALL);
    }
}
