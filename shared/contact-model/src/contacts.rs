//! The contacts of the residents of each ZIP code with a campaign.

use std::collections::BTreeMap;

use dataset::position::UnitVector;

use crate::{Environment, Homes, Viewers};

/// The impressions that a display delivers to a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Exposure {
    /// Where the display stands. Displays at the same point and in the same environment have the same viewers,
    /// so a caller that moves displays to the centers of their ZIP codes makes estimates of large plans fast.
    pub point: UnitVector,
    pub environment: Environment,
    /// Weekly impressions × share of voice × weeks (*I · s · weeks*).
    pub impressions: f64,
}

/// The average contacts of a resident with the campaign, by ZIP code (*m*).
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts(Vec<f64>);

impl Contacts {
    /// Distributes the impressions of displays over the residents around them: `(1 − ε) · impressions` for the
    /// local viewers, in proportion to `exp(−km / λ)`. All other impressions are those of people who live
    /// elsewhere, who aren't counted here.
    pub fn of(homes: &Homes, exposures: impl IntoIterator<Item = Exposure>) -> Self {
        let mut groups = BTreeMap::<([u64; 3], Environment), Exposure>::new();
        for exposure in exposures {
            let key = (exposure.point.map(f64::to_bits), exposure.environment);
            groups.entry(key).and_modify(|sum| sum.impressions += exposure.impressions).or_insert(exposure);
        }
        let mut contacts = Self(vec![0.0; homes.zips().len()]);
        for Exposure { point, environment, impressions } in groups.into_values() {
            let local = impressions * (1.0 - environment.elsewhere());
            contacts.add(&homes.viewers(point, environment), local);
        }
        contacts
    }

    pub(crate) fn per_resident(&self) -> &[f64] {
        &self.0
    }

    fn add(&mut self, viewers: &Viewers, local: f64) {
        for (zip, share) in viewers.homes() {
            self.0[*zip] += local * share;
        }
    }
}
