//! The file that tells developers, scripts and the operator's commands how to call the local process.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use shared::aws::LocalEndpoint;

use super::data_folder::{DataFolder, DataFolderError, private_file};

/// What a developer needs to call the local service: `credentials.json` in the data folder.
#[derive(Clone, Serialize, Deserialize)]
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
    /// A key of another enterprise organization.
    pub other_org_key: String,
    /// A token of a person in the organization of `enterprise_key`.
    pub bearer_token: String,
    /// A token of a person who is in no organization until they sign up.
    #[serde(default)]
    pub newcomer_token: String,
    /// The embedded database engine.
    pub dynamodb_endpoint: String,
    /// The secret of this start, which the engine takes as access key id. A file without one is not used for
    /// calling the engine, and its keys are kept.
    #[serde(default)]
    pub dynamodb_access_key_id: String,
}

impl LocalCredentials {
    /// Reads the file; `None` when there is none, or it is not what this program writes.
    pub fn read(folder: &DataFolder) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.credentials_file()).ok()?).ok()
    }

    /// Returns the engine of the process that wrote the file.
    pub fn engine(&self) -> LocalEndpoint {
        LocalEndpoint {
            url: self.dynamodb_endpoint.clone(),
            access_key_id: self.dynamodb_access_key_id.clone(),
        }
    }

    /// Writes the file, so that only its owner can read it.
    pub fn write(&self, folder: &DataFolder) -> Result<(), DataFolderError> {
        let file = folder.credentials_file();
        let mut json = serde_json::to_vec_pretty(self).expect("an object of texts is JSON");
        json.push(b'\n');
        replace(&file, &json).map_err(|source| DataFolderError::Write { file, source })
    }
}

/// Writes a file beside the old one and renames it, so that a reader never sees half of it.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    // What an interrupted start left there may be readable by others; a new file is private from the start.
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    private_file().create_new(true).open(&new)?.write_all(bytes)?;
    std::fs::rename(&new, path)
}
