//! The `If-Match` header, which restricts a change to given versions of an asset.

use gateway::{ApiError, Code, EntityTags, InvalidValue, MalformedEntityTags, Violations};
use http::{HeaderMap, header};
use store::{Attempt, Head};

/// The precondition in an `If-Match` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Precondition(Option<EntityTags>);

impl Precondition {
    /// Parses `If-Match`. A bare `version` number is also accepted as an entity tag.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, ApiError> {
        EntityTags::read(headers, header::IF_MATCH).map(Self).map_err(malformed)
    }

    /// Requires the given version. If `version` is `None`, any version is accepted.
    pub(crate) fn of_version(version: Option<usize>) -> Self {
        Self(version.map(|version| EntityTags::Listed(vec![format!("\"{version}\"")])))
    }

    /// Checks the precondition for an asset that doesn't exist. Returns an error if a version is required.
    pub(crate) fn check_missing(&self) -> Result<(), ApiError> {
        let message = "no asset has this customer_scenario_id, so `If-Match` does not match; omit `If-Match` to \
                       create the asset";
        self.0.as_ref().map_or(Ok(()), |_| Err(ApiError::new(Code::PreconditionFailed, message)))
    }

    /// Returns an error if the asset is locked or its version doesn't match.
    ///
    /// `locked` is the error code for an asset that was locked before the request began. If the asset may
    /// have become locked after the caller read it, the error is a state conflict instead.
    pub(crate) fn check(&self, head: &Head, attempt: Attempt, locked: Code) -> Result<(), ApiError> {
        let current = format!("\"{}\"", head.version);
        let stale = self.0.as_ref().filter(|tags| !tags.match_strongly(&current));
        let state = head.state;
        if !state.is_locked() {
            return stale.map_or(Ok(()), |tags| Err(failed(tags, head.version)));
        }
        if stale.is_some() || attempt == Attempt::Retry {
            let message = format!("the asset's state changed to {state} after you read it; fetch it again");
            return Err(ApiError::new(Code::StateConflict, message));
        }
        let message =
            format!("the asset is {state}; only draft, queued, and failed assets can be edited or deleted");
        Err(ApiError::new(locked, message))
    }
}

/// Returns the error for entity tags that don't match the asset's version.
fn failed(tags: &EntityTags, version: u64) -> ApiError {
    let message = match tags.only_weak() {
        Some(strong) => format!(
            "weak entity tags never match `If-Match`, got W/{strong}; send the strong tag of the version \
             that you read, {strong}; the asset is at version \"{version}\""
        ),
        None => format!(
            "the asset is at version \"{version}\", which does not match `If-Match`; read the asset again"
        ),
    };
    ApiError::new(Code::PreconditionFailed, message).with_version(version)
}

fn malformed(MalformedEntityTags(tag): MalformedEntityTags) -> ApiError {
    let rule = "must be `*`, a quoted entity tag from `ETag`, such as \"3\", or a bare `version`, such as 3";
    Violations::one("If-Match", InvalidValue::quoting(rule, &tag).0).into()
}
