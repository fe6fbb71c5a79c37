//! Warnings of displays, places and cohorts that the release does not have. They are stored all the same: a
//! later release may have them.
//!
//! Decided in `docs/decisions/0030-unknown-ids.md`.

use dataset::{IdKind, KnownIds};
use gateway::{Warning, Warnings, quoted};

use crate::joins;

/// An id in a scenario, of something that a release may have.
#[derive(Clone, Debug)]
pub struct ReferencedId<'a> {
    pub(crate) kind: IdKind,
    pub(crate) id: &'a str,
    /// Where it stands in the body, as a JSON pointer.
    pub(crate) pointer: String,
}

/// Warns of each id that is of a kind which the release has, and unknown.
pub(crate) fn unknown_ids<'a>(ids: impl Iterator<Item = ReferencedId<'a>>, known: &KnownIds) -> Warnings {
    let mut warnings = Warnings::default();
    for ReferencedId { kind, id, pointer } in ids {
        if known.lacks(kind, id) {
            warnings.add(|| Warning { detail: detail(kind, id, &pointer), pointer });
        }
    }
    warnings
}

/// Says what is unknown, and where the id comes from.
fn detail(kind: IdKind, id: &str, pointer: &str) -> String {
    let what = match kind {
        IdKind::Display => "display",
        IdKind::Place => "place",
        IdKind::Cohort => "cohort",
    };
    let source = joins::source(pointer).map_or_else(String::new, |source| format!("; {source}"));
    format!("{} is not a {what} of this release{source}", quoted(id))
}
