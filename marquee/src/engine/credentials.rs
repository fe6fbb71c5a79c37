//! The file that tells developers, scripts and the administrator's commands how to call the local process.

use std::io::{self, Write};
use std::path::Path;

use aws::LocalEndpoint;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::data_folder::{DataFolder, DataFolderError};

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
    pub newcomer_token: String,
    /// The embedded database engine.
    pub dynamodb_endpoint: String,
}

impl LocalCredentials {
    /// Reads the file; `None` when there is none, or this program did not write it.
    pub fn read(folder: &DataFolder) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.credentials_file()).ok()?).ok()
    }

    /// Returns the engine of the process that wrote the file.
    pub fn engine(&self) -> LocalEndpoint {
        endpoint(&self.dynamodb_endpoint)
    }

    /// Writes the file, so that only its owner can read it.
    pub fn write(&self, folder: &DataFolder) -> Result<(), DataFolderError> {
        let mut json = serde_json::to_vec_pretty(self).expect("an object of texts is JSON");
        json.push(b'\n');
        let file = folder.credentials_file();
        replace(folder.path(), &file, &json).map_err(DataFolderError::failed("write", &file))
    }
}

/// Describes an engine at an address. The SDK signs with any access key id, and the engine checks none.
pub(super) fn endpoint(url: &str) -> LocalEndpoint {
    LocalEndpoint { url: url.to_owned(), access_key_id: "local".to_owned() }
}

/// Writes a file beside the old one and renames it, so that a reader never sees half of it. It is private.
fn replace(folder: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(bytes)?;
    new.persist(file)?;
    Ok(())
}
