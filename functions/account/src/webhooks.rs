//! `/v2/account/webhooks`: owners create, list, change, and delete the webhooks of their organization.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use axum::extract::State;
use gateway::{
    ApiError, App, AuthorizedMember, CallingPerson, Code, JsonBody, NoContent, Parsed, PathId,
    QueryParameters, Reply, Violations,
};
use serde::Serialize;
use store::{
    CreateFailure, Credentials, MAX_WEBHOOKS, Member, Permission, Webhook, WebhookFailure, WebhookId,
    WebhookUrl, Webhooks,
};

use crate::acting_member::ActingMember;
use crate::webhook_body::{EventTypes, WebhookBody, WebhookEditBody};

/// A webhook, as returned to its organization. See `Webhook` in openapi.yaml.
#[derive(Serialize)]
pub(crate) struct ShownWebhook {
    #[serde(flatten)]
    webhook: Webhook,
    enabled: bool,
    created_by: ActingMember,
}

/// A webhook whose secret was just created or replaced, including the secret. No other response contains it.
#[derive(Serialize)]
pub(crate) struct ShownSecret {
    secret: String,
    #[serde(flatten)]
    webhook: ShownWebhook,
}

/// The ID of a webhook in a path. A malformed ID results in a 404, like an unknown one.
pub(crate) type WebhookPath = PathId<WebhookId>;

/// Creates a webhook and responds with its secret, which no later response contains.
pub(crate) async fn create(
    State(app): State<App>,
    caller: CallingPerson,
    body: JsonBody,
) -> Result<Reply<ShownSecret>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let WebhookBody { url: Parsed(url), event_types: EventTypes(types) } = body.read()?;
    check_url(&app, &url)?;
    let members = Credentials::new(app.dynamo.clone()).members(owner.org).await?.list;
    let webhooks = Webhooks::new(app.dynamo.clone());
    let created = webhooks.create(owner.org, url, types, owner.subject, app.clock.now()).await;
    Ok(with_secret(created.map_err(not_created)?, &members))
}

/// Responds with the organization's webhooks, newest first.
pub(crate) async fn list(
    State(app): State<App>,
    caller: CallingPerson,
    parameters: QueryParameters,
) -> Result<Reply<Vec<ShownWebhook>>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    parameters.refuse_all()?;
    let (webhooks, credentials) = (Webhooks::new(app.dynamo.clone()), Credentials::new(app.dynamo.clone()));
    let (webhooks, members) = tokio::try_join!(webhooks.list(owner.org), credentials.members(owner.org))?;
    let shown = webhooks.into_iter().map(|webhook| ShownWebhook::new(webhook, &members.list));
    Ok(Reply::new(shown.collect()))
}

/// Changes a webhook's URL or types, or enables or disables it.
pub(crate) async fn edit(
    State(app): State<App>,
    caller: CallingPerson,
    path: WebhookPath,
    body: JsonBody,
) -> Result<Reply<ShownWebhook>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let edit = body.read::<WebhookEditBody>()?.into_edit();
    edit.url.as_ref().map_or(Ok(()), |url| check_url(&app, url))?;
    let id = path.or_else(not_found)?;
    let webhooks = Webhooks::new(app.dynamo.clone());
    webhooks.edit(owner.org, &id, edit, owner.subject, app.clock.now()).await.map_err(not_changed)?;
    let webhook = webhooks.read(owner.org, &id).await?.ok_or_else(not_found)?;
    let members = Credentials::new(app.dynamo.clone()).members(owner.org).await?.list;
    Ok(Reply::new(ShownWebhook::new(webhook, &members)))
}

/// Replaces a webhook's secret and responds with the new one, which no later response contains.
pub(crate) async fn rotate(
    State(app): State<App>,
    caller: CallingPerson,
    path: WebhookPath,
) -> Result<Reply<ShownSecret>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let id = path.or_else(not_found)?;
    let members = Credentials::new(app.dynamo.clone()).members(owner.org).await?.list;
    let webhooks = Webhooks::new(app.dynamo.clone());
    let rotated = webhooks.rotate(owner.org, &id, owner.subject, app.clock.now()).await;
    Ok(with_secret(rotated.map_err(not_changed)?, &members))
}

pub(crate) async fn delete(
    State(app): State<App>,
    caller: CallingPerson,
    path: WebhookPath,
) -> Result<NoContent, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let id = path.or_else(not_found)?;
    let webhooks = Webhooks::new(app.dynamo.clone());
    webhooks.delete(owner.org, &id, owner.subject).await.map_err(not_changed)?;
    Ok(NoContent)
}

impl ShownWebhook {
    fn new(webhook: Webhook, members: &[Member]) -> Self {
        let created_by = ActingMember::new(webhook.created_by.clone(), members);
        Self { enabled: webhook.disabled_at.is_none(), webhook, created_by }
    }
}

pub(crate) fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no webhook with this id")
}

fn with_secret(webhook: Webhook, members: &[Member]) -> Reply<ShownSecret> {
    let secret = webhook.secret.reveal();
    Reply::new(ShownSecret { secret, webhook: ShownWebhook::new(webhook, members) }).with_secret()
}

/// Rejects URLs on this machine, except in the local process.
fn check_url(app: &App, url: &WebhookUrl) -> Result<(), Violations> {
    if url.is_local() && !app.config.allows_local_webhooks {
        return Err(Violations::one("/url", format!("must be an https URL, got \"{url}\"")));
    }
    Ok(())
}

fn not_changed(failure: WebhookFailure) -> ApiError {
    match failure {
        WebhookFailure::NotFound => not_found(),
        WebhookFailure::Forbidden => AuthorizedMember::required(),
        WebhookFailure::Store(error) => error.into(),
    }
}

fn not_created(failure: CreateFailure) -> ApiError {
    match failure {
        CreateFailure::TooMany => ApiError::new(
            Code::LimitReached,
            format!("your organization has {MAX_WEBHOOKS} webhooks, which is the limit; delete one first"),
        ),
        CreateFailure::Forbidden => AuthorizedMember::required(),
        CreateFailure::Store(error) => error.into(),
    }
}
