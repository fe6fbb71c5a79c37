//! The query and the result of a place search.

use strum::{IntoStaticStr, VariantArray};

use super::id::PlaceId;
use super::place::PlaceIndex;
use super::visits::VisitsByPlace;
use crate::geographies::GeographyIndex;
use crate::index::{Circle, Rectangle};
use crate::position::Position;

/// A place search query. A place must meet every criterion that's set. String comparisons ignore case,
/// accents, and extra spaces.
#[derive(Clone, Debug, Default)]
pub struct PlaceQuery<'a> {
    /// Words that must occur in the place's name, in any order. The last word also matches as a prefix. If a
    /// word with at least four letters doesn't occur in any name, words that differ from it by one typo match
    /// instead.
    pub place_name: Option<String>,
    /// The place must have one of these IDs.
    pub place_ids: Option<Vec<PlaceId>>,
    /// The place must have one of these types.
    pub place_type_ids: Option<Vec<u32>>,
    pub place_type_name: Option<String>,
    /// The full name of the place's brand.
    pub brand: Option<String>,
    /// A substring of the street address. If it contains the wildcards `*` (any number of characters) or `?`
    /// (one character), it must match the whole address.
    pub address: Option<String>,
    pub city: Option<String>,
    /// The abbreviation or the name of the state.
    pub state: Option<String>,
    pub zip_code: Option<String>,
    /// The place must be in one of these television markets.
    pub dmas: Option<Vec<GeographyIndex>>,
    /// The place must be in one of these counties.
    pub counties: Option<Vec<GeographyIndex>>,
    /// The place must be inside this circle.
    pub circle: Option<Circle>,
    /// The place must be inside this rectangle.
    pub rectangle: Option<Rectangle>,
    /// The sort order of the results.
    pub sort: PlaceSort<'a>,
    /// The number of results to skip.
    pub skip: usize,
    /// The maximum number of results to return.
    pub take: usize,
}

/// The sort order of search results. Places with equal values are sorted by ascending ID.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlaceSort<'a> {
    /// The value to sort by.
    pub key: PlaceSortKey<'a>,
    /// Whether the greatest value comes first.
    pub descending: bool,
}

/// A sort key for places.
#[derive(Clone, Copy, Debug)]
pub enum PlaceSortKey<'a> {
    Field(PlaceSortField),
    /// The weekly visits. Places without a visit record come last in either direction.
    WeeklyVisits(&'a VisitsByPlace),
    /// The distance from a point, rounded to the nearest centimeter.
    DistanceFrom(Position),
}

impl Default for PlaceSortKey<'_> {
    fn default() -> Self {
        Self::Field(PlaceSortField::default())
    }
}

/// A field that search results can be sorted by.
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

    /// Returns the field's name in API responses.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }
}

/// The result of a place search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The total number of matching places, over all pages.
    pub total: usize,
    /// The places on the requested page, in the requested order.
    pub places: Vec<PlaceIndex>,
}
