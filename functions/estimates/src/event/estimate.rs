//! Estimates an event's visits and visitors.

use contact_model::{VisitorHome, Visitors, growth};
use dataset::{GeographyIndex, Measure};

use super::hours::EventHours;
use super::places::{EventPlace, EventPlaces};
use crate::Release;
use crate::audience::Audience;

/// An event's estimated visits and visitors, in total and by market and place.
pub(crate) struct Estimate {
    /// The estimate for each place, in the same order as the event's places.
    pub(crate) places: Vec<PlaceEstimate>,
    /// The number of different visitors to all places. `None` if there are no visits or the number can't be
    /// estimated.
    pub(crate) persons: Option<f64>,
    /// The visits by target persons who live in any of the markets. `None` if there are no such visits.
    pub(crate) total: Option<TargetVisits>,
    /// The visits by target persons who live in each market, in the same order as the audience's markets.
    pub(crate) markets: Vec<Option<TargetVisits>>,
}

pub(crate) struct PlaceEstimate {
    pub(crate) visits: f64,
    /// The number of different visitors. `None` if the place has no visits during the event.
    pub(crate) persons: Option<f64>,
    /// The visits by target persons who live in the markets. `None` if it's unknown where the visitors live.
    pub(crate) target_visits: Option<f64>,
    /// The target's share of the visitors relative to its share of the nation. 100 means that the shares are
    /// equal.
    pub(crate) index: Option<f64>,
}

/// The number of visits by target persons, and the number of different persons who make them. Both are
/// positive.
pub(crate) struct TargetVisits {
    pub(crate) visits: f64,
    pub(crate) persons: f64,
}

/// The running totals of visits and visitors over an event's places.
struct Sums<'a> {
    release: &'a Release,
    audience: &'a Audience,
    everyone: Visitors,
    target: Visitors,
    /// The visits by target persons, by the ZIP code where they live.
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

    /// Returns the target's measured share of a place's visitors relative to `expected`, the share that
    /// follows from where the visitors live. Returns 1 if the visits are modelled, or if the place's record
    /// doesn't contain the cohort.
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

    /// Returns the target's share of the visitors, assuming that visitors are typical residents of the ZIP
    /// codes where they live.
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

    /// Returns the visits by target persons from the given ZIP codes, or `None` if there are no visits.
    fn of_target(&self, zips: &[usize]) -> Option<TargetVisits> {
        let visits: f64 = zips.iter().map(|zip| self.target_visits[*zip]).sum();
        let area = |zip: usize| -> GeographyIndex { self.release.zips[zip].area };
        let reached =
            |zip: &usize| self.audience.homes.zips()[*zip].target * self.target.share_in(area(*zip));
        (visits > 0.0).then(|| TargetVisits { visits, persons: zips.iter().map(reached).sum() })
    }
}
