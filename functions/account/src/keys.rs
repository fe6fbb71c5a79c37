//! `/v2/account/keys`: owners create, list, and revoke the API keys of their organization.
//!
//! See `docs/decisions/0039-api-keys.md`.

use accounting::{KeyId, MAX_LIVE_KEYS, Timestamp};
use axum::extract::State;
use gateway::{
    ApiError, App, AuthorizedMember, CallingPerson, Code, JsonBody, NoContent, PathId, QueryParameters, Reply,
};
use serde::Serialize;
use store::{
    CreateFailure, CreatedKey, Credentials, Key, KeyState, Member, MemberId, Permission, Revocation,
};

use crate::acting_member::ActingMember;
use crate::key_body::KeyBody;

/// An API key, as returned to its organization. See `ApiKey` in openapi.yaml.
#[derive(Debug, Serialize)]
pub struct ShownKey {
    #[serde(flatten)]
    key: Key,
    state: KeyState,
    created_by: Option<ActingMember>,
    revoked_at: Option<Timestamp>,
    revoked_by: Option<ActingMember>,
}

/// A new key, including its secret. No other response contains the secret.
#[derive(Serialize)]
pub(crate) struct ShownCreation {
    api_key: String,
    #[serde(flatten)]
    key: ShownKey,
}

/// Creates a key on behalf of an owner and responds with its secret, which no later response contains.
pub(crate) async fn create(
    State(app): State<App>,
    caller: CallingPerson,
    body: JsonBody,
) -> Result<Reply<ShownCreation>, ApiError> {
    let owner = caller.with(Permission::ManageKeys)?;
    let body: KeyBody = body.read()?;
    let (credentials, now) = (Credentials::new(app.dynamo.clone()), app.clock.now());
    // Run every step that can fail before creating the key. Otherwise, a failure could leave a key whose
    // secret is lost.
    let members = credentials.members(owner.org).await?;
    let created = credentials.create(owner.org, &body.into_key(now), Some(owner.subject), now).await;
    let CreatedKey { api_key, key } = created.map_err(not_created)?;
    let key = ShownKey::new(key, &members.list, now);
    Ok(Reply::new(ShownCreation { api_key: api_key.reveal().to_owned(), key }).with_secret())
}

/// Responds with the organization's keys, newest first.
pub(crate) async fn list(
    State(app): State<App>,
    caller: CallingPerson,
    parameters: QueryParameters,
) -> Result<Reply<Vec<ShownKey>>, ApiError> {
    let owner = caller.with(Permission::ManageKeys)?;
    parameters.refuse_all()?;
    let credentials = Credentials::new(app.dynamo.clone());
    let (keys, members) = tokio::try_join!(credentials.list(owner.org), credentials.members(owner.org))?;
    let now = app.clock.now();
    Ok(Reply::new(keys.into_iter().map(|key| ShownKey::new(key, &members.list, now)).collect()))
}

/// Revokes a key. Succeeds if the key is already revoked.
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: CallingPerson,
    path: PathId<KeyId>,
) -> Result<NoContent, ApiError> {
    let owner = caller.with(Permission::ManageKeys)?;
    // A malformed ID can't belong to a key.
    let id = path.or_else(not_found)?;
    let credentials = Credentials::new(app.dynamo.clone());
    match credentials.revoke(owner.org, &id, Some(owner.subject), app.clock.now()).await? {
        Revocation::Done | Revocation::Ended => Ok(NoContent),
        Revocation::Unknown => Err(not_found()),
        Revocation::Forbidden => Err(AuthorizedMember::required()),
    }
}

impl ShownKey {
    /// Combines a key with its state at `now` and with the members who created and revoked it.
    pub fn new(key: Key, members: &[Member], now: Timestamp) -> Self {
        let shown = |member: &Option<MemberId>| Some(ActingMember::new(member.clone()?, members));
        let (created_by, revoked_by) = (shown(&key.created_by), shown(&key.revoked_by));
        Self { state: key.state(now), revoked_at: key.revoked_at, key, created_by, revoked_by }
    }
}

fn not_created(failure: CreateFailure) -> ApiError {
    match failure {
        CreateFailure::TooMany => ApiError::new(
            Code::LimitReached,
            format!(
                "your organization has {MAX_LIVE_KEYS} active API keys, which is the limit; revoke one that \
                 no integration uses, or wait until one expires"
            ),
        ),
        CreateFailure::Forbidden => AuthorizedMember::required(),
        CreateFailure::Store(error) => error.into(),
    }
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no API key with this id")
}
