//! `POST .../batch`: up to 100 changes to a library in one call. Each has its own result, price,
//! precondition, and idempotency key.
//!
//! The operations run one after the other, so an operation can depend on earlier ones. See
//! `docs/decisions/0068-batches.md`.

use axum::Extension;
use axum::extract::State;
use deserr::{Deserr, IntoValue, ValuePointerRef};
use gateway::{
    ApiError, Batch, Bounded, Caller, Items, JsonBody, OperationKey, Parsed, Reply, Settled, Violation,
    Violations,
};
use serde::Serialize;
use store::{AssetId, AssetState, Head, IdempotencyKey, UnusedKey};

use crate::changes::{Changed, write_error};
use crate::handlers::{Library, not_found};
use crate::library::Listed;
use crate::precondition::Precondition;

/// The maximum number of operations in a batch. See `CampaignBatch` in openapi.yaml.
const MAX_OPERATIONS: usize = 100;

/// The maximum number of violations in an operation's result, which keeps the response below Lambda's limit.
const MAX_VIOLATIONS: usize = 20;

/// The request body. See `CampaignBatch` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct BatchBody {
    operations: Items<Operation, 1, MAX_OPERATIONS>,
}

/// An operation. Its body is checked only when the operation runs, so that an invalid body doesn't prevent
/// the other operations.
struct Operation {
    key: IdempotencyKey,
    change: Change,
}

/// The change that an operation makes. An operation that repeats an idempotency key must have the same
/// change, compared as JSON.
#[derive(Serialize)]
enum Change {
    Create { body: JsonBody },
    Replace { version: Option<Version>, body: JsonBody },
    Patch { id: AssetId, version: Option<Version>, body: JsonBody },
    Delete { id: AssetId, version: Option<Version> },
}

/// All members that an operation can have. See `CampaignOperation` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Members {
    operation: Kind,
    idempotency_key: Parsed<IdempotencyKey>,
    asset_id: Option<Parsed<AssetId>>,
    version: Option<Version>,
    body: Option<JsonBody>,
}

#[derive(Clone, Copy, Debug, Deserr)]
#[deserr(error = Violations, rename_all = lowercase)]
enum Kind {
    Create,
    Replace,
    Patch,
    Delete,
}

type Version = Bounded<1, { usize::MAX }>;

/// An operation's result. See `OperationResult` in openapi.yaml.
#[serde_with::skip_serializing_none]
#[derive(Debug, Serialize)]
pub(crate) struct OperationResult {
    status: u16,
    asset_id: Option<AssetId>,
    version: Option<u64>,
    state: Option<AssetState>,
    credits_used: u64,
    replayed: bool,
    /// The number of IDs in the body that the release doesn't contain.
    warnings_total: Option<usize>,
    error: Option<OperationError>,
}

#[serde_with::skip_serializing_none]
#[derive(Debug, Serialize)]
struct OperationError {
    code: &'static str,
    message: String,
    errors: Option<Vec<Violation>>,
}

enum Done {
    Written { id: AssetId, version: u64, state: AssetState, warnings: usize },
    Deleted { id: AssetId },
}

pub(crate) async fn run<S: Listed>(
    State(library): State<Library>,
    caller: Caller,
    Extension(batch): Extension<Batch>,
    body: JsonBody,
) -> Result<Reply<Vec<OperationResult>>, ApiError> {
    let BatchBody { operations } = body.read()?;
    let mut results = Vec::with_capacity(operations.as_slice().len());
    for (place, operation) in (0..).zip(operations) {
        results.push(library.operate::<S>(&caller, &batch, place, operation).await.into());
    }
    Ok(Reply::new(results))
}

impl Library {
    async fn operate<S: Listed>(
        &self,
        caller: &Caller,
        batch: &Batch,
        place: u8,
        operation: Operation,
    ) -> Settled<Done> {
        let Operation { key, change } = operation;
        let sent = serde_json::to_vec(&change).expect("JSON can be written to memory");
        let key = OperationKey { key, sent };
        let deletes = matches!(change, Change::Delete { .. });
        let perform = |key: UnusedKey| self.perform::<S>(caller, change, key);
        let repeat = |id| self.repeat(caller, id, deletes);
        batch.run(place, &key, perform, repeat).await
    }

