//! Applies each measurement event at most once.
use std::time::Duration;

use accounting::{AccountKey, Credits};
use serde::Serialize;
use store::{
    AccountChange, Accounts, AssetState, Assets, ClockSkewed, EventIdentity, EventLookup, StoreError,
    Transition,
};
use thiserror::Error;

use crate::App;
use crate::effect::{Effect, EventKind, NoEffect, of_asset, of_tombstone};
use crate::event::MeasurementEvent;
use crate::refusal::EventRefusal;

/// The maximum number of attempts to apply an event while other requests change the asset or account.
const MAX_TRIES: u32 = 20;

/// The outcome of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    Applied,
    /// The event was a purchase, and it was applied.
    #[serde(rename = "applied")]
    Purchased {
        /// The number of IDs in the asset that the release didn't contain when the asset was last written.
        unknown_ids: usize,
    },
    /// The asset has been deleted, so there is no state to change. The event was recorded.
    Deleted {
        refunded: Credits,
    },
    /// The same event was applied earlier.
    AlreadyApplied,
    /// The event was rejected.
    Refused {
        reason: EventRefusal,
    },
}

impl Outcome {
    /// Returns whether this call changed the asset.
    pub fn is_applied(&self) -> bool {
        matches!(self, Self::Applied | Self::Purchased { .. })
    }
}

/// A temporary failure to apply an event. The sender can resend the event.
#[derive(Debug, Error)]
pub enum ApplyError {
    #[error(transparent)]
    ClockSkewed(#[from] ClockSkewed),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Applies an event at most once, no matter how often it's sent, and logs the outcome.
///
/// # Errors
///
/// Returns an error if the database fails or this process's clock is wrong. The sender can then resend the
/// event.
pub async fn apply(app: &App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    let result = apply_once(app, event).await;
    log(event, &result);
    result
}

/// Returns whether an event was applied.
///
/// # Errors
///
/// Returns an error if the database fails.
pub async fn is_applied(app: &App, event: &MeasurementEvent) -> Result<bool, StoreError> {
    let assets = Assets::new(app.dynamo.clone(), event.family);
    let found = assets.look_up(&event.org_id, event.asset_id, &identity_of(event)).await?;
    Ok(matches!(found, EventLookup::AlreadyApplied))
}

async fn apply_once(app: &App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    let assets = Assets::new(app.dynamo.clone(), event.family);
    let kind = match EventKind::of(event) {
        Ok(kind) => kind,
        Err(reason) => return Ok(Outcome::Refused { reason }),
    };
    let identity = identity_of(event);
    for attempt in 0..MAX_TRIES {
        let found = assets.look_up(&event.org_id, event.asset_id, &identity).await?;
        let decided = match &found {
            EventLookup::AlreadyApplied => return Ok(Outcome::AlreadyApplied),
            EventLookup::IdTaken => Err(EventRefusal::IdTaken.into()),
            EventLookup::Nothing => Err(EventRefusal::UnknownAsset.into()),
            EventLookup::Tombstone(tombstone) => of_tombstone(app, event, kind, tombstone).await,
            EventLookup::Asset(head) => of_asset(app, event, kind, head).await,
        };
        let effect = match decided {
            Ok(effect) => effect,
            Err(NoEffect::Refused(reason)) => return Ok(refused(&assets, event, &identity, reason).await?),
            Err(NoEffect::ClockSkewed(error)) => return Err(error.into()),
            Err(NoEffect::Store(error)) => return Err(error.into()),
        };
        let (outcome, applied) = (outcome_of(&found, &effect), effect.applied(event, app.clock.now()));
        let Effect { transition, account, .. } = effect;
        let org = &event.org_id;
        if assets.apply_transition(org, &identity, transition, account.as_ref(), &applied).await? {
            if let Some(AccountChange { change, .. }) = account.filter(|account| account.change.credits() > 0)
            {
                let (accounts, key) = (Accounts::new(app.dynamo.clone()), AccountKey::Org(org.clone()));
                accounts.notice_low_credits(&key, &change, app.clock.now()).await;
            }
            return Ok(outcome);
        }
        tokio::time::sleep(Duration::from_millis(app.random.below(u64::from(attempt + 1) * 10))).await;
    }
    Err(StoreError::Contended("too many concurrent changes to the asset").into())
}

fn outcome_of(found: &EventLookup, effect: &Effect<'_>) -> Outcome {
    match (&effect.transition, found) {
        (Transition::Tombstone { .. }, _) => Outcome::Deleted { refunded: effect.refunded() },
        (Transition::Asset { state: AssetState::Queued, .. }, EventLookup::Asset(head)) => {
            Outcome::Purchased { unknown_ids: head.unknown_ids }
        }
        (Transition::Asset { .. }, _) => Outcome::Applied,
    }
}

/// Rejects an event, unless the reason is that the same event was applied concurrently.
async fn refused(
    assets: &Assets,
    event: &MeasurementEvent,
    identity: &EventIdentity<'_>,
    reason: EventRefusal,
) -> Result<Outcome, StoreError> {
    Ok(match assets.look_up(&event.org_id, event.asset_id, identity).await? {
        EventLookup::AlreadyApplied => Outcome::AlreadyApplied,
        EventLookup::IdTaken | EventLookup::Asset(_) | EventLookup::Tombstone(_) | EventLookup::Nothing => {
            Outcome::Refused { reason }
        }
    })
}

fn identity_of(event: &MeasurementEvent) -> EventIdentity<'_> {
    let MeasurementEvent { event_id, org_id, family, asset_id, event_type, .. } = event;
    EventIdentity { id: event_id, content: format!("{family}#{org_id}#{asset_id}#{event_type}") }
}

/// Logs the outcome of an event. Repeated events are also logged.
fn log(sent: &MeasurementEvent, result: &Result<Outcome, ApplyError>) {
    let MeasurementEvent { event_id, org_id, family, asset_id, event_type, .. } = sent;
    let (outcome, refunded) = match result {
        Ok(Outcome::Applied | Outcome::Purchased { .. }) => ("applied", None),
        Ok(Outcome::Deleted { refunded }) => ("deleted", Some(*refunded)),
        Ok(Outcome::AlreadyApplied) => ("already_applied", None),
        Ok(Outcome::Refused { reason }) => {
            tracing::warn!(
                event = "measurement_refused", %event_id, org = %org_id, %family, %asset_id,
                r#type = %event_type, %reason
            );
            return;
        }
        Err(error) => {
            tracing::error!(
                event = "measurement_failed", %event_id, org = %org_id, %family, %asset_id,
                r#type = %event_type, %error
            );
            return;
        }
    };
    tracing::info!(
        event = "measurement", %event_id, org = %org_id, %family, %asset_id,
        r#type = %event_type, outcome, refunded
    );
}
