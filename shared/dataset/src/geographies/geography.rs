//! An area, and what is known of it.

use super::id::GeographyId;
use crate::position::Position;

/// A geography's position in its release's table, which is sorted by type and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeographyIndex(u32);

impl GeographyIndex {
    pub fn raw(self) -> u32 {
        self.0
    }

    /// Takes a position that a file of the same release holds.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// An area and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geography<'a> {
    pub id: GeographyId,
    /// Its name; a county and a ZIP code's place carry their state: `Suffolk County, NY`, `Holtsville, NY`.
    pub name: &'a str,
    /// The persons who live there.
    pub population: u32,
    /// The households there.
    pub households: u32,
    /// Its middle: where the sources say, or the mean of its counties weighted by their persons. `None` where
    /// nobody is counted, as in the areas of Puerto Rico.
    pub position: Option<Position>,
    /// The state of a county or ZIP code.
    pub state: Option<GeographyIndex>,
    /// The county of a ZIP code.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area of a county or ZIP code that lies in one.
    pub cbsa: Option<GeographyIndex>,
    /// The television market of a county or ZIP code that lies in one.
    pub dma: Option<GeographyIndex>,
}
