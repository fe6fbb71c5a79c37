//! Checks that the release contains a cohort's geographies. Derived deserialization can't access the release,
//! so this check reads the unparsed body. It finds unknown geographies even if other members are invalid.

use dataset::{Geographies, GeographyId};
use gateway::{JsonBody, Violations, quoted};

/// Returns a violation for each ID in `/cohort/geography_ids` that is malformed or missing from the release.
/// Skips items that aren't strings, because derived deserialization reports these.
pub(crate) fn unknown_geographies(body: &JsonBody, known: &Geographies) -> Violations {
    let mut violations = Violations::default();
    let ids = body.raw().get("cohort").and_then(|cohort| cohort.get("geography_ids"));
    for (index, id) in ids.and_then(|ids| ids.as_array()).unwrap_or_default().iter().enumerate() {
        let Some(text) = id.as_str() else { continue };
        let wrong = match text.parse::<GeographyId>() {
            Ok(id) if known.contains(&id) => continue,
            Ok(_) => format!("must be a geography in this release, got {}", quoted(text)),
            Err(error) => format!("{error}, got {}", quoted(text)),
        };
        violations.add(format!("/cohort/geography_ids/{index}"), wrong);
    }
    violations
}
