//! Estimates the visits and visitors of an event.

use contact_model::{VisitorHome, Visitors, growth};
use dataset::{GeographyIndex, Measure};

use super::hours::EventHours;
use super::places::{EventPlace, EventPlaces};
use crate::Release;
use crate::audience::Audience;

/// The visits during an event.
pub(crate) struct Estimate {
    /// In the order of the event's places.
    pub(crate) places: Vec<PlaceEstimate>,
    /// The different visitors of all places. `None` without visits, or if they can't be estimated.
    pub(crate) persons: Option<f64>,
    /// The target persons in all markets.
    pub(crate) total: Option<TargetVisits>,
    /// In the order of the audience's markets.
    pub(crate) markets: Vec<Option<TargetVisits>>,
}

pub(crate) struct PlaceEstimate {
    pub(crate) visits: f64,
    /// `None` without visits.
    pub(crate) persons: Option<f64>,
    /// The visits of target persons in the markets. `None` if it's unknown where the visitors live.
    pub(crate) target_visits: Option<f64>,
    /// How often the target is among the visitors, relative to the nation.
    pub(crate) index: Option<f64>,
}

/// The visits of target persons, which are positive, and the different persons who make them.
pub(crate) struct TargetVisits {
    pub(crate) visits: f64,
    pub(crate) persons: f64,
}

/// Sums over the places.
struct Sums<'a> {
    release: &'a Release,
    audience: &'a Audience,
    everyone: Visitors,
    target: Visitors,
    /// The visits of target persons by ZIP code.
    target_visits: Vec<f64>,
}

impl Estimate {
    pub(crate) fn of(
        places: &EventPlaces,
        hours: &EventHours,
        audience: &Audience,
        release: &Release,
    ) -> Self {
        let target_visits = vec![0.0; release.zips.len()];
        let (everyone, target) = Default::default();
        let mut sums = Sums { release, audience, everyone, target, target_visits };
        let estimates: Vec<PlaceEstimate> =
            places.places.iter().map(|place| sums.add(place, hours.visits(&place.measure))).collect();
        let homes_are_known = places.places.iter().all(|place| !place.measure.origins.is_empty());
        let persons = match &estimates[..] {
            [one] => one.persons,
            several => {
                let any = homes_are_known && several.iter().any(|place| place.visits > 0.0);
                any.then(|| sums.everyone.persons())
            }
        };
        Self {
            persons,
            total: sums.of_target(&audience.zips),
            markets: audience.markets.iter().map(|market| sums.of_target(&market.zips)).collect(),
            places: estimates,
        }
    }
}

impl Sums<'_> {
    fn add(&mut self, place: &EventPlace, visits: f64) -> PlaceEstimate {
        let (measure, release) = (&place.measure, self.release);
        let (of_week, persons) = (measure.visits() as f64, measure.unique_persons as f64);
        let growth = growth(of_week / persons, visits / of_week);
        let residents = |zip| release.zip(zip).map_or(0.0, |zip| release.zips[zip].residents);
        let homes: Vec<VisitorHome> = VisitorHome::of(measure, residents).collect();
        let add = |visitors: &mut Visitors, persons| visitors.add(persons, growth, homes.iter().copied());
        add(&mut self.everyone, persons);
        let mut own = Visitors::default();
        add(&mut own, persons);
        let expected = self.share_among(&homes);
        let skew = self.skew(measure, expected);
        add(&mut self.target, skew * persons);
        let mut target_visits = 0.0;
        for home in &homes {
            let Some(zip) = release.zip(home.zip) else { continue };
            let of_target = visits * home.share * (skew * self.share_of_target(home)).min(1.0);
            self.target_visits[zip] += of_target;
            if self.audience.zips.binary_search(&zip).is_ok() {
                target_visits += of_target;
            }
        }
        PlaceEstimate {
            visits,
            persons: (visits > 0.0).then(|| own.persons()),
            target_visits: (!homes.is_empty()).then_some(target_visits),
            index: self.index(skew, expected),
        }
    }

    /// Returns the share of the target among the visitors of a place whose visits were counted, relative to the
    /// share that follows from where they live, which is `expected`. It's 1 if the place's record doesn't
    /// contain the cohort.
    fn skew(&self, measure: &Measure, expected: f64) -> f64 {
        let segment = self.audience.cohort.single().filter(|_| !measure.modelled);
        let at =
            segment.and_then(|segment| measure.segments.binary_search_by_key(&segment, |one| one.0).ok());
        match at {
            Some(at) if expected > 0.0 => {
                measure.segments[at].1 as f64 / measure.unique_persons as f64 / expected
            }
            _ => 1.0,
        }
    }

    /// Returns the share of the target among the visitors with these homes.
    fn share_among(&self, homes: &[VisitorHome]) -> f64 {
        let all: f64 = homes.iter().map(|home| home.share).sum();
        homes.iter().map(|home| home.share * self.share_of_target(home)).sum::<f64>() / all
    }

    fn share_of_target(&self, home: &VisitorHome) -> f64 {
        let target = self.release.zip(home.zip).map_or(0.0, |zip| self.audience.homes.zips()[zip].target);
        if home.residents > 0.0 { target / home.residents } else { 0.0 }
    }

    fn index(&self, skew: f64, expected: f64) -> Option<f64> {
        let index = 100.0 * skew * expected / self.audience.homes.composition();
        index.is_finite().then_some(index)
    }

    /// Returns the visits and visitors from ZIP codes, or `None` without visits.
    fn of_target(&self, zips: &[usize]) -> Option<TargetVisits> {
        let visits: f64 = zips.iter().map(|zip| self.target_visits[*zip]).sum();
        let area = |zip: usize| -> GeographyIndex { self.release.zips[zip].area };
        let reached =
            |zip: &usize| self.audience.homes.zips()[*zip].target * self.target.share_in(area(*zip));
        (visits > 0.0).then(|| TargetVisits { visits, persons: zips.iter().map(reached).sum() })
    }
}
