//! The release data for the libraries.

use dataset::{Folder, Geographies, KnownIds, Part, ReleaseError};

/// The release data that the libraries read.
#[derive(Clone, Debug)]
pub struct Release {
    /// The geographies that a campaign's or event's cohort may use.
    pub(crate) geographies: Geographies,
    /// The ids of existing displays, places, and cohorts.
    pub(crate) known_ids: KnownIds,
}

impl Release {
    /// The parts of a release that the libraries read.
    pub const PARTS: [Part; 2] = [Part::Geographies, Part::KnownIds];

    /// Opens a release. An error names the unusable file and the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self { geographies: Geographies::open(folder)?, known_ids: KnownIds::open(folder)? })
    }
}
