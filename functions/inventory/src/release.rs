//! What this function reads of a data release.

use dataset::inventory::Inventory;
use dataset::{Figures, Folder, Part, Provenance, ReleaseError};

/// What this function reads of a data release.
#[derive(Debug)]
pub struct Release {
    pub(crate) inventory: Inventory,
    pub(crate) about: Provenance,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 1] = [Part::Inventory];

    /// Opens a release.
    ///
    /// # Errors
    ///
    /// The file that cannot be used, and why.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = folder.manifest().provenance(Figures::Inventory)?.clone();
        Ok(Self { inventory: Inventory::open(folder)?, about })
    }
}
