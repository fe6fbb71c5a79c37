//! What a developer reads first.

use std::path::Path;

use crate::engine::LocalCredentials;

/// Prints where the service is and how to call it. The line of the map comes last; scripts wait for it.
pub(super) fn print(credentials: &LocalCredentials, credentials_file: &Path, map_link: &str) {
    let LocalCredentials { base_url, sandbox_key, .. } = credentials;
    let file = credentials_file.display();
    println!("Marquee serves {base_url}; all keys are in {file}. Stop it with Ctrl-C. Try:");
    println!();
    println!("  curl -s -H 'X-API-Key: {sandbox_key}' {base_url}/scenarios/campaigns/summary");
    println!();
    println!("map: {map_link}");
    println!();
}
