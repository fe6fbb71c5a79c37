use std::time::Duration;

use serde::Serialize;
use shared::App;
use shared::admission::{Charge, Refusal, StepId, decide, less, refund, split};
use shared::dynamo::{Accounts, Assets, Head, Mark, Movement, Purchase, Standing, StoreError, TransitionFailure};
use shared::types::{Account, AccountChange, AccountKey, AssetState, Credits, Timestamp};

use crate::event::{Event, EventType, PurchaseOrder};

/// What a failed measurement still costs: the call itself (Specification, States and transitions).
const CREDITS_KEPT: Credits = 1;

/// The most characters of a purchase's number: it lies in the asset's head, beside the body.
const MAX_PURCHASE_ID: usize = 128;

/// How often an event is tried against other changes of its asset or account.
const MAX_TRIES: u32 = 20;

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// It had been applied before.
    AlreadyApplied,
    /// It cannot be applied.
    Refused {
        /// Why.
        reason: String,
    },
}

/// Applies an event, once however often it is sent.
///
/// # Errors
///
/// When the database does not answer: the event may be sent again.
pub async fn apply(app: &App, event: &Event) -> Result<Outcome, StoreError> {
    let assets = Assets::new(app.dynamo.clone(), event.family);
    if let Err(reason) = check_purchase(event) {
        return Ok(Outcome::Refused { reason });
    }
    let mark = mark(event);
    for attempt in 0..MAX_TRIES {
        let standing = assets.standing(&event.org_id, event.asset_id, &mark).await?;
        let planned = match &standing {
            Standing::AlreadyApplied => return Ok(Outcome::AlreadyApplied),
            Standing::IdTaken => Err("another event was applied under this event id".to_owned()),
            Standing::Nothing => Err("the organization has no such asset".to_owned()),
            Standing::Tombstone(version, purchase) => of_tombstone(app, event, *version, purchase.as_ref()).await?,
            Standing::Asset(head, purchase) => of_asset(app, event, head, purchase.as_ref()).await?,
        };
        let (movement, account) = match planned {
            Ok(plan) => plan,
            Err(reason) => return refused(&assets, event, &mark, reason).await,
        };
        match assets.apply(&event.org_id, &mark, movement, account.as_ref()).await {
            Ok(()) => {
                if let Some(change) = account.filter(|change| change.totals.used > 0) {
                    app.admissions.notice(&event.org_id, &change).await;
                }
                return Ok(Outcome::Applied);
            }
            Err(TransitionFailure::Store(error)) => return Err(error),
            Err(TransitionFailure::Moved) => {}
        }
        tokio::time::sleep(Duration::from_millis(app.random.below(u64::from(attempt + 1) * 10))).await;
    }
    Err(StoreError::Unavailable("too many changes of one asset at a time".to_owned()))
}

/// Refuses an event, unless the refusal is for what the same event, sent twice at once, did meanwhile.
async fn refused(assets: &Assets, event: &Event, mark: &Mark<'_>, reason: String) -> Result<Outcome, StoreError> {
    Ok(match assets.standing(&event.org_id, event.asset_id, mark).await? {
        Standing::AlreadyApplied => Outcome::AlreadyApplied,
        Standing::IdTaken | Standing::Asset(..) | Standing::Tombstone(..) | Standing::Nothing => {
            Outcome::Refused { reason }
        }
    })
}

fn mark(event: &Event) -> Mark<'_> {
    let Event { event_id, org_id, family, asset_id, event_type, .. } = event;
    Mark { id: event_id, of: format!("{family}#{org_id}#{asset_id}#{event_type}") }
}

/// What an event does, or why it cannot be applied.
type Plan<'a> = Result<(Movement<'a>, Option<AccountChange>), String>;

async fn of_asset<'a>(
    app: &App,
    event: &Event,
    head: &'a Head,
    purchase: Option<&Purchase>,
) -> Result<Plan<'a>, StoreError> {
    let state = match next_state(head.state, event.event_type) {
        Ok(state) => state,
        Err(reason) => return Ok(Err(reason)),
    };
    let (kept, account) = match event.event_type {
        EventType::Started | EventType::Measured => (purchase.cloned(), None),
        EventType::Completed => (None, None),
        EventType::Failed => (None, refund_of(app, event, purchase.cloned()).await?),
        EventType::Purchased => {
            let Some(order) = &event.purchase else {
                return Ok(Err("`purchase` is required".to_owned()));
            };
            let change = match charge_of(app, event, order).await? {
                Ok(change) => change,
                Err(reason) => return Ok(Err(reason)),
            };
            let PurchaseOrder { purchase_id, product, .. } = order.clone();
            (Some(Purchase { id: purchase_id, product, draws: split(&change) }), Some(change))
        }
    };
    let movement = Movement::Asset { head, state, last_measured_at: measured_at(event, head), purchase: kept };
    Ok(Ok((movement, account)))
}

