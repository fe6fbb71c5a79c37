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

    /// Layouts with their faces and spots, and representations: the lists that make a record long.
    pub const LONG_LISTS: Self = Self::under("layouts").or(Self::under("representations"));

    /// The field at a path, or all fields under it; none where there is no such path.
    pub const fn under(path: &str) -> Self {
        let (mut found, mut at) = (0, 0);
        while at < Field::ALL.len() {
            if leads_to(path.as_bytes(), Field::ALL[at].path().as_bytes()) {
                found |= bit(Field::ALL[at]);
            }
            at += 1;
        }
        Self(found)
    }

    /// Adds the field at a path, or all fields under it; `id` is the spot's id. Returns whether there is any.
    #[must_use]
    pub fn add(&mut self, path: &str) -> bool {
        let found = Self::under(if path == "id" { Field::SpotId.path() } else { path });
        *self = self.or(found);
        found != Self::NONE
    }

    /// The fields of both sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tells whether a field is asked for.
    pub const fn has(self, field: Field) -> bool {
        self.0 & bit(field) != 0
    }

    /// Tells whether any of these fields is asked for.
    pub const fn has_any(self, of: Self) -> bool {
        self.0 & of.0 != 0
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
            let mut set = FieldSet::NONE;
            let is_known = set.add(path);
            (is_known, Field::ALL.into_iter().filter(|field| set.has(*field)).collect::<Vec<Field>>())
        };
        assert_eq!(of("id"), (true, vec![Field::SpotId]));
        assert_eq!(of("spot_id"), (true, vec![Field::SpotId]));
        assert_eq!(of("location.geometry"), (true, vec![Field::GeometryType, Field::Coordinates]));
        assert_eq!(of("layouts.faces.spots.measures"), (true, vec![Field::FaceSpotMeasures]));
        assert_eq!(of("place"), (true, vec![Field::PlaceId, Field::PlaceName]));
        for path in ["", "loc", "location.", "location.stat", "layouts.faces.spots.measures.x", "ids", "."] {
            assert_eq!(of(path), (false, vec![]), "{path}");
        }
        let mut faces = FieldSet::NONE;
        assert!(faces.add("layouts.faces"));
        assert!(faces.has_any(FieldSet::under("layouts.faces.spots")) && faces.has_any(FieldSet::LONG_LISTS));
        assert!(!faces.has_any(FieldSet::under("layouts.id").or(FieldSet::under("representations"))));
        let mut every = FieldSet::NONE;
        assert!(Field::ALL.into_iter().all(|field| every.add(field.path())));
        assert_eq!(every, FieldSet::ALL);
    }
}
