//! Computes a campaign's delivery to its target persons.

use crate::{Contacts, Homes, SHAPE};

/// The highest level at which reach is computed: 1+, 2+, … 10+ contacts.
pub const AT_LEAST: usize = 10;

/// A campaign's delivery to the target persons in its markets. The numbers of target persons and contacts are
/// always greater than 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The number of target persons in the markets.
    pub persons: f64,
    /// The total number of contacts that target persons have with the campaign.
    pub impressions: f64,
    /// The number of target persons with at least 1, 2, … 10 contacts.
    pub reach_at_least: [f64; AT_LEAST],
    /// The reach at the low end of the shape's range, where contacts are distributed least evenly.
    pub reach_low: f64,
    /// The reach at the high end of the shape's range, where contacts are distributed most evenly.
    pub reach_high: f64,
}

impl Delivery {
    /// Adds up the delivery in the markets' ZIP codes. `zips` are the ZIP codes' positions in `homes`.
    /// Returns `None` if there are no target persons or no contacts.
    pub fn of(homes: &Homes, contacts: &Contacts, zips: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut sum = Self {
            persons: 0.0,
            impressions: 0.0,
            reach_at_least: [0.0; AT_LEAST],
            reach_low: 0.0,
            reach_high: 0.0,
        };
        for zip in zips {
            let (target, mean) = (homes.zips()[zip].target, contacts.of(zip));
            sum.persons += target;
            if mean == 0.0 {
                continue;
            }
            sum.impressions += target * mean;
            for (reach, share) in sum.reach_at_least.iter_mut().zip(at_least(mean, SHAPE.assumed)) {
                *reach += target * share;
            }
            sum.reach_low += target * reached(mean, SHAPE.low);
            sum.reach_high += target * reached(mean, SHAPE.high);
        }
        (sum.impressions > 0.0).then_some(sum)
    }

    /// Returns the number of target persons with at least one contact.
    pub fn reach(&self) -> f64 {
        self.reach_at_least[0]
    }

    /// Returns the average number of contacts among persons with at least one contact.
    pub fn frequency(&self) -> f64 {
        self.impressions / self.reach()
    }

    /// Returns the target rating points: the number of contacts per 100 target persons.
    pub fn trp(&self) -> f64 {
        100.0 * self.impressions / self.persons
    }
}

/// Computes only the reach, which is much faster than computing a whole [`Delivery`].
pub fn reach(homes: &Homes, contacts: &Contacts, zips: impl IntoIterator<Item = usize>) -> f64 {
    let zips = zips.into_iter().map(|zip| (homes.zips()[zip].target, contacts.of(zip)));
    zips.filter(|(_, mean)| *mean > 0.0).map(|(target, mean)| target * reached(mean, SHAPE.assumed)).sum()
}

/// Returns the share of persons with at least one contact or visit: `1 − (1 + m/k)^−k`.
pub(crate) fn reached(mean: f64, shape: f64) -> f64 {
    -(-shape * (mean / shape).ln_1p()).exp_m1()
}

/// Returns the shares of persons with at least 1, 2, … 10 contacts, if contacts follow a negative binomial
/// distribution with the given mean and shape.
fn at_least(mean: f64, shape: f64) -> [f64; AT_LEAST] {
    let mut exactly = 1.0 - reached(mean, shape);
    let mut left = reached(mean, shape);
    let mut shares = [0.0; AT_LEAST];
    for (contacts, share) in shares.iter_mut().enumerate() {
        *share = left.max(0.0);
        let next = contacts as f64 + 1.0;
        exactly *= (shape + contacts as f64) / next * mean / (mean + shape);
        left -= exactly;
    }
    shares
}
