//! Errors for cohort IDs in requests.

use dataset::ComposeError;
use gateway::quoted;

/// Returns the error message for an ID that doesn't refer to a cohort in the release.
pub fn not_a_cohort(id: &str, error: &ComposeError) -> String {
    let got = quoted(id);
    format!(
        "must be a cohort in this release, got {got}: {error}; use a service_segment_id from cohort search"
    )
}
