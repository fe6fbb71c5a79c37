//! `GET /v2/billing/grants`: an organization's live and ended grants.

use std::cmp::Reverse;

use accounting::{Account, AccountKey, Credits, Grant, GrantKind, Timestamp, draw_order};
use axum::extract::State;
use gateway::{ApiError, App, Caller, Reply};
use serde::Serialize;
use store::{Accounts, GrantLife, GrantState};

/// A grant, as the API returns it. See `GrantLife` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ShownGrant {
    kind: GrantKind,
    granted: Credits,
    remaining: Credits,
    expires_at: Option<Timestamp>,
    joined_at: Option<Timestamp>,
    state: GrantState,
    ended_at: Option<Timestamp>,
}

/// Responds with the active grants in the order in which credits are drawn from them, followed by the ended
/// grants, most recently ended first.
pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Result<Reply<Vec<ShownGrant>>, ApiError> {
    let accounts = Accounts::new(app.dynamo.clone());
    let account = accounts.read(&AccountKey::Org(caller.org().clone())).await?;
    let account = account.ok_or_else(ApiError::internal)?;
    let now = account.moment(app.clock.now());
    let lives = accounts.grant_lives(caller.org(), &account, now).await?;
    let (mut live, mut ended): (Vec<_>, Vec<_>) =
        lives.into_iter().partition(|life| life.state == GrantState::Live);
    live.sort_by_key(|life| (draw_order(life.kind, life.expires_at), life.id.clone()));
    ended.sort_by_key(|life| Reverse((life.ended_at, life.joined_at)));
    let live = live.into_iter().map(ShownGrant::of);
    let metered = metered(&account, now);
    Ok(Reply::new(live.chain(metered).chain(ended.into_iter().map(ShownGrant::of)).collect()))
}

/// Returns the current month's metered grant, if the organization has one. Credits are drawn from it last. It
/// appears in the bills instead of the grant history.
fn metered(account: &Account, now: Timestamp) -> Option<ShownGrant> {
    let held = account.live_grants(now).map(|(_, grant)| grant.clone());
    let coming = account.pending_metered_grant(now).map(|(_, grant)| grant);
    let Grant { kind, granted, left, expires_at } =
        held.chain(coming).find(|grant| grant.kind == GrantKind::Metered)?;
    let (joined_at, state, ended_at) = (None, GrantState::Live, None);
    Some(ShownGrant { kind, granted, remaining: left, expires_at, joined_at, state, ended_at })
}

impl ShownGrant {
    fn of(life: GrantLife) -> Self {
        // The response doesn't include the ID, because only administrators' commands use it.
        let GrantLife { id: _, kind, granted, remaining, expires_at, joined_at, state, ended_at } = life;
        let joined_at = Some(joined_at);
        Self { kind, granted, remaining, expires_at, joined_at, state, ended_at }
    }
}
