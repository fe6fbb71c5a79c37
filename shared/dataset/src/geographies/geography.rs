//! A geography and its properties.

use std::borrow::Cow;

use super::id::{GeographyId, GeographyType};
use crate::position::Position;

/// The position of a geography in its release's table, which is sorted by type and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeographyIndex(u32);

impl GeographyIndex {
    pub fn raw(self) -> u32 {
        self.0
    }

    /// Creates an index from a position that's stored in a file of the same release.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// A geographic area: the nation, a state, a county, a market, or a ZIP code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geography<'a> {
    pub id: GeographyId,
    /// The name. For counties and ZIP codes, it includes the state: `Suffolk County, NY`, `Holtsville, NY`.
    pub name: &'a str,
    /// The number of residents.
    pub population: u32,
    /// The number of households.
    pub households: u32,
    /// The center of the area. For counties and ZIP codes, it's from the data source. For larger areas, it's
    /// the mean position of the residents, or `None` if no residents are known, as for CBSAs in Puerto Rico.
    pub position: Option<Position>,
    /// The state that a county or ZIP code is in. `None` for all other types.
    pub state: Option<GeographyIndex>,
    /// The county that a ZIP code is in. `None` for all other types.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that a county or ZIP code is in, if any.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that a county or ZIP code is in, if any.
    pub dma: Option<GeographyIndex>,
}

impl<'a> Geography<'a> {
    /// Returns the name to show in lists of areas. For a ZIP code, it starts with the five digits, as in
    /// `00501 Holtsville, NY`, because a city can have several ZIP codes.
    pub fn name_with_zip(&self) -> Cow<'a, str> {
        match self.id.geography_type() {
            GeographyType::Zip => format!("{} {}", self.id.national_id(), self.name).into(),
            _ => self.name.into(),
        }
    }
}
