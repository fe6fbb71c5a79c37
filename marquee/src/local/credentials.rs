use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

const FILE: &str = "credentials.json";

/// What a developer needs to call the local service: `credentials.json` in the data folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalCredentials {
    /// The root of the main surface.
    pub base_url: String,
    /// The search gateway.
    pub search_url: String,
    /// A key of a sandbox organization of its own.
    pub sandbox_key: String,
    /// A key of a pay-as-you-go organization of its own.
    pub payg_key: String,
    /// A key of an enterprise organization.
    pub enterprise_key: String,
    /// A key of yet another enterprise organization.
    pub other_org_key: String,
    /// A token of a person in the organization of `enterprise_key`.
    pub bearer_token: String,
    /// The embedded database engine.
    pub dynamodb_endpoint: String,
}

impl LocalCredentials {
    /// Returns the file's place in a data folder.
    pub fn path(data_dir: &Path) -> PathBuf {
        data_dir.join(FILE)
    }

    /// Reads the file; `None` when there is none or it is not readable.
    pub fn read(data_dir: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(Self::path(data_dir)).ok()?).ok()
    }

    /// Writes the file, for its owner's eyes only.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, data_dir: &Path) -> Result<(), String> {
        let path = Self::path(data_dir);
        let refused = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let mut json = serde_json::to_vec_pretty(self).map_err(|error| error.to_string())?;
        json.push(b'\n');
        // Written beside and renamed, so that a reader never sees half of it.
        let new = path.with_extension("new");
        std::fs::write(&new, json).map_err(refused)?;
        restrict(&new).map_err(refused)?;
        std::fs::rename(&new, &path).map_err(refused)
    }
}

#[cfg(unix)]
fn restrict(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn restrict(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
