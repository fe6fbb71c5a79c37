//! The `If-Match` header, which restricts a change to given versions of an asset.

use gateway::{ApiError, Code, Violations};
use http::{HeaderMap, header};
use store::{Attempt, Head};

/// The precondition that an `If-Match` header states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// Matches any version: the header is missing or contains `*`.
    Any,
    /// Matches any of these entity tags, which include their quotation marks.
    Tags(Vec<String>),
}

impl Precondition {
    /// Parses `If-Match`: `*`, or a comma-separated list of entity tags. A bare `version` number is also
    /// accepted as an entity tag.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, ApiError> {
        let mut tags = Vec::new();
        for value in headers.get_all(header::IF_MATCH) {
            let text = value.to_str().map_err(|_| malformed())?.trim();
            if text == "*" {
                return Ok(Self::Any);
            }
            for tag in parts(text) {
                tags.push(entity_tag(tag.trim()).ok_or_else(malformed)?);
            }
        }
        Ok(if tags.is_empty() { Self::Any } else { Self::Tags(tags) })
    }

    /// Returns an error if the asset is locked or its version doesn't match.
    ///
    /// `locked` is the error code for an asset that was locked before the request began. If the asset may
    /// have become locked after the caller read it, the error is a state conflict instead.
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
                "the asset is at version \"{}\", which does not match `If-Match`; read the asset again",
                head.version
            );
            return Err(ApiError::new(Code::PreconditionFailed, message).with_version(head.version));
        }
        if stale || attempt == Attempt::Retry {
            let message = format!("the asset became {state} after it was read; read it again");
            return Err(ApiError::new(Code::StateConflict, message));
        }
        let message =
            format!("the asset is {state}; only draft, queued, and failed assets can be edited or deleted");
        Err(ApiError::new(locked, message))
    }
}

/// Splits a list of entity tags at its commas. Commas within quotation marks are part of a tag
/// (<https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3>).
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |character| {
        is_quoted ^= character == '"';
        character == ',' && !is_quoted
    })
}

/// Parses an entity tag, and adds quotation marks to a bare version. Returns `None` for anything else.
fn entity_tag(text: &str) -> Option<String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("\"{text}\""));
    }
    let quoted = text.strip_prefix("W/").unwrap_or(text);
    let opaque = quoted.strip_prefix('"')?.strip_suffix('"')?;
    (!opaque.contains('"')).then(|| text.to_owned())
}

fn malformed() -> ApiError {
    let detail =
        "must be `*`, a quoted entity tag from `ETag`, such as \"3\", or a bare `version`, such as 3";
    Violations::one("If-Match", detail).into()
}
