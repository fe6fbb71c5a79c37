//! IDs of cohorts in requests.

use dataset::ComposeError;
use gateway::quoted;

/// Returns the rule that a cohort's ID in a request body violates.
pub fn not_a_cohort(id: &str, error: &ComposeError) -> String {
    let got = quoted(id);
    format!(
        "must be a cohort in this release, got {got}: {error}; use a service_segment_id from cohort search"
    )
}
