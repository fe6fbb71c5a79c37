//! `GET /v2/health`: reports whether the database accepts reads and writes, and the caller's tier.

use accounting::{AccountKey, OrgId, Refusal, Timestamp};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use gateway::{ApiError, App, Caller, INTERFACE_VERSION};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use store::{Accounts, Credentials, StoreError};

use crate::write_probe::WriteProbe;

/// The number of seconds that callers should wait before they check again while the database is down.
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

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Healthy,
    /// Reads succeed, but writes fail.
    Degraded,
    Down,
}

/// Responds with the health of the service. If the request has a valid credential and the database isn't
/// down, the response includes the caller's tier, so callers can use this operation to verify their key. In
/// that case, requests from suspended organizations are rejected, as in most other operations.
pub(crate) async fn read(
    State(app): State<App>,
    Extension(write_probe): Extension<WriteProbe>,
    caller: Option<Caller>,
) -> Result<Response, ApiError> {
    let database = match Credentials::new(app.dynamo.clone()).ping().await {
        Ok(()) if write_probe.takes_writes(&app).await => Status::Healthy,
        Ok(()) => Status::Degraded,
        Err(error) => {
            tracing::error!(event = "database_down", %error);
            Status::Down
        }
    };
    let tier = match (&caller, database) {
        (Some(caller), Status::Healthy | Status::Degraded) => Some(read_tier(&app, caller.org()).await?),
        (Some(_), Status::Down) | (None, _) => None,
    };
    let health = Health {
        status: database,
        version: INTERFACE_VERSION,
        timestamp: app.clock.now(),
        checks: Checks { database },
        tier,
    };
    Ok(match database {
        Status::Healthy | Status::Degraded => Json(health).into_response(),
        Status::Down => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER)], Json(health))
            .into_response(),
    })
}

async fn read_tier(app: &App, org: &OrgId) -> Result<&'static str, ApiError> {
    let account = Accounts::new(app.dynamo.clone()).read(&AccountKey::Org(org.clone())).await?;
    let account = account.ok_or(StoreError::Missing("account"))?;
    match account.suspended_at {
        None => Ok(account.holder.tier().name()),
        Some(_) => Err(Refusal::Suspended.into()),
    }
}
