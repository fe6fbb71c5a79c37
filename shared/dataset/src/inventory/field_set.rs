//! Which fields of a record are asked for.

use super::field::Field;

/// The fields of a record that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet(u64);

impl FieldSet {
    /// Every field: the whole record.
    pub const ALL: Self = Self((1 << Field::ALL.len()) - 1);

    /// No field.
    pub const NONE: Self = Self(0);

    /// Returns the field at a path, or all fields under it; `id` is the spot's id. `None` where there is no such
    /// path.
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

    /// The fields of both sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tells whether a field is asked for.
    pub const fn has(self, field: Field) -> bool {
        self.0 & bit(field) != 0
    }

    /// Tells whether all of these fields are asked for.
    pub const fn has_all(self, of: Self) -> bool {
        self.0 & of.0 == of.0
    }

    /// Tells whether any of these fields is asked for.
    pub const fn has_any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

impl Field {
    /// Returns the path of the member whose first field it is. A list is one member.
    pub const fn first_of(self) -> Option<&'static str> {
        match FieldSet::at(self.member()) {
            Some(FieldSet(fields)) if fields.trailing_zeros() == self as u32 => Some(self.member()),
            _ => None,
        }
    }
}

/// Tells whether a path is a field's, or that of an object or list which holds it.
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

const fn bit(field: Field) -> u64 {
    1 << field as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_field_or_all_that_is_under_it() {
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
        let at = |path| FieldSet::at(path).expect("a path");
        let faces = at("layouts.faces");
        assert!(faces.has_any(at("layouts.faces.spots")));
        assert!(faces.has_any(at("layouts").or(at("representations"))));
        assert!(!faces.has_any(at("layouts.id").or(at("representations"))));
        let every = Field::ALL.map(|field| at(field.path())).into_iter().fold(FieldSet::NONE, FieldSet::or);
        assert_eq!(every, FieldSet::ALL);
    }
}
