//! The types of areas in requests and responses.

use std::str::FromStr;

use dataset::{Geographies, GeographyIndex, GeographyType};
use deserr::Deserr;
use gateway::{InvalidValue, Violations};
use serde::Serialize;
use strum::{Display, EnumString, VariantNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr, Serialize, Display, EnumString, VariantNames)]
#[deserr(error = Violations, try_from(&String) = AreaType::from_str -> InvalidValue)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE", ascii_case_insensitive)]
#[strum(parse_err_ty = InvalidValue, parse_err_fn = InvalidValue::no_variant::<AreaType>)]
pub(crate) enum AreaType {
    Dma,
    /// Metropolitan statistical areas.
    Msa,
    /// Metropolitan and micropolitan statistical areas.
    Cbsa,
    County,
    State,
    Zip,
}

impl AreaType {
    /// Returns the areas of this type, sorted by ID as text. If `state` is given, returns only areas that
    /// include a county or ZIP code in that state.
    pub(crate) fn areas(
        self,
        geographies: &Geographies,
        state: Option<GeographyIndex>,
    ) -> Vec<GeographyIndex> {
        let of_type = |geography_type: &GeographyType| match state {
            Some(state) => geographies.of_type_in(*geography_type, state),
            None => geographies.of_type(*geography_type).collect(),
        };
        self.geography_types().iter().flat_map(of_type).collect()
    }

    pub(crate) fn has(self, geography_type: GeographyType) -> bool {
        self.geography_types().contains(&geography_type)
    }

    fn geography_types(self) -> &'static [GeographyType] {
        match self {
            Self::Dma => &[GeographyType::Dma],
            Self::Msa => &[GeographyType::Msa],
            Self::Cbsa => &[GeographyType::Micropolitan, GeographyType::Msa],
            Self::County => &[GeographyType::County],
            Self::State => &[GeographyType::State],
            Self::Zip => &[GeographyType::Zip],
        }
    }
}
