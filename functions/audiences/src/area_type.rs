//! The types of areas that figures are asked for and given for.

use std::str::FromStr;

use dataset::{Geographies, GeographyIndex, GeographyType};
use deserr::Deserr;
use serde::Serialize;
use shared::input::{InvalidValue, Violations, one_of};
use strum::{Display, EnumString, VariantNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr, Serialize, Display, EnumString, VariantNames)]
#[deserr(error = Violations, try_from(&String) = AreaType::from_str -> InvalidValue)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE", ascii_case_insensitive)]
#[strum(parse_err_ty = InvalidValue, parse_err_fn = unknown)]
pub(crate) enum AreaType {
    Dma,
    /// Metropolitan areas.
    Msa,
    /// Metropolitan and micropolitan areas.
    Cbsa,
    County,
    State,
    Zip,
}

impl AreaType {
    /// Returns the areas of this type, in the order of their ids' texts.
    pub(crate) fn areas(self, geographies: &Geographies) -> impl Iterator<Item = GeographyIndex> {
        self.geography_types().iter().flat_map(|geography_type| geographies.of_type(*geography_type))
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

fn unknown(text: &str) -> InvalidValue {
    InvalidValue(one_of(AreaType::VARIANTS, text))
}
