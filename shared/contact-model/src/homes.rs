//! The ZIP codes where people live, and which of these people see a display.

use dataset::Environment;
use dataset::position::{EARTH_KM, UnitVector, great_circle_km};

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
    /// The number of residents in the base, the cohort that the target is compared with (*N · b*).
    pub base: f64,
}

/// The ZIP codes of the nation. They're identified by their positions in the list they were created from.
#[derive(Clone, Debug)]
pub struct Homes {
    zips: Vec<HomeZip>,
    /// The inhabited ZIP codes from south to north.
    northward: Vec<(usize, UnitVector)>,
    /// The number of target persons in the nation per person in the base.
    composition: f64,
}

/// Where the local viewers of a display live.
#[derive(Clone, Debug)]
pub struct Viewers {
    /// The ZIP codes within 6 *λ*, and the number of contacts that each of their residents has per
    /// impression: `(1 − ε) · exp(−km / λ) / S`.
    pub(crate) homes: Vec<(usize, f64)>,
}

impl Homes {
    pub fn new(zips: Vec<HomeZip>) -> Self {
        let inhabited = zips.iter().enumerate().filter(|(_, zip)| zip.residents > 0.0);
        let mut northward: Vec<(usize, UnitVector)> = inhabited.map(|(at, zip)| (at, zip.point)).collect();
        northward.sort_by(|(_, a), (_, b)| a[2].total_cmp(&b[2]));
        let [target, base] =
            [|zip: &HomeZip| zip.target, |zip: &HomeZip| zip.base].map(|of| zips.iter().map(of).sum::<f64>());
        Self { zips, northward, composition: target / base }
    }

    pub fn zips(&self) -> &[HomeZip] {
        &self.zips
    }

    /// Returns the number of target persons in the nation per person in the base. Infinite or NaN if no one
    /// is in the base.
    pub fn composition(&self) -> f64 {
        self.composition
    }

    /// Returns the local viewers of a display. They live within 6 *λ*, and their density falls with
    /// `exp(−km / λ)`. *S* is the sum of `exp(−km / λ)` over these residents. All other viewers live
    /// elsewhere. If no one lives within 6 *λ*, the display has no local viewers.
    pub fn viewers(&self, display: UnitVector, environment: Environment) -> Viewers {
        let reach = reach_km(environment);
        let within = REACHES * reach;
        // A straight line is never longer than the arc on the globe. So a point whose height on the unit
        // sphere differs by more than this must be too far away.
        let straight = within / EARTH_KM;
        let north_of = |from: f64| self.northward.partition_point(|(_, zip)| zip[2] < display[2] + from);
        let band = &self.northward[north_of(-straight)..north_of(straight)];
        let is_near = |zip: &UnitVector| {
            let squared: f64 =
                zip.iter().zip(display).map(|(one, other)| (one - other) * (one - other)).sum();
            squared <= straight * straight
        };
        let near = band.iter().filter(|(_, zip)| is_near(zip));
        let near = near.map(|(at, zip)| (*at, great_circle_km(display, *zip)));
        let mut homes: Vec<(usize, f64)> =
            near.filter(|(_, km)| *km <= within).map(|(at, km)| (at, (-km / reach).exp())).collect();
        homes.sort_unstable_by_key(|(at, _)| *at);
        let sum: f64 = homes.iter().map(|(at, weight)| weight * self.zips[*at].residents).sum();
        homes.iter_mut().for_each(|(_, weight)| *weight *= (1.0 - elsewhere(environment)) / sum);
        Viewers { homes }
    }

    /// Returns the target's share of the local viewers of a display relative to its share of the nation. 100
    /// means that the shares are equal. `None` if there are no local viewers, or if no one is in the target
    /// or in the base.
    pub fn index(&self, viewers: &Viewers) -> Option<f64> {
        let [target, base] = [|zip: &HomeZip| zip.target, |zip: &HomeZip| zip.base]
            .map(|of| viewers.homes.iter().map(|(at, share)| share * of(&self.zips[*at])).sum::<f64>());
        let index = 100.0 * target / base / self.composition;
        index.is_finite().then_some(index)
    }
}
