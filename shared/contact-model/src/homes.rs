//! The ZIP codes where people live, and who of them sees a display.

use dataset::position::{EARTH_KM, UnitVector, great_circle_km};

use crate::Environment;

/// The distance within which the viewers of a display live, in multiples of its reach.
const REACHES: f64 = 6.0;

/// A ZIP code and its residents. Every kind of person is counted on the same base, for example persons 18+.
#[derive(Clone, Copy, Debug)]
pub struct HomeZip {
    pub point: UnitVector,
    /// All residents (*N*).
    pub residents: f64,
    /// The residents in the target cohort (*N · c*).
    pub target: f64,
    /// The residents in the cohort that the target is compared with (*N · b*).
    pub base: f64,
}

/// The ZIP codes of the nation. They're identified by their positions in the list they were created from.
#[derive(Clone, Debug)]
pub struct Homes {
    zips: Vec<HomeZip>,
    /// The inhabited ZIP codes from south to north.
    northward: Vec<usize>,
}

/// Where the local viewers of a display live.
#[derive(Clone, Debug)]
pub struct Viewers {
    /// The ZIP codes within reach, and the share of the local contacts that each of their residents has.
    homes: Vec<(usize, f64)>,
}

impl Homes {
    pub fn new(zips: Vec<HomeZip>) -> Self {
        let mut northward: Vec<usize> = (0..zips.len()).filter(|zip| zips[*zip].residents > 0.0).collect();
        northward.sort_by(|a, b| zips[*a].point[2].total_cmp(&zips[*b].point[2]).then(a.cmp(b)));
        Self { zips, northward }
    }

    pub fn zips(&self) -> &[HomeZip] {
        &self.zips
    }

    /// Returns the local viewers of a display: `exp(−km / λ) / S` for each resident within 6 *λ*, where *S* is
    /// the sum of `exp(−km / λ)` over all residents. Without residents in reach, the display has no local
    /// viewers.
    pub fn viewers(&self, display: UnitVector, environment: Environment) -> Viewers {
        let reach = environment.reach_km();
        // A point whose height on the unit sphere differs by more is farther away, even in a straight line.
        let height = REACHES * reach / EARTH_KM;
        let north_of =
            |from: f64| self.northward.partition_point(|zip| self.zips[*zip].point[2] < display[2] + from);
        let band = &self.northward[north_of(-height)..north_of(height)];
        let near = band.iter().map(|zip| (*zip, great_circle_km(display, self.zips[*zip].point)));
        let mut homes: Vec<(usize, f64)> = near
            .filter(|(_, km)| *km <= REACHES * reach)
            .map(|(zip, km)| (zip, (-km / reach).exp()))
            .collect();
        homes.sort_unstable_by_key(|(zip, _)| *zip);
        let sum: f64 = homes.iter().map(|(zip, weight)| weight * self.zips[*zip].residents).sum();
        homes.iter_mut().for_each(|(_, weight)| *weight /= sum);
        Viewers { homes }
    }

    /// Returns how often the target is among the local viewers of a display, relative to the nation: 100 means
    /// as often. `None` if there are no local viewers, or no one in the target or in the base.
    pub fn index(&self, viewers: &Viewers) -> Option<f64> {
        let sum = |of: &dyn Fn(&HomeZip) -> f64| -> f64 {
            viewers.homes.iter().map(|(zip, share)| share * of(&self.zips[*zip])).sum()
        };
        let all = |of: &dyn Fn(&HomeZip) -> f64| -> f64 { self.zips.iter().map(of).sum() };
        let local = sum(&|zip| zip.target) / sum(&|zip| zip.base);
        let nation = all(&|zip| zip.target) / all(&|zip| zip.base);
        let index = 100.0 * local / nation;
        index.is_finite().then_some(index)
    }
}

impl Viewers {
    pub(crate) fn homes(&self) -> &[(usize, f64)] {
        &self.homes
    }
}
