//! What is asked of the inventory, and the answer.

use strum::{IntoStaticStr, VariantArray};

use super::field::{Field, SortField};
use super::id::{SpotId, SpotIndex};
use crate::index::{Circle, Rectangle};
use crate::position::Position;

/// A search over the spots that are measured: those that meet every criterion, a page of them.
#[derive(Clone, Debug, PartialEq)]
pub struct InventoryQuery {
    /// Whole values, compared without case, accents and superfluous space; a hyphen is a space.
    pub exact: Vec<(TextCriterion, String)>,
    /// Capabilities.
    pub flags: Vec<(FlagCriterion, bool)>,
    /// A piece of the primary artery, compared as whole values are.
    pub primary_artery: Option<String>,
    /// The words of which each must be in one of the five searched fields, the last one at the beginning of a
    /// word. A text without a word finds nothing.
    pub search: Option<String>,
    /// The lowest id.
    pub id_min: Option<SpotId>,
    /// The highest id.
    pub id_max: Option<SpotId>,
    /// What they are near.
    pub circle: Option<Circle>,
    /// What they are within.
    pub rectangle: Option<Rectangle>,
    /// What they are sorted by, and by id among equals.
    pub sort: InventorySort,
    /// How many come before the page.
    pub skip: usize,
    /// How many the page holds.
    pub take: usize,
}

impl Default for InventoryQuery {
    fn default() -> Self {
        Self {
            exact: Vec::new(),
            flags: Vec::new(),
            primary_artery: None,
            search: None,
            id_min: None,
            id_max: None,
            circle: None,
            rectangle: None,
            sort: InventorySort::default(),
            skip: 0,
            take: 50,
        }
    }
}

/// A criterion on a whole text: `InventoryFilter` in openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum TextCriterion {
    /// The television market.
    DmaName,
    /// The state's letters, or its name.
    State,
    ZipCode,
    /// The metropolitan or micropolitan area.
    CbsaName,
    CountyName,
    /// What kind of display it is.
    MediaTypeName,
    /// What its operator calls it.
    MediaName,
    /// What it is built on.
    ConstructionTypeName,
    /// How it is lit.
    IlluminationTypeName,
}

impl TextCriterion {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the field that it is about.
    pub const fn field(self) -> Field {
        match self {
            Self::DmaName => Field::DmaName,
            Self::State => Field::State,
            Self::ZipCode => Field::ZipCode,
            Self::CbsaName => Field::CbsaName,
            Self::CountyName => Field::CountyName,
            Self::MediaTypeName => Field::MediaType,
            Self::MediaName => Field::MediaName,
            Self::ConstructionTypeName => Field::ConstructionTypeName,
            Self::IlluminationTypeName => Field::IlluminationType,
        }
    }
}

/// A criterion on a capability: `InventoryFilter` in openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum FlagCriterion {
    /// Digital rather than static.
    Digital,
    /// Plays moving pictures.
    FullMotion,
    /// Reacts to people.
    Interactive,
    /// Rotates its spots.
    Rotating,
    /// Plays sound.
    Audio,
}

impl FlagCriterion {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    pub const fn name(self) -> &'static str {
        self.field().path()
    }

    /// Returns the field that it is about.
    pub const fn field(self) -> Field {
        match self {
            Self::Digital => Field::Digital,
            Self::FullMotion => Field::FullMotion,
            Self::Interactive => Field::Interactive,
            Self::Rotating => Field::Rotating,
            Self::Audio => Field::Audio,
        }
    }
}

/// How spots are sorted. Those without a value come last, in either order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InventorySort {
    /// By what.
    pub key: InventorySortKey,
    /// From the last to the first.
    pub descending: bool,
}

/// What spots are sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InventorySortKey {
    Field(SortField),
    /// How far they are from a point, to the centimetre.
    DistanceFrom(Position),
}

impl Default for InventorySortKey {
    fn default() -> Self {
        Self::Field(SortField::SPOT_ID)
    }
}

/// A page of what a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSpots {
    /// How many were found in all.
    pub total: usize,
    /// The page.
    pub spots: Vec<SpotIndex>,
}
