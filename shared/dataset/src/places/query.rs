//! What is asked of the places, and the answer.

use strum::{IntoStaticStr, VariantArray};

use super::id::PlaceId;
use super::place::PlaceIndex;
use super::visits::VisitsByPlace;
use crate::geographies::GeographyIndex;
use crate::index::{Circle, Rectangle};
use crate::position::Position;

/// Which places to find: those that meet every criterion that is given. Texts are compared without case,
/// accents and superfluous space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceQuery<'a> {
    /// Words of the name: each must be one of its words, the last one may be the beginning of one. A word of
    /// four letters or more that no name has is forgiven one typo.
    pub place_name: Option<String>,
    /// Any of these.
    pub place_ids: Option<Vec<PlaceId>>,
    /// Any of these types.
    pub place_type_ids: Option<Vec<u32>>,
    pub place_type_name: Option<String>,
    /// The whole name of the brand that they belong to.
    pub brand: Option<String>,
    /// A piece of the street address; or, with `*` for any run of characters and `?` for one, all of it.
    pub address: Option<String>,
    pub city: Option<String>,
    /// The state's letters, or its name.
    pub state: Option<String>,
    pub zip_code: Option<String>,
    /// Any of these television markets.
    pub dmas: Option<Vec<GeographyIndex>>,
    /// Any of these counties.
    pub counties: Option<Vec<GeographyIndex>>,
    /// What they are near.
    pub circle: Option<Circle>,
    /// What they are within.
    pub rectangle: Option<Rectangle>,
    /// The order.
    pub sort: PlaceSort<'a>,
    /// How many places to leave out.
    pub skip: usize,
    /// How many places to give after those.
    pub take: usize,
}

/// An order of places. Those that are equal in it follow one another by ascending id.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaceSort<'a> {
    /// What is compared.
    pub key: PlaceSortKey<'a>,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// What places are sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaceSortKey<'a> {
    Field(PlaceSortField),
    /// The visits of a week. Places without any count come last in either direction.
    WeeklyVisits(&'a VisitsByPlace),
    /// How far they are from a point, to the centimetre.
    DistanceFrom(Position),
}

impl Default for PlaceSortKey<'_> {
    fn default() -> Self {
        Self::Field(PlaceSortField::default())
    }
}

/// What is known of every place itself, by which places are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum PlaceSortField {
    #[default]
    PlaceName,
    PlaceId,
    PlaceTypeName,
    StreetAddress,
    City,
    State,
    ZipCode,
    DmaName,
    CountyName,
    CbsaName,
}

impl PlaceSortField {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the name of the field in a result.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many places there are on all pages.
    pub total: usize,
    /// The places of the page.
    pub places: Vec<PlaceIndex>,
}
