//! `If-Match`: which versions of an asset may be changed.

use http::{HeaderMap, header};
use shared::dynamo::{Attempt, Head};
use shared::http::{ApiError, Code};
use shared::input::Violations;

/// What `If-Match` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// There is none, or it is `*`: any version will do.
    Any,
    /// One of these entity tags, quotes and all.
    Tags(Vec<String>),
}

impl Precondition {
    /// Reads `If-Match`: `*`, or quoted entity tags with commas between them.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, ApiError> {
        let mut tags = Vec::new();
        for value in headers.get_all(header::IF_MATCH) {
            let text = value.to_str().map_err(|_| malformed())?.trim();
            if text == "*" {
                return Ok(Self::Any);
            }
            for tag in text.split(',').map(str::trim) {
                let quoted = tag.strip_prefix("W/").unwrap_or(tag);
                let opaque = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                if opaque.is_none_or(|opaque| opaque.contains('"')) {
                    return Err(malformed());
                }
                tags.push(tag.to_owned());
            }
        }
        Ok(if tags.is_empty() { Self::Any } else { Self::Tags(tags) })
    }

    /// Lets a change through to an asset that is neither locked nor stale.
    ///
    /// `locked` is the code for an asset that the caller could have known to be in flight or completed.
    pub(crate) fn check(&self, head: &Head, attempt: Attempt, locked: Code) -> Result<(), ApiError> {
        let stale = match self {
            Self::Any => false,
            Self::Tags(tags) => !tags.contains(&format!("\"{}\"", head.version)),
        };
        let state = head.state;
        if !state.is_locked() && !stale {
            return Ok(());
        }
        if !state.is_locked() {
            let message = format!(
                "the asset is at version \"{}\", not at the one in `If-Match`; read it again",
                head.version
            );
            return Err(ApiError::new(Code::PreconditionFailed, message));
        }
        if stale || attempt == Attempt::Retry {
            let message = format!("the asset has become {state} since it was read; read it again");
            return Err(ApiError::new(Code::StateConflict, message));
        }
        let message =
            format!("the asset is {state}; only draft, queued and failed assets can be edited or deleted");
        Err(ApiError::new(locked, message))
    }
}

fn malformed() -> ApiError {
    let mut violations = Violations::default();
    violations.add("If-Match", "must be `*` or a quoted entity tag, such as \"3\", as `ETag` gave it");
    violations.into()
}
