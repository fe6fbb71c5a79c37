use crate::{Folder, GeographyIndex, ReleaseError};

/// How many measured spots lie in each geography of a release.
#[derive(Clone, Debug)]
pub struct SpotCounts {}

impl SpotCounts {
    /// Opens the counts of a release.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open(_folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self {})
    }

    /// Returns the count of a geography.
    pub fn of(&self, _geography: GeographyIndex) -> u32 {
        0
    }
}
