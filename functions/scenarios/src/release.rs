//! The release data for campaigns and events.

use dataset::{Folder, Geographies, KnownIds, Part, ReleaseError};

/// The release data that both libraries read.
#[derive(Clone, Debug)]
pub struct Release {
    /// The geographies that a scenario's cohort can name.
    pub(crate) geographies: Geographies,
    /// The IDs of all displays, places, and cohorts in the release.
    pub(crate) known_ids: KnownIds,
}

impl Release {
    /// The parts of a release that the libraries read.
    pub const PARTS: [Part; 2] = [Part::Geographies, Part::KnownIds];

    /// Opens a release. The error names the unusable file and states the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self { geographies: Geographies::open(folder)?, known_ids: KnownIds::open(folder)? })
    }
}
