//! What the model starts from.

use dataset::position::UnitVector;
use dataset::{GeographyIndex, PlaceId, Position, SegmentIndex};

use super::parameters::PlaceTypes;

/// A ZIP code as the model sees it.
#[derive(Clone, Debug)]
pub(crate) struct ModelZip {
    pub(crate) index: GeographyIndex,
    pub(crate) position: Position,
    pub(crate) population: u32,
    /// The number of its county among the model's counties.
    pub(crate) county: usize,
}

/// A place as the model sees it.
#[derive(Clone, Debug)]
pub(crate) struct ModelPlace {
    pub(crate) id: PlaceId,
    pub(crate) place_type: String,
    pub(crate) position: Position,
    /// The visits of an average week, where somebody counted them.
    pub(crate) counted_visits: Option<u64>,
    /// The place that it is inside of, by its number among the places: its visitors come from where that one's
    /// do.
    pub(crate) inside: Option<usize>,
}

impl ModelPlace {
    pub(super) fn point(&self) -> UnitVector {
        self.position.to_unit_vector()
    }
}

/// Returns the persons of each cohort among so many, of whom each county contributes in proportion to its
/// weight.
///
/// The cohorts ascend, and none has more persons than there are.
pub(crate) type SegmentsOf<'a> = &'a (dyn Fn(&[(usize, f64)], u64) -> Vec<(SegmentIndex, u64)> + Sync);

/// What the model starts from.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) types: &'a PlaceTypes,
    pub(crate) zips: &'a [ModelZip],
    /// The population of each county from 2020 to 2023.
    pub(crate) county_trend: &'a [[f64; 4]],
    pub(crate) places: &'a [ModelPlace],
    pub(crate) segments_of: SegmentsOf<'a>,
}
