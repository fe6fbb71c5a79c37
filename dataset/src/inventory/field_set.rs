//! Which fields of a record are asked for.

use std::ops::RangeInclusive;

use super::field::Field;

/// The fields of a record that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet(u64);

impl FieldSet {
    /// Every field: the whole record.
    pub const ALL: Self = Self((1 << Field::ALL.len()) - 1);

    /// No field.
    pub const NONE: Self = Self(0);

    /// Adds the field at a path, or all fields under it; `id` is the spot's id. Returns whether there is any.
    #[must_use]
    pub fn add(&mut self, path: &str) -> bool {
        let path = if path == "id" { Field::SpotId.path() } else { path };
        let is_under = |field: &Field| {
            field.path().strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut is_known = false;
        for field in Field::ALL.into_iter().filter(is_under) {
            is_known = true;
            self.0 |= bit(field);
        }
        is_known
    }

    /// Tells whether a field is asked for.
    pub const fn has(self, field: Field) -> bool {
        self.0 & bit(field) != 0
    }

    /// Tells whether any field from one to another, in the order of the record, is asked for.
    pub fn has_any(self, fields: RangeInclusive<Field>) -> bool {
        let (first, last) = fields.into_inner();
        let up_to_last = u64::MAX >> (u64::BITS - 1 - last as u32);
        self.0 & up_to_last & !(bit(first) - 1) != 0
    }
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
        assert!(
            faces.has_any(Field::FaceId..=Field::FaceSpotMeasures)
                && faces.has_any(Field::FaceId..=Field::FaceId)
        );
        assert!(!faces.has_any(Field::SpotId..=Field::LayoutSpotShareOfVoice));
        assert!(!faces.has_any(Field::AccountName..=Field::PlaceName));
        let mut every = FieldSet::NONE;
        assert!(Field::ALL.into_iter().all(|field| every.add(field.path())));
        assert_eq!(every, FieldSet::ALL);
    }
}
