//! The credentials file, with which developers, scripts, and administrator commands access the local process.

use std::io::{self, Write};
use std::path::Path;

use aws::LocalEndpoint;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::data_folder::{DataFolder, DataFolderError};

/// The content of `credentials.json` in the data folder: the local process's URLs, keys, and tokens.
#[derive(Clone, Serialize, Deserialize)]
pub struct LocalCredentials {
    /// The base URL of the main API, such as `http://127.0.0.1:3000/v2`.
    pub base_url: String,
    /// The base URL of the search gateway, such as `http://127.0.0.1:3000`.
    pub search_url: String,
    /// An API key for the sandbox organization.
    pub sandbox_key: String,
    /// An API key for the pay-as-you-go organization.
    pub payg_key: String,
    /// An API key for the first enterprise organization.
    pub enterprise_key: String,
    /// An API key for the second enterprise organization.
    pub other_org_key: String,
    /// A token for an owner of the first enterprise organization.
    pub bearer_token: String,
    /// A token for a person who doesn't belong to an organization until they sign up.
    pub newcomer_token: String,
    /// The URL of the embedded database engine.
    pub dynamodb_endpoint: String,
}

impl LocalCredentials {
    /// Reads the credentials file. Returns `None` if the file doesn't exist or is invalid.
    pub fn read(folder: &DataFolder) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.credentials_file()).ok()?).ok()
    }

    /// Returns the engine's endpoint.
    pub fn engine(&self) -> LocalEndpoint {
        endpoint(&self.dynamodb_endpoint)
    }

    /// Writes the credentials file, which only the current user can read.
    pub fn write(&self, folder: &DataFolder) -> Result<(), DataFolderError> {
        let mut json = serde_json::to_vec_pretty(self).expect("an object of strings serializes to JSON");
        json.push(b'\n');
        let file = folder.credentials_file();
        replace(folder.path(), &file, &json).map_err(DataFolderError::failed("write", &file))
    }
}

/// Returns an engine's endpoint. Any access key ID works, because the engine doesn't check signatures.
pub(super) fn endpoint(url: &str) -> LocalEndpoint {
    LocalEndpoint::at(url.to_owned())
}

/// Replaces a file atomically by renaming a temporary file, which only the current user can read.
fn replace(folder: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(bytes)?;
    new.persist(file)?;
    Ok(())
}
