//! The surroundings of a place: the persons who could visit it, competing places of the same type, and stops.

use dataset::position::{UnitVector, great_circle_km};

use super::inputs::{ModelPlace, ModelZip};
use super::parameters::PlaceType;
use crate::location::NearestNeighbours;

/// The maximum distance at which ZIP codes and competitors count, as a multiple of the reach.
const REACHES: f64 = 6.0;

/// The distance over which the number of commuters per resident falls to 1/e, in kilometers.
const COMMUTE_KM: f64 = 12.0;

/// The maximum distance between a place and the homes of people who work nearby, in kilometers. The maximum
/// is six times the reach if that's greater.
const MAX_COMMUTE_KM: f64 = 40.0;

/// The distance over which the number of national visitors per resident falls to 1/e, in kilometers.
const NATIONAL_KM: f64 = 1500.0;

/// The maximum distance at which a stop is within walking distance of a place, in kilometers.
const WALK_KM: f64 = 0.4;

/// The number of daily riders at which the base of the transit factor is 2.
const RIDERS: f64 = 10_000.0;

/// A ZIP code near a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    /// The ZIP code's index in [`People`].
    pub(super) zip: usize,
    /// The distance between the ZIP code and the place, in kilometers.
    pub(super) km: f64,
    /// The weight of visitors from the ZIP code.
    pub(super) weight: f64,
}

/// A spatial index of the ZIP codes where people live or work.
pub(super) struct People<'a> {
    zips: &'a [ModelZip],
    points: Vec<UnitVector>,
    homes: NearestNeighbours,
    workplaces: NearestNeighbours,
}

impl<'a> People<'a> {
    pub(super) fn new(zips: &'a [ModelZip]) -> Self {
        let points: Vec<UnitVector> = zips.iter().map(|zip| zip.position.to_unit_vector()).collect();
        let index = |counts: fn(&ModelZip) -> u32| {
            let counted = points.iter().copied().enumerate().filter(|(at, _)| counts(&zips[*at]) > 0);
            NearestNeighbours::new(counted)
        };
        let (homes, workplaces) = (index(|zip| zip.population), index(|zip| zip.workers));
        Self { zips, points, homes, workplaces }
    }

    /// Returns the number of persons who live or work near a place, weighted by distance and by the place
    /// type's weight for workers.
    pub(super) fn near(&self, center: UnitVector, place_type: &PlaceType) -> f64 {
        let residents = self.residents(center, place_type.reach_km, REACHES * place_type.reach_km);
        residents.iter().map(|home| home.weight).sum::<f64>() + self.workers(center, place_type)
    }

    /// Returns the home ZIP codes of people who live or work near a place, weighted by the number of
    /// visitors. Workers are assumed to live around their workplaces.
    pub(super) fn visitors(&self, center: UnitVector, place_type: &PlaceType) -> Vec<Neighbour> {
        let (reach_km, workers) = (place_type.reach_km, self.workers(center, place_type));
        if workers == 0.0 {
            return self.residents(center, reach_km, REACHES * reach_km);
        }
        let mut homes = self.residents(center, reach_km, MAX_COMMUTE_KM.max(REACHES * reach_km));
        let weigh = |home: &Neighbour, reach_km: f64| {
            f64::from(self.zips[home.zip].population) * (-home.km / reach_km).exp()
        };
        let scale = workers / homes.iter().map(|home| weigh(home, COMMUTE_KM)).sum::<f64>();
        for home in &mut homes {
            home.weight = weigh(home, reach_km) + scale * weigh(home, COMMUTE_KM);
        }
        homes
    }

