//! Warnings of displays, places and cohorts that the release does not have. They are stored all the same: a
//! later release may have them.
//!
//! Decided in `docs/decisions/0030-unknown-ids.md`.

use std::fmt;

use dataset::{IdKind, KnownIds};
use gateway::{Warning, Warnings, shown};

use crate::joins;

/// An id in a scenario, of something that a release may have.
#[derive(Clone, Copy, Debug)]
pub struct ReferencedId<'a> {
    pub(crate) kind: IdKind,
    pub(crate) id: &'a str,
    pub(crate) at: Location,
}

/// Where an id stands in a body: the JSON pointer is written only where it is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location {
    Member(&'static str),
    Item { list: &'static str, index: usize },
    MemberOfItem { list: &'static str, index: usize, member: &'static str },
}

/// Warns of each id that is of a kind which the release has, and unknown.
pub(crate) fn unknown_ids<'a>(ids: impl Iterator<Item = ReferencedId<'a>>, known: &KnownIds) -> Warnings {
    let mut warnings = Warnings::default();
    for ReferencedId { kind, id, at } in ids {
        if known.lacks(kind, id) {
            warnings.add(|| {
                let pointer = at.to_string();
                Warning { detail: detail(kind, id, &pointer), pointer }
            });
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
    format!("is no {what} of this release: {}{source}", shown(id))
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(pointer) => f.write_str(pointer),
            Self::Item { list, index } => write!(f, "{list}/{index}"),
            Self::MemberOfItem { list, index, member } => write!(f, "{list}/{index}/{member}"),
        }
    }
}
