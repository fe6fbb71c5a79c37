//! IDs of cohorts in requests.

use dataset::ComposeError;
use gateway::quoted;

/// Returns the error message for a cohort ID in a request body that doesn't name a cohort of the release.
pub fn not_a_cohort(id: &str, error: &ComposeError) -> String {
    let got = quoted(id);
    format!(
        "must be a cohort in this release, got {got}: {error}; use a service_segment_id from cohort search"
    )
}
