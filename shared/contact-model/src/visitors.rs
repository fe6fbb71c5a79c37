//! Estimates how many different persons visit at least one of several places.

use std::collections::BTreeMap;

use dataset::{GeographyIndex, Measure};

use crate::SHAPE;
use crate::delivery::reached;

/// The maximum share of a ZIP code's residents who can visit a place. Visitors beyond this share are assumed
/// to live elsewhere.
const MAX_SHARE: f64 = 0.99;

/// A ZIP code where some of a place's visitors live.
#[derive(Clone, Copy, Debug)]
pub struct VisitorHome {
    pub zip: GeographyIndex,
    pub residents: f64,
    /// The share of the place's visitors who live here (*h*).
    pub share: f64,
}

/// The visitors to several places. A person who visits more than one place counts once.
#[derive(Clone, Debug, Default)]
pub struct Visitors {
    homes: BTreeMap<GeographyIndex, Residents>,
    /// The visitors who live elsewhere, summed over the places.
    elsewhere: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Residents {
    persons: f64,
    /// The average number of visits per resident (*m*), summed over the places. A place that a share *p* of
    /// the residents visit contributes `k · ((1 − p)^(−1/k) − 1)`.
    mean: f64,
}

impl VisitorHome {
    /// Derives where a place's visitors live from the origins of its visits. `residents` returns a ZIP code's
    /// number of residents.
    pub fn of(
        measure: &Measure,
        residents: impl Fn(GeographyIndex) -> f64,
    ) -> impl Iterator<Item = VisitorHome> {
        let visits = measure.visits() as f64;
        let home = move |(zip, of_home): &(GeographyIndex, u64)| Self {
            zip: *zip,
            residents: residents(*zip),
            share: *of_home as f64 / visits,
        };
        measure.origins.iter().map(home)
    }
}

impl Visitors {
    /// Adds a place with `persons` different visitors in an average week. `growth` is the number of visitors
    /// in the period relative to an average week: 1 for a period of one week, otherwise the result of
    /// [`growth`]. Visitors who don't live in any of `homes` are assumed to live elsewhere.
    pub fn add(&mut self, persons: f64, growth: f64, homes: impl IntoIterator<Item = VisitorHome>) {
        let mut elsewhere = persons;
        for VisitorHome { zip, residents, share } in homes {
            let visiting = (persons * share).min(residents * MAX_SHARE);
            if visiting > 0.0 {
                elsewhere -= visiting;
                let home = self.homes.entry(zip).or_default();
                home.persons = residents;
                home.mean += mean(share_after(visiting / residents, growth));
            }
        }
        self.elsewhere += elsewhere.max(0.0) * growth;
    }

    /// Returns the number of different persons who visit at least one of the places.
    pub fn persons(&self) -> f64 {
        let local = self.homes.values().map(|home| home.persons * share(home.mean));
        local.sum::<f64>() + self.elsewhere
    }

    /// Returns the share of a ZIP code's residents who visit at least one of the places.
    pub fn share_in(&self, zip: GeographyIndex) -> f64 {
        self.homes.get(&zip).map_or(0.0, |home| share(home.mean))
    }
}

/// Returns the number of different visitors to a place in a period, relative to an average week. `frequency`
/// is the number of visits per visitor in an average week. `weeks` is the number of visits in the period,
/// relative to an average week.
///
/// Visits per visitor follow a logarithmic series distribution, as repeat purchases do in Chatfield,
/// Ehrenberg, and Goodhardt (Journal of the Royal Statistical Society, Series A, 129, 1966).
pub fn growth(frequency: f64, weeks: f64) -> f64 {
    let spread = spread(frequency);
    if spread > 0.0 { (weeks * spread).ln_1p() / spread.ln_1p() } else { weeks }
}

/// Solves `q / ln(1 + q) = frequency` for *q*, which is 0 for a frequency of 1.
fn spread(frequency: f64) -> f64 {
    // `q / ln(1 + q)` increases with q, and exceeds the frequency at this upper bound.
    let (mut low, mut high) = (0.0, 2.0 * frequency * frequency);
    for _ in 0..60 {
        let middle: f64 = f64::midpoint(low, high);
        *(if middle / middle.ln_1p() < frequency { &mut low } else { &mut high }) = middle;
    }
    low
}

/// Converts the share of residents who visit a place in an average week to the share in a period. A low share
/// increases in proportion to `growth`. A higher one increases less, because fewer residents remain.
fn share_after(share_of_week: f64, growth: f64) -> f64 {
    (share_of_week * growth).min(share(mean(share_of_week) * growth))
}

/// Returns the average number of visits per resident if this share of the residents visit the place. This is
/// the inverse of [`share`].
fn mean(share: f64) -> f64 {
    SHAPE.assumed * (-(-share).ln_1p() / SHAPE.assumed).exp_m1()
}

fn share(mean: f64) -> f64 {
    reached(mean, SHAPE.assumed)
}
