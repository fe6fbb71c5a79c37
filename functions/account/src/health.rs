//! `GET /v2/health`: whether the service works, and which tier the caller has.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use shared::App;
use shared::admission::Refusal;
use shared::dynamo::{Accounts, Credentials, StoreError};
use shared::http::{ApiError, Caller};
use shared::runtime::INTERFACE_VERSION;
use shared::types::{AccountKey, OrgId, Timestamp};

/// How soon to look again when something is down, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

#[derive(Serialize)]
struct Health {
    status: Status,
    version: &'static str,
    timestamp: Timestamp,
    checks: Checks,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'static str>,
}

#[derive(Serialize)]
struct Checks {
    database: Status,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Healthy,
    Down,
}

/// Answers whether the service works; a caller with a valid credential learns its tier too, and so verifies
/// its key. One of a suspended organization is refused, as by every other call.
pub(crate) async fn read(State(app): State<App>, caller: Option<Caller>) -> Result<Response, ApiError> {
    let database = match Credentials::new(app.dynamo.clone()).ping().await {
        Ok(()) => Status::Healthy,
        Err(error) => {
            tracing::error!(event = "database_down", %error);
            Status::Down
        }
    };
    let tier = match (&caller, database) {
        (Some(caller), Status::Healthy) => Some(read_tier(&app, caller.org()).await?),
        _ => None,
    };
    let health = Health {
        status: database,
        version: INTERFACE_VERSION,
        timestamp: app.clock.now(),
        checks: Checks { database },
        tier,
    };
    if database == Status::Healthy {
        return Ok(Json(health).into_response());
    }
    Ok((StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER)], Json(health)).into_response())
}

async fn read_tier(app: &App, org: &OrgId) -> Result<&'static str, ApiError> {
    let account = Accounts::new(app.dynamo.clone()).read(&AccountKey::Org(org.clone())).await?;
    let account = account.ok_or(StoreError::Missing("account"))?;
    match account.suspended_at {
        None => Ok(account.holder.tier().name()),
        Some(_) => Err(Refusal::Suspended.into()),
    }
}
