//! The members of a found place: which there are, and which of them are asked for.

use deserr::Deserr;
use gateway::{InvalidValue, Violations, quoted};
use strum::{EnumCount, IntoStaticStr, VariantArray, VariantNames};

/// A member of a found place that holds no further ones, in the order of `FoundPlace` in openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum PlaceField {
    PlaceId,
    PlaceName,
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
}

/// The members that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(&String) = PlaceFields::at -> InvalidValue)]
pub(crate) struct PlaceFields(u32);

impl PlaceField {
    /// Returns where the member is: the names that lead to it, with dots between them.
    fn path(self) -> &'static str {
        self.into()
    }

    /// Returns the last one of the names that lead to it.
    pub(crate) fn name(self) -> &'static str {
        self.path().rsplit('.').next().unwrap_or_default()
    }
}

impl PlaceFields {
    pub(crate) const ALL: Self = Self((1 << PlaceField::COUNT) - 1);

    pub(crate) const NONE: Self = Self(0);

    /// Finds the member at a path, or all that are under it.
    ///
    /// # Errors
    ///
    /// When there is none.
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
                Err(InvalidValue(format!("must be a member of a place, got {path}; members: {known}")))
            }
            found => Ok(Self(found)),
        }
    }

    /// Lists the paths of the members.
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
