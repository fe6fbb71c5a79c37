//! What the libraries read of a data release.

use dataset::{Folder, Geographies, KnownIds, Part, ReleaseError};

/// What the libraries read of a data release.
#[derive(Clone, Debug)]
pub struct Release {
    /// Those that a market may be made of.
    pub(crate) geographies: Geographies,
    /// The displays, places and cohorts that there are.
    pub(crate) known_ids: KnownIds,
}

impl Release {
    /// The parts of a release that the libraries read.
    pub const PARTS: [Part; 2] = [Part::Geographies, Part::KnownIds];

    /// Opens a release.
    ///
    /// # Errors
    ///
    /// The file that cannot be used, and why.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self { geographies: Geographies::open(folder)?, known_ids: KnownIds::open(folder)? })
    }
}
