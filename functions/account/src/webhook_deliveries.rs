//! `/v2/account/webhooks/{webhook_id}/deliveries`: owners view a webhook's deliveries, request a redelivery,
//! and send a test.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use gateway::{ApiError, App, CallingPerson, Code, InvalidValue, QueryParameters, Reply, Violations};
use serde_json::json;
use store::{Deliveries, Delivery, MessageId, Permission, Webhook, WebhookId, Webhooks};

use crate::webhooks::{WebhookPath, not_found};

/// The type of test deliveries.
const TEST: &str = "webhook.test";

/// The webhook ID and the delivery ID in a path.
pub(crate) type DeliveryPath = Result<Path<(String, String)>, PathRejection>;

/// Responds with up to `limit` of a webhook's deliveries, newest first. If `before` is given, lists only
/// deliveries that are older than that one.
pub(crate) async fn list(
    State(app): State<App>,
    caller: CallingPerson,
    path: WebhookPath,
    parameters: QueryParameters,
) -> Result<Reply<Vec<Delivery>>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let mut violations = Violations::default();
    parameters.allow(&["before", "limit"], &mut violations);
    let limit = parameters.limit(&mut violations);
    let before = parameters.read("before", delivery_id, &mut violations);
    violations.or(())?;
    let id = path.or_else(not_found)?;
    let (webhooks, deliveries) = (Webhooks::new(app.dynamo.clone()), Deliveries::new(app.dynamo.clone()));
    let (webhook, listed) = tokio::try_join!(
        webhooks.read(owner.org, &id),
        deliveries.list(owner.org, &id, before.as_ref(), limit, app.clock.now())
    )?;
    webhook.ok_or_else(not_found)?;
    Ok(Reply::new(listed))
}

/// Requests a test delivery to an enabled webhook and responds with the pending delivery.
pub(crate) async fn test(
    State(app): State<App>,
    caller: CallingPerson,
    path: WebhookPath,
) -> Result<Reply<Delivery>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let id = path.or_else(not_found)?;
    let webhook = Webhooks::new(app.dynamo.clone()).read(owner.org, &id).await?.ok_or_else(not_found)?;
    check_enabled(&webhook)?;
    let now = app.clock.now();
    let message = MessageId::of_test(now, app.random.bytes());
    let data = json!({"webhook_id": id}).to_string();
    let delivery = Delivery::new(message, TEST.to_owned(), data, now);
    Deliveries::new(app.dynamo.clone()).request(owner.org, &id, &delivery).await?;
    Ok(Reply::new(delivery))
}

/// Requests a redelivery, with the full number of attempts. Returns an error if the webhook is disabled or
/// the delivery is still pending.
pub(crate) async fn redeliver(
    State(app): State<App>,
    caller: CallingPerson,
    path: DeliveryPath,
) -> Result<Reply<Delivery>, ApiError> {
    let owner = caller.with(Permission::ManageWebhooks)?;
    let (id, message) = ids(path).ok_or_else(no_delivery)?;
    let webhook = Webhooks::new(app.dynamo.clone()).read(owner.org, &id).await?.ok_or_else(not_found)?;
    check_enabled(&webhook)?;
    let (deliveries, now) = (Deliveries::new(app.dynamo.clone()), app.clock.now());
    let seen = deliveries.read(owner.org, &id, &message, now).await?.ok_or_else(no_delivery)?;
    if !seen.can_be_requested_again(now) {
        return Err(still_pending());
    }
    let requested = deliveries.request_again(owner.org, &id, &seen, now).await?;
    Ok(Reply::new(requested.ok_or_else(still_pending)?))
}

fn ids(path: DeliveryPath) -> Option<(WebhookId, MessageId)> {
    let Path((webhook, delivery)) = path.ok()?;
    Some((webhook.parse().ok()?, delivery.parse().ok()?))
}

fn delivery_id(text: &str) -> Result<MessageId, InvalidValue> {
    text.parse().map_err(|error| InvalidValue::quoting(format!("{error}"), text))
}

fn check_enabled(webhook: &Webhook) -> Result<(), ApiError> {
    if webhook.disabled_at.is_none() {
        return Ok(());
    }
    Err(ApiError::new(Code::StateConflict, "the webhook is disabled; enable it first"))
}

fn still_pending() -> ApiError {
    let message = "the delivery is still pending; wait until it has succeeded or failed";
    ApiError::new(Code::StateConflict, message)
}

fn no_delivery() -> ApiError {
    ApiError::new(Code::NotFound, "the webhook has no delivery with this id in the last 30 days")
}
