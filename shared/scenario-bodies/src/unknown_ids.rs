//! Warnings about displays, places, and cohorts that the release doesn't contain. Their IDs are stored
//! anyway, because a later release may contain them.
//!
//! See `docs/decisions/0030-unknown-ids.md`.

use dataset::{IdKind, KnownIds};
use gateway::{Warning, Warnings, quoted};

use crate::joins;

/// The ID of a display, place, or cohort in a scenario.
#[derive(Clone, Debug)]
pub struct ReferencedId<'a> {
    pub(crate) kind: IdKind,
    pub(crate) id: &'a str,
    /// A JSON pointer to the ID.
    pub(crate) pointer: String,
}

/// Returns a warning for each ID that the release doesn't contain. If the release has no IDs of a kind at
/// all, IDs of that kind aren't checked.
pub fn unknown_ids<'a>(ids: impl Iterator<Item = ReferencedId<'a>>, known: &KnownIds) -> Warnings {
    let mut warnings = Warnings::default();
    for ReferencedId { kind, id, pointer } in ids {
        if known.lacks(kind, id) {
            warnings.add(|| Warning { detail: detail(kind, id, &pointer), pointer });
        }
    }
    warnings
}

/// Describes an unknown ID and says where to find valid ones.
fn detail(kind: IdKind, id: &str, pointer: &str) -> String {
    let what = match kind {
        IdKind::Display => "display",
        IdKind::Place => "place",
        IdKind::Cohort => "cohort",
    };
    let source = joins::source(pointer).map_or_else(String::new, |source| format!("; {source}"));
    format!("{} is not a {what} in this release{source}", quoted(id))
}
