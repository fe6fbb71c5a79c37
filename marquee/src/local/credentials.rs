use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
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
        // Written beside and renamed, so that a reader never sees half of it. What a stopped start left there could be
        // open to others; a new file is its owner's from its first moment.
        let new = path.with_extension("new");
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(refused(error)),
            _ => {}
        }
        let mut file = private_file().open(&new).map_err(refused)?;
        file.write_all(&json).map_err(refused)?;
        std::fs::rename(&new, &path).map_err(refused)
    }
}

/// Makes a data folder that only its owner can enter; one that is there stays as it is.
pub(super) fn make_folder(data_dir: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data_dir)
}

/// Describes a new file that only its owner can read.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
