//! The data needed to read any of a build's sources.

use dataset::{AreaNames, Geographies, Progress};

use crate::location::{Locator, Markets};

/// The data needed to read any of a build's sources.
pub(super) struct Context<'a> {
    pub(super) geographies: &'a Geographies,
    pub(super) names: &'a AreaNames,
    pub(super) locator: &'a Locator,
    /// The vintage for sources that don't specify one, as `YYYY-MM-DD`.
    pub(super) today: &'a str,
    pub(super) progress: Progress<'a>,
}

impl Context<'_> {
    pub(super) fn markets(&self, outside_us: bool) -> Markets<'_> {
        Markets::new(self.geographies, self.names, self.locator, outside_us)
    }
}
