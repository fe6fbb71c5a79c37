//! The inputs of the visit model.

use dataset::position::UnitVector;
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

use super::brands::Brands;
use super::parameters::PlaceTypes;

/// The number of weeks in an average year.
const WEEKS_OF_A_YEAR: f64 = 365.25 / 7.0;

/// A ZIP code, with the properties that the model uses.
#[derive(Clone, Debug)]
pub(crate) struct ModelZip {
    pub(crate) index: GeographyIndex,
    pub(crate) position: Position,
    pub(crate) population: u32,
    /// The number of persons who work in the ZIP code.
    pub(crate) workers: u32,
}

/// A place that the model derives a record for.
#[derive(Clone, Debug)]
pub(crate) struct ModelPlace {
    pub(crate) id: PlaceId,
    pub(crate) place_type: String,
    /// The name of the brand. Empty if the place doesn't belong to one.
    pub(crate) brand: String,
    /// The visits relative to a standalone place in the same surroundings, or `None` if the place is
    /// standalone.
    pub(crate) format: Option<f64>,
    /// The size relative to the average place of the type and brand, or 1 if unknown.
    pub(crate) size: f64,
    pub(crate) position: Position,
    /// The number of visits in each counted year, in ascending order of the years.
    pub(crate) counted_years: Vec<(u16, u64)>,
    /// The index of the place that contains this place, such as an airport, if any. Visitors to both places
    /// have the same origins.
    pub(crate) inside: Option<usize>,
}

impl ModelPlace {
    pub(super) fn point(&self) -> UnitVector {
        self.position.to_unit_vector()
    }

    /// Returns the visits of an average week in the last counted year, or `None` if visits were never
    /// counted.
    pub(super) fn counted_visits(&self) -> Option<u64> {
        self.counted_years.last().map(|(_, visits)| (*visits as f64 / WEEKS_OF_A_YEAR).round() as u64)
    }
}

/// A function that divides a number of persons into cohorts. Each item of the first argument is a ZIP code
/// and its weight. Each ZIP code contributes persons in proportion to its weight.
///
/// The result must be in ascending order of the cohorts, and no cohort can contain more persons than the
/// total.
pub(crate) type SegmentsOf<'a> =
    &'a (dyn Fn(&[(GeographyIndex, u64)], u64) -> Vec<(SegmentIndex, u64)> + Sync);

/// The inputs of the visit model.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) types: &'a PlaceTypes,
    pub(crate) brands: &'a Brands,
    pub(crate) zips: &'a [ModelZip],
    pub(crate) places: &'a [ModelPlace],
    pub(crate) segments_of: SegmentsOf<'a>,
}
