//! The fields of a place in search results, and the selection of fields in a request.

use deserr::Deserr;
use gateway::{InvalidValue, Violations, quoted};
use strum::{EnumCount, IntoStaticStr, VariantArray, VariantNames};

/// A field of `FoundPlace` in openapi.yaml, in the same order. The fields of nested objects are listed
/// individually.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum PlaceField {
    PlaceId,
    PlaceName,
    Brand,
    PlaceTypeId,
    PlaceTypeName,
    StreetAddress,
    City,
    State,
    ZipCode,
    DmaId,
    DmaName,
    CountyId,
    CountyName,
    CbsaCode,
    CbsaName,
    #[strum(serialize = "location.lat")]
    Latitude,
    #[strum(serialize = "location.lon")]
    Longitude,
    WeeklyVisits,
    Distance,
    Maturity,
}

/// A set of requested fields, stored as a bit mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(&String) = PlaceFields::at -> InvalidValue)]
pub(crate) struct PlaceFields(u32);

impl PlaceField {
    /// Returns the field's dotted path, such as `location.lat`.
    fn path(self) -> &'static str {
        self.into()
    }

    /// Returns the last name in the field's path.
    pub(crate) fn name(self) -> &'static str {
        self.path().rsplit('.').next().unwrap_or_default()
    }
}

impl PlaceFields {
    pub(crate) const ALL: Self = Self((1 << PlaceField::COUNT) - 1);

    pub(crate) const NONE: Self = Self(0);

    /// Returns the field at a path, or all fields below it if the path names an object. Returns an error if
    /// no field matches.
    pub(crate) fn at(path: &str) -> Result<Self, InvalidValue> {
        let is_at = |field: &&PlaceField| {
            let under = field.path().strip_prefix(path);
            under.is_some_and(|under| under.is_empty() || (under.starts_with('.') && !path.is_empty()))
        };
        match <PlaceField as VariantArray>::VARIANTS
            .iter()
            .filter(is_at)
            .fold(0, |found, field| found | bit(*field))
        {
            0 => {
                let known = <PlaceField as VariantNames>::VARIANTS.join(", ");
                let path = quoted(path);
                Err(InvalidValue(format!("must be a field of a place, got {path}; fields: {known}")))
            }
            found => Ok(Self(found)),
        }
    }

    /// Returns the paths of the fields in the set.
    pub(crate) fn paths(self) -> impl Iterator<Item = &'static str> {
        let fields = <PlaceField as VariantArray>::VARIANTS.iter().copied();
        fields.filter(move |field| self.has(*field)).map(PlaceField::path)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, field: PlaceField) -> bool {
        self.0 & bit(field) != 0
    }
}

const fn bit(field: PlaceField) -> u32 {
    1 << field as u32
}
