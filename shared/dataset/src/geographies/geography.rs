//! A geographic area and its properties.

use std::borrow::Cow;

use super::id::{GeographyId, GeographyType};
use crate::position::Position;

/// The position of a geography in the table of its release, which is sorted by type and code.
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

/// A geographic area and its properties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geography<'a> {
    pub id: GeographyId,
    /// The name. The names of counties and ZIP codes include the state: `Suffolk County, NY`, `Holtsville,
    /// NY`.
    pub name: &'a str,
    /// The number of residents.
    pub population: u32,
    /// The number of households.
    pub households: u32,
    /// The center of the area: from the data source for counties and ZIP codes, and the mean position of the
    /// residents for larger areas. `None` if no residents of a larger area are known, as for CBSAs in Puerto
    /// Rico.
    pub position: Option<Position>,
    /// The state of a county or ZIP code, otherwise `None`.
    pub state: Option<GeographyIndex>,
    /// The county of a ZIP code, otherwise `None`.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area of a county or ZIP code, if it's in one.
    pub cbsa: Option<GeographyIndex>,
    /// The television market of a county or ZIP code, if it's in one.
    pub dma: Option<GeographyIndex>,
}

impl<'a> Geography<'a> {
    /// Returns the name to show in lists of areas. For a ZIP code, it starts with the five digits, as in
    /// `00501 Holtsville, NY`, because several ZIP codes can have the same city.
    pub fn name_with_zip(&self) -> Cow<'a, str> {
        match self.id.geography_type() {
            GeographyType::Zip => format!("{} {}", self.id.national_id(), self.name).into(),
            _ => self.name.into(),
        }
    }
}
