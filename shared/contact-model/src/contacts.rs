//! The contacts of the residents of each ZIP code with a campaign.

use crate::{Homes, Viewers};

/// The average contacts of a resident with the campaign, by ZIP code (*m*).
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts(Vec<f64>);

impl Contacts {
    /// Creates the contacts before the campaign.
    pub fn none(homes: &Homes) -> Self {
        Self(vec![0.0; homes.zips().len()])
    }

    /// Distributes impressions of a display, or of several displays with the same viewers, over the residents
    /// around them. `impressions` are weekly impressions × share of voice × weeks (*I · s · weeks*).
    pub fn add(&mut self, viewers: &Viewers, impressions: f64) {
        for (zip, share) in &viewers.homes {
            self.0[*zip] += impressions * share;
        }
    }

    pub(crate) fn of(&self, zip: usize) -> f64 {
        self.0[zip]
    }
}
