//! The types of areas that figures are asked for and given for.

use std::str::FromStr;

use dataset::{Geographies, GeographyIndex, GeographyType};
use deserr::Deserr;
use serde::{Serialize, Serializer};
use shared::input::{InvalidValue, Violations, one_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(&String) = AreaType::from_str -> InvalidValue)]
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
    pub(crate) const ALL: [Self; 6] =
        [Self::Dma, Self::Msa, Self::Cbsa, Self::County, Self::State, Self::Zip];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Dma => "DMA",
            Self::Msa => "MSA",
            Self::Cbsa => "CBSA",
            Self::County => "COUNTY",
            Self::State => "STATE",
            Self::Zip => "ZIP",
        }
    }

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

impl FromStr for AreaType {
    type Err = InvalidValue;

    /// Finds a type by its name, whose case does not matter.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let found = Self::ALL.into_iter().find(|area_type| area_type.as_str().eq_ignore_ascii_case(text));
        found.ok_or_else(|| InvalidValue(one_of(&Self::ALL.map(Self::as_str), text)))
    }
}

impl Serialize for AreaType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