    /// Performs an operation like the corresponding single request.
    async fn perform<S: Listed>(
        &self,
        caller: &Caller,
        change: Change,
        key: UnusedKey,
    ) -> Result<Done, ApiError> {
        let (org, key) = (caller.org(), Some(&key));
        let required = |version: Option<Version>| Precondition::of_version(version.map(Bounded::get));
        let changed = match change {
            Change::Create { body } => self.create::<S>(org, body, key).await,
            Change::Replace { version, body } => {
                self.put::<S>(org, None, &required(version), body, key).await.map(|(changed, _)| changed)
            }
            Change::Patch { id, version, body } => {
                self.edit::<S>(org, Ok(id), &required(version), body, key).await
            }
            Change::Delete { id, version } => {
                let deleted = self.delete(org, id, &required(version), key).await;
                return deleted.map(|()| Done::Deleted { id }).map_err(write_error);
            }
        };
        let Changed { asset, warnings } = changed.map_err(write_error).map_err(in_body)?;
        Ok(Done::written(&asset.head, warnings.total()))
    }

    /// Returns the current state of the asset that an earlier operation with the same key changed.
    async fn repeat(&self, caller: &Caller, id: AssetId, deletes: bool) -> Result<Done, ApiError> {
        if deletes {
            return Ok(Done::Deleted { id });
        }
        let head = self.assets.read_head(caller.org(), id).await?.ok_or_else(not_found)?;
        Ok(Done::written(&head, head.unknown_ids))
    }
}

impl Deserr<Violations> for Operation {
    fn deserialize_from_value<V: IntoValue>(
        value: deserr::Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let Members { operation, idempotency_key: Parsed(key), asset_id, version, body } =
            Members::deserialize_from_value(value, location)?;
        let change = match (operation, asset_id, version, body) {
            (Kind::Create, None, None, Some(body)) => Change::Create { body },
            (Kind::Replace, None, version, Some(body)) => Change::Replace { version, body },
            (Kind::Patch, Some(Parsed(id)), version, Some(body)) => Change::Patch { id, version, body },
            (Kind::Delete, Some(Parsed(id)), version, None) => Change::Delete { id, version },
            (kind, ..) => return Err(Violations::at(location, kind.members())),
        };
        Ok(Self { key, change })
    }
}

impl Kind {
    /// Returns the rule for the members other than `operation` and `idempotency_key`.
    fn members(self) -> &'static str {
        match self {
            Self::Create => "must have body, and no asset_id or version, to create an asset",
            Self::Replace => "must have body, and no asset_id, to replace an asset; version is optional",
            Self::Patch => "must have asset_id and body to patch an asset; version is optional",
            Self::Delete => "must have asset_id, and no body, to delete an asset; version is optional",
        }
    }
}

impl Done {
    fn written(head: &Head, warnings: usize) -> Self {
        let &Head { id, version, state, .. } = head;
        Self::Written { id, version, state, warnings }
    }
}

impl From<Settled<Done>> for OperationResult {
    fn from(settled: Settled<Done>) -> Self {
        let Settled { result, credits_used, is_repeat: replayed } = settled;
        let (status, asset_id, version, state, warnings_total) = match &result {
            Ok(Done::Written { id, version, state, warnings }) => {
                (200, Some(*id), Some(*version), Some(*state), Some(*warnings))
            }
            Ok(Done::Deleted { id }) => (204, Some(*id), None, None, None),
            // A 412 error contains the asset's current version.
            Err(error) => (error.code.status().as_u16(), None, error.version, None, None),
        };
        let error = result.err().map(OperationError::from);
        Self { status, asset_id, version, state, credits_used, replayed, warnings_total, error }
    }
}

impl From<ApiError> for OperationError {
    fn from(error: ApiError) -> Self {
        let ApiError { code, message, violations, .. } = error;
        let errors = violations.map(|all| all.as_slice().iter().take(MAX_VIOLATIONS).cloned().collect());
        Self { code: code.as_str(), message, errors }
    }
}

/// Makes the pointers of violations in a body relative to the operation.
fn in_body(error: ApiError) -> ApiError {
    match error.violations {
        Some(violations) => violations.below("/body").into(),
        None => error,
    }
}
