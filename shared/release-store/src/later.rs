//! Parts of a release that are opened when a call first needs them.

use dataset::{Folder, Part, ReleaseError};
use tokio::sync::OnceCell;

use crate::config::ReleaseConfig;
use crate::location::ReleaseLocation;
use crate::open::opener;
use crate::unavailable::ReleaseUnavailable;

/// Parts of a release that are opened when a call first needs them, so that they don't delay cold starts.
#[derive(Debug)]
pub struct LaterParts<T> {
    parts: &'static [Part],
    read: fn(&Folder) -> Result<T, ReleaseError>,
    config: ReleaseConfig,
    opened: OnceCell<T>,
}

impl<T: Send + 'static> LaterParts<T> {
    /// Creates parts that are read from a folder, unless [`fetched_with`](Self::fetched_with) sets another
    /// location. `read` opens the parts and returns their data.
    pub fn new(
        folder: &Folder,
        parts: &'static [Part],
        read: fn(&Folder) -> Result<T, ReleaseError>,
    ) -> Self {
        let location = ReleaseLocation::Folder(folder.path().to_owned());
        Self { parts, read, config: ReleaseConfig::at(location), opened: OnceCell::new() }
    }

    /// Replaces the configuration, including the location. The parts are cached in a separate folder, because
    /// fetching parts replaces a cached release's other files.
    #[must_use]
    pub fn fetched_with(self, config: &ReleaseConfig) -> Self {
        let names: Vec<&str> = self.parts.iter().map(|part| part.file()).collect();
        let cache = config.cache.join(format!("later-{}", names.join("-")));
        Self { config: ReleaseConfig { cache, ..config.clone() }, ..self }
    }

    /// Returns the parts' data, which the first call fetches.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`open`](crate::open). The next call tries again.
    pub async fn get(&self) -> Result<&T, ReleaseUnavailable> {
        self.opened.get_or_try_init(opener(self.config.clone(), self.parts, self.read)).await
    }
}
