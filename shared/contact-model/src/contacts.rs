//! The number of contacts that residents have with a campaign, by ZIP code.

use crate::{Homes, Viewers};

/// The average number of contacts that a resident of each ZIP code has with a campaign (*m*).
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts(Vec<f64>);

impl Contacts {
    /// Returns zero contacts for every ZIP code.
    pub fn none(homes: &Homes) -> Self {
        Self(vec![0.0; homes.zips().len()])
    }

    /// Distributes a display's impressions among the residents who live near it. `impressions` is weekly
    /// impressions × share of voice × weeks (*I · s · weeks*). Displays with the same viewers can be added in
    /// one call, with the sum of their impressions.
    pub fn add(&mut self, viewers: &Viewers, impressions: f64) {
        for (zip, share) in &viewers.homes {
            self.0[*zip] += impressions * share;
        }
    }

    pub(crate) fn of(&self, zip: usize) -> f64 {
        self.0[zip]
    }
}