/// A deleted asset's events are acknowledged; a failed measurement is refunded all the same.
async fn of_tombstone(
    app: &App,
    event: &Event,
    version: u64,
    purchase: Option<&Purchase>,
) -> Result<Plan<'static>, StoreError> {
    let (kept, account) = match event.event_type {
        EventType::Purchased => return Ok(Err("the asset was deleted".to_owned())),
        EventType::Started | EventType::Measured => (purchase.cloned(), None),
        EventType::Completed => (None, None),
        EventType::Failed => (None, refund_of(app, event, purchase.cloned()).await?),
    };
    Ok(Ok((Movement::Tombstone { id: event.asset_id, version, purchase: kept }, account)))
}

/// Returns the state that an event leads to.
fn next_state(state: AssetState, event_type: EventType) -> Result<AssetState, String> {
    use AssetState::{Completed, Draft, Failed, InFlight, Queued};
    match (event_type, state) {
        (EventType::Purchased, Draft | Failed) => Ok(Queued),
        (EventType::Started, Queued) | (EventType::Measured, InFlight) => Ok(InFlight),
        (EventType::Completed, Queued | InFlight) => Ok(Completed),
        (EventType::Failed, Queued | InFlight) => Ok(Failed),
        (EventType::Purchased, Queued | InFlight | Completed)
        | (EventType::Started, Draft | InFlight | Completed | Failed)
        | (EventType::Measured, Draft | Queued | Completed | Failed)
        | (EventType::Completed | EventType::Failed, Draft | Completed | Failed) => {
            Err(format!("an asset that is {state} cannot take a {event_type} event"))
        }
    }
}

/// Returns the time of the latest measurement, if there is one: a completed asset has been measured by then.
fn measured_at(event: &Event, head: &Head) -> Option<Timestamp> {
    match event.event_type {
        EventType::Measured => head.last_measured_at.max(Some(event.occurred_at)),
        EventType::Completed => head.last_measured_at.or(Some(event.occurred_at)),
        EventType::Purchased | EventType::Started | EventType::Failed => head.last_measured_at,
    }
}

fn check_purchase(event: &Event) -> Result<(), String> {
    match (event.event_type, &event.purchase) {
        (EventType::Purchased, None) => Err("`purchase` is required on a purchased event".to_owned()),
        (EventType::Purchased, Some(order)) if !(1..=MAX_PURCHASE_ID).contains(&order.purchase_id.chars().count()) => {
            Err(format!("`purchase_id` must be 1 to {MAX_PURCHASE_ID} characters"))
        }
        (EventType::Purchased, Some(_)) | (_, None) => Ok(()),
        (_, Some(_)) => Err("`purchase` belongs on a purchased event alone".to_owned()),
    }
}

async fn charge_of(
    app: &App,
    event: &Event,
    order: &PurchaseOrder,
) -> Result<Result<AccountChange, String>, StoreError> {
    let account = read_account(app, event).await?;
    let charge = Charge { name: order.product.clone(), credits: order.credits, counts_as_call: false, key_limit: None };
    let step = StepId::event(event.event_id.as_str());
    Ok(decide(&account, &charge, step, 0, app.clock.now()).map_err(|refusal| match refusal {
        Refusal::QuotaExceeded { balance, price } => {
            format!("the purchase costs {price} and the balance is {balance}")
        }
        Refusal::RateLimited { .. } => "too many calls".to_owned(),
    }))
}

async fn refund_of(app: &App, event: &Event, purchase: Option<Purchase>) -> Result<Option<AccountChange>, StoreError> {
    let Some(Purchase { product, draws, .. }) = purchase else {
        return Ok(None);
    };
    let draws = less(draws, CREDITS_KEPT);
    if draws.iter().all(|draw| draw.credits == 0) {
        return Ok(None);
    }
    let account = read_account(app, event).await?;
    let step = StepId::event(event.event_id.as_str());
    Ok(Some(refund(&account, &draws, &product, step, 0, app.clock.now())))
}

async fn read_account(app: &App, event: &Event) -> Result<Account, StoreError> {
    let account = Accounts::new(app.dynamo.clone()).read(&AccountKey::Org(event.org_id.clone())).await?;
    account.ok_or(StoreError::Corrupt("account"))
}
