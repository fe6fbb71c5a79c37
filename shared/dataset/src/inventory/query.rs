//! The query and the result of an inventory search.

use chrono::NaiveDate;
use strum::{IntoStaticStr, VariantArray};

use super::field::{Field, SortField};
use super::id::{SpotId, SpotIndex};
use crate::index::{Circle, Rectangle};
use crate::position::Position;

/// An inventory search query. Only measured spots that meet every criterion are found.
#[derive(Clone, Debug, PartialEq)]
pub struct InventoryQuery {
    /// Text criteria, each with its allowed values. The comparison ignores case, accents, and extra spaces,
    /// and treats hyphens as spaces.
    pub exact: Vec<(TextCriterion, Vec<String>)>,
    /// The capabilities that the display must have (`true`) or lack (`false`). Displays that don't specify a
    /// capability aren't found.
    pub flags: Vec<(FlagCriterion, bool)>,
    /// A substring of the primary artery, compared in the same way as the values in `exact`.
    pub primary_artery: Option<String>,
    /// The media owner's own ID for the display, which is the first nonempty `plant_spot_id` of its spots.
    /// The comparison is exact.
    pub plant_spot_id: Option<String>,
    /// A day on which the display must be available. Displays without `available_from` aren't found.
    pub available_by: Option<NaiveDate>,
    /// The minimum number of weekly impressions. Displays without `weekly_impressions` aren't found.
    pub min_impressions: Option<u64>,
    /// Whether to exclude spots with modelled members.
    pub exclude_modelled: bool,
    /// Words that must each occur in at least one of the five searched fields. The last word also matches as
    /// a prefix. A string without any words matches no spots.
    pub search: Option<String>,
    /// The smallest allowed ID.
    pub id_min: Option<SpotId>,
    /// The largest allowed ID.
    pub id_max: Option<SpotId>,
    /// The spot must be inside this circle.
    pub circle: Option<Circle>,
    /// Lists of circles. For each list, the spot must be inside at least one circle (`true`) or outside all
    /// circles (`false`).
    pub circles: Vec<(Vec<Circle>, bool)>,
    /// The spot must be inside this rectangle.
    pub rectangle: Option<Rectangle>,
    /// The sort order of the results.
    pub sort: InventorySort,
    /// The number of results to skip.
    pub skip: usize,
    /// The maximum number of results to return.
    pub take: usize,
}

impl Default for InventoryQuery {
    fn default() -> Self {
        Self {
            exact: Vec::new(),
            flags: Vec::new(),
            primary_artery: None,
            plant_spot_id: None,
            available_by: None,
            min_impressions: None,
            exclude_modelled: false,
            search: None,
            id_min: None,
            id_max: None,
            circle: None,
            circles: Vec::new(),
            rectangle: None,
            sort: InventorySort::default(),
            skip: 0,
            take: 50,
        }
    }
}

/// A criterion for a text field, which must equal one of the allowed values. See `InventoryFilter` in
/// openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum TextCriterion {
    /// The name of the television market.
    DmaName,
    /// The abbreviation or the name of the state.
    State,
    ZipCode,
    /// The name of the metropolitan or micropolitan area.
    CbsaName,
    CountyName,
    /// The type of the display, such as a bulletin.
    MediaTypeName,
    /// The media owner's name for the display.
    MediaName,
    /// The type of structure that the display is mounted on.
    ConstructionTypeName,
    /// The type of lighting.
    IlluminationTypeName,
    /// The name of the display's media owner, which is the account of its first representation.
    MediaOwner,
    /// The venue type, without its subtypes.
    VenueType,
}

impl TextCriterion {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the field that the criterion applies to. If a field has several values, only the first one is
    /// compared.
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
            Self::MediaOwner => Field::AccountName,
            Self::VenueType => Field::VenueType,
        }
    }
}

/// A criterion for a capability, which the display must have or lack. See `InventoryFilter` in openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum FlagCriterion {
    /// Whether the display is a screen.
    Digital,
    /// Whether the display can show full-motion video.
    FullMotion,
    /// Whether the display reacts to people nearby.
    Interactive,
    /// Whether the display rotates among several spots.
    Rotating,
    /// Whether the display can play sound.
    Audio,
}

impl FlagCriterion {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    pub const fn name(self) -> &'static str {
        self.field().path()
    }

    /// Returns the field that the criterion applies to.
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

/// The sort order of search results. Spots without a value come last in either direction. Spots with equal
/// values are sorted by ascending ID.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InventorySort {
    /// The value to sort by.
    pub key: InventorySortKey,
    /// Whether the greatest value comes first.
    pub descending: bool,
}

/// A sort key for spots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InventorySortKey {
    Field(SortField),
    /// The distance from a point, rounded to the nearest centimeter.
    DistanceFrom(Position),
}

impl Default for InventorySortKey {
    fn default() -> Self {
        Self::Field(SortField::SPOT_ID)
    }
}

/// The result of an inventory search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSpots {
    /// The total number of matching spots, over all pages.
    pub total: usize,
    /// The spots on the requested page, in the requested order.
    pub spots: Vec<SpotIndex>,
}
