//! The release data for inventory search and display lookup.

use dataset::inventory::Inventory;
use dataset::{Figures, Folder, Part, Provenance, ReleaseError};

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) inventory: Inventory,
    pub(crate) about: Provenance,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 1] = [Part::Inventory];

    /// Opens a release. The error names the unusable file and states the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = folder.manifest().provenance(Figures::Inventory)?.clone();
        Ok(Self { inventory: Inventory::open(folder)?, about })
    }
}
