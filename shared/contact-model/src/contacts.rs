//! The contacts that the residents of each ZIP code have with a campaign.

use crate::{Homes, Viewers};

/// For each ZIP code, the average number of contacts that a resident has with a campaign (*m*).
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts(Vec<f64>);

impl Contacts {
    /// Starts with zero contacts in every ZIP code.
    pub fn none(homes: &Homes) -> Self {
        Self(vec![0.0; homes.zips().len()])
    }

    /// Distributes the impressions of a display among the residents who live near it. Displays with the same
    /// viewers can be added together, with the sum of their impressions. `impressions` is weekly impressions
    /// × share of voice × weeks (*I · s · weeks*).
    pub fn add(&mut self, viewers: &Viewers, impressions: f64) {
        for (zip, share) in &viewers.homes {
            self.0[*zip] += impressions * share;
        }
    }

    pub(crate) fn of(&self, zip: usize) -> f64 {
        self.0[zip]
    }
}
