//! The inputs to the visit model.

use dataset::position::UnitVector;
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

use super::brands::Brands;
use super::parameters::PlaceTypes;

/// The number of weeks in an average year.
const WEEKS_OF_A_YEAR: f64 = 365.25 / 7.0;

/// A ZIP code, with the properties that the model needs.
#[derive(Clone, Debug)]
pub(crate) struct ModelZip {
    pub(crate) index: GeographyIndex,
    pub(crate) position: Position,
    pub(crate) population: u32,
    /// The number of persons who work in the ZIP code.
    pub(crate) workers: u32,
}

/// A place, with the properties that the model needs.
#[derive(Clone, Debug)]
pub(crate) struct ModelPlace {
    pub(crate) id: PlaceId,
    pub(crate) place_type: String,
    /// The name of the brand, or an empty string if the place doesn't belong to a brand.
    pub(crate) brand: String,
    /// The number of visits relative to a standalone place in the same surroundings, or `None` if this place
    /// is standalone.
    pub(crate) format: Option<f64>,
    /// The size relative to the average for the place's type and brand, or 1 if the size is unknown.
    pub(crate) size: f64,
    pub(crate) position: Position,
    /// The number of visits in each year with counted visits, sorted by year.
    pub(crate) counted_years: Vec<(u16, u64)>,
    /// The index of the place that contains this place, such as an airport, if any. Visitors to this place
    /// have the same origins as visitors to the outer place.
    pub(crate) inside: Option<usize>,
}

impl ModelPlace {
    pub(super) fn point(&self) -> UnitVector {
        self.position.to_unit_vector()
    }

    /// Returns the visits in an average week of the most recent year with counted visits, or `None` if visits
    /// were never counted.
    pub(super) fn counted_visits(&self) -> Option<u64> {
        self.counted_years.last().map(|(_, visits)| (*visits as f64 / WEEKS_OF_A_YEAR).round() as u64)
    }
}

/// A function that divides a number of persons into cohorts. The first argument contains their home ZIP codes
/// with weights, and each ZIP code contributes persons in proportion to its weight.
///
/// The result must be sorted by cohort, and no cohort can contain more persons than the total.
pub(crate) type SegmentsOf<'a> =
    &'a (dyn Fn(&[(GeographyIndex, u64)], u64) -> Vec<(SegmentIndex, u64)> + Sync);

/// The inputs to the visit model.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) types: &'a PlaceTypes,
    pub(crate) brands: &'a Brands,
    pub(crate) zips: &'a [ModelZip],
    pub(crate) places: &'a [ModelPlace],
    pub(crate) segments_of: SegmentsOf<'a>,
}
