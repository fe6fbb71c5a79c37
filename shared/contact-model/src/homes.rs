//! The ZIP codes where people live, and the residents who see a display.

use dataset::Environment;
use dataset::position::UnitVector;

use crate::nearby::Nearby;
use crate::{elsewhere, reach_km};

/// The maximum distance between a display and its local viewers, in multiples of *λ*.
const REACHES: f64 = 6.0;

/// A ZIP code and its residents.
#[derive(Clone, Copy, Debug)]
pub struct HomeZip {
    pub point: UnitVector,
    /// The number of residents (*N*).
    pub residents: f64,
    /// The number of residents in the target cohort (*N · c*).
    pub target: f64,
    /// The number of residents in the base, which is the cohort that the target is compared with (*N · b*).
    pub base: f64,
}

/// The nation's ZIP codes. Each one is identified by its position in the list that was passed to
/// [`Homes::new`].
#[derive(Clone, Debug)]
pub struct Homes {
    zips: Vec<HomeZip>,
    /// The positions of the inhabited ZIP codes.
    inhabited: Nearby,
    /// The nation's number of target persons per person in the base.
    composition: f64,
}

/// The ZIP codes where a display's local viewers live.
#[derive(Clone, Debug)]
pub struct Viewers {
    /// The ZIP codes within 6 *λ*, and the number of contacts per resident and impression in each: `(1 − ε) ·
    /// exp(−km / λ) / S`.
    pub(crate) homes: Vec<(usize, f64)>,
}

impl Homes {
    pub fn new(zips: Vec<HomeZip>) -> Self {
        let is_inhabited = |(_, zip): &(usize, &HomeZip)| zip.residents > 0.0;
        let inhabited = zips.iter().enumerate().filter(is_inhabited).map(|(at, zip)| (at, zip.point));
        let inhabited = Nearby::new(inhabited);
        let [target, base] =
            [|zip: &HomeZip| zip.target, |zip: &HomeZip| zip.base].map(|of| zips.iter().map(of).sum::<f64>());
        Self { zips, inhabited, composition: target / base }
    }

    pub fn zips(&self) -> &[HomeZip] {
        &self.zips
    }

    /// Returns the nation's number of target persons per person in the base. The result is infinite or NaN if
    /// the base is empty.
    pub fn composition(&self) -> f64 {
        self.composition
    }

    /// Returns a display's local viewers. They live within 6 *λ*, and their density decreases with `exp(−km /
    /// λ)`. *S* is the sum of `exp(−km / λ)` over the residents in this area. If no one lives there, the
    /// display has no local viewers.
    pub fn viewers(&self, display: UnitVector, environment: Environment) -> Viewers {
        let reach = reach_km(environment);
        let near = self.inhabited.within(display, REACHES * reach);
        let mut homes: Vec<(usize, f64)> = near.map(|(at, km)| (at, (-km / reach).exp())).collect();
        let sum: f64 = homes.iter().map(|(at, weight)| weight * self.zips[*at].residents).sum();
        homes.iter_mut().for_each(|(_, weight)| *weight *= (1.0 - elsewhere(environment)) / sum);
        Viewers { homes }
    }

    /// Returns a display's index: the ratio of target to base among its local viewers, as a percentage of the
    /// national ratio. Returns `None` if there are no local viewers, the target or the base is empty, or none
    /// of the local viewers are in the base.
    pub fn index(&self, viewers: &Viewers) -> Option<f64> {
        let [target, base] = [|zip: &HomeZip| zip.target, |zip: &HomeZip| zip.base]
            .map(|of| viewers.homes.iter().map(|(at, share)| share * of(&self.zips[*at])).sum::<f64>());
        let index = 100.0 * target / base / self.composition;
        index.is_finite().then_some(index)
    }
}
