//! The surroundings of a place: the residents who could visit it, and competing places of the same type.

use dataset::position::UnitVector;

use super::inputs::{ModelPlace, ModelZip};
use crate::location::NearestNeighbours;

/// The distance up to which ZIP codes and competitors count, as a multiple of the reach.
const REACHES: f64 = 6.0;

/// A ZIP code near a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    /// The index of the ZIP code among all ZIP codes.
    pub(super) zip: usize,
    /// The distance of the ZIP code from the place, in kilometers.
    pub(super) km: f64,
    /// The weight of the ZIP code's residents: `population × exp(−km ÷ reach)`.
    pub(super) weight: f64,
}

/// A spatial index of the inhabited ZIP codes.
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

    /// Returns the inhabited ZIP codes within six reaches of a place.
    ///
    /// If there are none in this range, returns the nearest inhabited ZIP code with the weight `population ×
    /// exp(−6)`, regardless of its distance.
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

/// A spatial index of the places of a type.
pub(super) struct Competitors(NearestNeighbours);

impl Competitors {
    pub(super) fn new<'a>(places: impl Iterator<Item = (usize, &'a ModelPlace)>) -> Self {
        Self(NearestNeighbours::new(places.map(|(at, place)| (at, place.point()))))
    }

    /// Returns the share of a place under competition: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places
    /// within six reaches.
    pub(super) fn share(&self, place: usize, center: UnitVector, reach_km: f64) -> f64 {
        let others = self.0.within(center, REACHES * reach_km).filter(|(other, _)| *other != place);
        let nearby: f64 = others.map(|(_, km)| (-km / reach_km).exp()).sum();
        (1.0 + nearby).powf(-0.3)
    }
}
