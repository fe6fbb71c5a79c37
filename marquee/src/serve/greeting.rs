//! What a developer reads first.

use std::path::Path;

use portal::PATH;

use crate::engine::LocalCredentials;
use crate::output::{OutputError, print_line};

/// Prints where the service is and how to call it. The portal's address comes last; scripts wait for it.
pub(super) fn print(
    credentials: &LocalCredentials,
    credentials_file: &Path,
    origin: &str,
) -> Result<(), OutputError> {
    let LocalCredentials { base_url, sandbox_key, .. } = credentials;
    let file = credentials_file.display();
    print_line(format_args!(
        "Marquee serves {base_url}; all keys are in {file}. Stop it with Ctrl-C. Try:\n\n  \
         curl -s -H 'X-API-Key: {sandbox_key}' {base_url}/scenarios/campaigns/summary\n\n\
         portal: {origin}{PATH}/\n"
    ))
}
