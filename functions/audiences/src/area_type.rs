use dataset::{Geographies, GeographyIndex, GeographyType};
use serde::{Serialize, Serializer};
use shared::input::wire::{Violations, shown};

/// The types of areas that figures are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub(crate) const ALL: [Self; 6] = [Self::Dma, Self::Msa, Self::Cbsa, Self::County, Self::State, Self::Zip];

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

    /// Reads a type by its name, whose case does not matter; a violation is noted at the pointer.
    pub(crate) fn read(text: &str, pointer: &str, violations: &mut Violations) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|area_type| area_type.as_str().eq_ignore_ascii_case(text));
        if found.is_none() {
            let names = Self::ALL.map(Self::as_str).join(", ");
            violations.add(pointer, format!("must be one of {names}, is {}", shown(text)));
        }
        found
    }
}

impl Serialize for AreaType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
