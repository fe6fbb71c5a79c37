//! What lies around a place: people who may come, and places of the same type that they may go to instead.

use dataset::position::UnitVector;

use super::inputs::{ModelPlace, ModelZip};
use crate::nearest::NearestNeighbours;

/// How many reaches away a ZIP code or a place still counts.
const REACHES: f64 = 6.0;

/// A ZIP code near a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    /// Its position among the ZIP codes.
    pub(super) zip: usize,
    /// How far it is.
    pub(super) km: f64,
    /// `population × exp(−km ÷ reach)`.
    pub(super) weight: f64,
}

/// The ZIP codes where people live.
pub(super) struct People<'a> {
    zips: &'a [ModelZip],
    points: NearestNeighbours,
}

impl<'a> People<'a> {
    pub(super) fn new(zips: &'a [ModelZip]) -> Self {
        let inhabited = zips.iter().enumerate().filter(|(_, zip)| zip.population > 0);
        let points = inhabited.map(|(at, zip)| (at, zip.position.to_unit_vector()));
        Self { zips, points: NearestNeighbours::new(points) }
    }

    /// Returns the ZIP codes within six reaches of a place.
    ///
    /// Where there is none, the nearest one stands at the edge: it weighs `population × exp(−6)`, however far
    /// it is.
    pub(super) fn around(&self, center: UnitVector, reach_km: f64) -> Vec<Neighbour> {
        let population = |zip: usize| f64::from(self.zips[zip].population);
        let near = self.points.within(center, REACHES * reach_km);
        let found: Vec<Neighbour> = near
            .map(|(zip, km)| Neighbour { zip, km, weight: population(zip) * (-km / reach_km).exp() })
            .collect();
        if !found.is_empty() {
            return found;
        }
        let nearest = self.points.nearest(center);
        nearest
            .map(|(zip, km)| Neighbour { zip, km, weight: population(zip) * (-REACHES).exp() })
            .into_iter()
            .collect()
    }
}

/// The places of one type.
pub(super) struct Competitors(NearestNeighbours);

impl Competitors {
    pub(super) fn new<'a>(places: impl Iterator<Item = (usize, &'a ModelPlace)>) -> Self {
        Self(NearestNeighbours::new(places.map(|(at, place)| (at, place.point()))))
    }

    /// Returns the share that others leave a place: `(1 + Σ exp(−km ÷ reach))^−0.3` over the others within
    /// six reaches.
    pub(super) fn share(&self, place: usize, center: UnitVector, reach_km: f64) -> f64 {
        let others = self.0.within(center, REACHES * reach_km).filter(|(other, _)| *other != place);
        let nearby: f64 = others.map(|(_, km)| (-km / reach_km).exp()).sum();
        (1.0 + nearby).powf(-0.3)
    }
}