    /// Draws ZIP codes from the whole nation in proportion to `population × exp(−km ÷ 1500)`. Draws are made
    /// at equal intervals of the cumulative weight, in ZIP code order, so they're spread evenly over the
    /// nation.
    pub(super) fn national(&self, center: UnitVector, draws: usize) -> Vec<Neighbour> {
        let weigh = |(zip, home): (usize, &ModelZip)| {
            let km = great_circle_km(center, self.points[zip]);
            Neighbour { zip, km, weight: f64::from(home.population) * (-km / NATIONAL_KM).exp() }
        };
        let all: Vec<Neighbour> = self.zips.iter().enumerate().map(weigh).collect();
        let step = all.iter().map(|zip| zip.weight).sum::<f64>() / draws as f64;
        let (mut drawn, mut sum) = (Vec::with_capacity(draws), 0.0);
        for zip in all {
            sum += zip.weight;
            while drawn.len() < draws && sum > (drawn.len() as f64 + 0.5) * step {
                drawn.push(zip);
            }
        }
        drawn
    }

    /// Returns the inhabited ZIP codes within `most_km` of a place, weighted by `population × exp(−km ÷
    /// reach)`.
    ///
    /// If there are no inhabited ZIP codes in this range, returns the nearest one, weighted by
    /// `population × exp(−6)`, regardless of its distance.
    fn residents(&self, center: UnitVector, reach_km: f64, most_km: f64) -> Vec<Neighbour> {
        let population = |zip: usize| f64::from(self.zips[zip].population);
        let near = self.homes.within(center, most_km);
        let found: Vec<Neighbour> = near
            .map(|(zip, km)| Neighbour { zip, km, weight: population(zip) * (-km / reach_km).exp() })
            .collect();
        if !found.is_empty() {
            return found;
        }
        let nearest = self.homes.nearest(center);
        nearest
            .map(|(zip, km)| Neighbour { zip, km, weight: population(zip) * (-REACHES).exp() })
            .into_iter()
            .collect()
    }

    /// Returns the number of persons who work near a place, weighted by distance and by the place type's
    /// weight for workers.
    fn workers(&self, center: UnitVector, place_type: &PlaceType) -> f64 {
        if place_type.workers == 0.0 {
            return 0.0;
        }
        let near = self.workplaces.within(center, REACHES * place_type.reach_km);
        let weigh =
            |(zip, km): (usize, f64)| f64::from(self.zips[zip].workers) * (-km / place_type.reach_km).exp();
        place_type.workers * near.map(weigh).sum::<f64>()
    }
}

/// A spatial index of the places of one type.
pub(super) struct Competitors(NearestNeighbours);

impl Competitors {
    pub(super) fn new<'a>(places: impl Iterator<Item = (usize, &'a ModelPlace)>) -> Self {
        Self(NearestNeighbours::new(places.map(|(at, place)| (at, place.point()))))
    }

    /// Returns a place's share under competition: `(1 + Σ exp(−km ÷ reach))^−0.3` over the other places
    /// within six times the reach.
    pub(super) fn share(&self, place: usize, center: UnitVector, reach_km: f64) -> f64 {
        let others = self.0.within(center, REACHES * reach_km).filter(|(other, _)| *other != place);
        let nearby: f64 = others.map(|(_, km)| (-km / reach_km).exp()).sum();
        (1.0 + nearby).powf(-0.3)
    }
}

/// A spatial index of public transit stops, with their daily riders.
pub(super) struct Stops {
    riders: Vec<f64>,
    points: NearestNeighbours,
}

impl Stops {
    /// Creates an index from the stops' positions and weekly visits.
    pub(super) fn new(stops: impl Iterator<Item = (UnitVector, u64)>) -> Self {
        let (points, riders): (Vec<_>, Vec<_>) =
            stops.map(|(point, visits)| (point, visits as f64 / 7.0)).unzip();
        Self { riders, points: NearestNeighbours::new(points.into_iter().enumerate()) }
    }

    /// Returns the factor for stops within walking distance: `(1 + daily riders ÷ 10,000)^exponent`.
    pub(super) fn factor(&self, center: UnitVector, exponent: f64) -> f64 {
        if exponent == 0.0 {
            return 1.0;
        }
        let riders: f64 = self.points.within(center, WALK_KM).map(|(stop, _)| self.riders[stop]).sum();
        (1.0 + riders / RIDERS).powf(exponent)
    }
}
