//! What an event does to what it finds: the transition, and the change of the organization's account.
use accounting::{AccountKey, Charge, Credits, Timestamp, decide_purchase, refund, refundable};
use store::{
    AccountChange, Accounts, AppliedEvent, AppliedPurchase, ClockSkewed, Head, Purchase, StoreError,
    StoredAccount, Tombstone, Transition,
};
use thiserror::Error;

use crate::App;
use crate::event::{EventType, MeasurementEvent, PurchaseOrder};
use crate::refusal::{EventRefusal, MAX_PURCHASE_ID};
use crate::transition::{measured_at, next_state};

/// What a failed measurement still costs: the call itself. docs/reference/products.md tells customers so.
const CREDITS_KEPT: Credits = 1;

/// What an event does, all of it or nothing.
pub(crate) struct Effect<'a> {
    pub(crate) transition: Transition<'a>,
    pub(crate) account: Option<AccountChange>,
    /// The purchase that the event is about.
    purchase: Option<AppliedPurchase>,
}

impl Effect<'_> {
    /// Returns what the operator is shown of it.
    pub(crate) fn applied(&self, event: &MeasurementEvent, applied_at: Timestamp) -> AppliedEvent {
        AppliedEvent {
            id: event.event_id.clone(),
            event_type: event.event_type.to_string(),
            occurred_at: event.occurred_at,
            applied_at,
            purchase: self.purchase.clone(),
            charged: self.charged(),
            refunded: self.refunded(),
            state: match self.transition {
                Transition::Asset { state, .. } => Some(state),
                Transition::Tombstone { .. } => None,
            },
        }
    }

    fn charged(&self) -> Credits {
        self.account.as_ref().map_or(0, |account| account.change.credits())
    }

    pub(crate) fn refunded(&self) -> Credits {
        self.account.as_ref().map_or(0, |AccountChange { seen, change }| {
            seen.account.totals.used.saturating_sub(change.account.totals.used)
        })
    }
}

/// Why an event has no effect.
#[derive(Debug, Error)]
pub(crate) enum NoEffect {
    /// The event is not applied.
    #[error(transparent)]
    Refused(#[from] EventRefusal),
    /// Nothing may be charged by this process's clock.
    #[error(transparent)]
    ClockSkewed(#[from] ClockSkewed),
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What happened, with what goes with it: a purchase is ordered on a `purchased` event alone.
#[derive(Clone, Copy)]
pub(crate) enum Happening<'a> {
    Purchased(&'a PurchaseOrder),
    Started,
    Measured,
    Completed,
    Failed,
}

impl<'a> Happening<'a> {
    /// Reads what happened of an event.
    pub(crate) fn of(event: &'a MeasurementEvent) -> Result<Self, EventRefusal> {
        let happening = match (event.event_type, &event.purchase) {
            (EventType::Purchased, Some(order)) => Self::Purchased(order),
            (EventType::Purchased, None) => return Err(EventRefusal::PurchaseMissing),
            (EventType::Started, None) => Self::Started,
            (EventType::Measured, None) => Self::Measured,
            (EventType::Completed, None) => Self::Completed,
            (EventType::Failed, None) => Self::Failed,
            (
                EventType::Started | EventType::Measured | EventType::Completed | EventType::Failed,
                Some(_),
            ) => {
                return Err(EventRefusal::PurchaseMisplaced);
            }
        };
        match happening {
            Self::Purchased(order) if !(1..=MAX_PURCHASE_ID).contains(&order.purchase_id.chars().count()) => {
                Err(EventRefusal::PurchaseIdLength)
            }
            happening => Ok(happening),
        }
    }
}

/// Decides what an event does to an asset.
pub(crate) async fn of_asset<'a>(
    app: &App,
    event: &MeasurementEvent,
    happening: Happening<'_>,
    head: &'a Head,
) -> Result<Effect<'a>, NoEffect> {
    let state = next_state(head.state, event.event_type)?;
    let (purchase, account) = match happening {
        Happening::Started | Happening::Measured => (head.purchase.clone(), None),
        Happening::Completed => (None, None),
        Happening::Failed => (None, refund_of(app, event, head.purchase.as_ref()).await?),
        Happening::Purchased(order) => {
            let charged = charge_of(app, event, order).await?;
            let PurchaseOrder { purchase_id, product, .. } = order.clone();
            let draws = charged.change.draws.clone();
            let purchased_at = event.occurred_at;
            (Some(Purchase { id: purchase_id, product, draws, purchased_at }), Some(charged))
        }
    };
    let about = purchase.as_ref().or(head.purchase.as_ref()).map(applied_purchase);
    let transition = Transition::Asset { head, state, last_measured_at: measured_at(event, head), purchase };
    Ok(Effect { transition, account, purchase: about })
}

/// Decides what an event does to what is left of a deleted asset: it is acknowledged, and a failed
/// measurement is refunded all the same.
pub(crate) async fn of_tombstone(
    app: &App,
    event: &MeasurementEvent,
    happening: Happening<'_>,
    tombstone: &Tombstone,
) -> Result<Effect<'static>, NoEffect> {
    let Tombstone { version, purchase } = tombstone;
    let about = purchase.as_ref().map(applied_purchase);
    let (purchase, account) = match happening {
        Happening::Purchased(_) => return Err(EventRefusal::AssetDeleted.into()),
        Happening::Started | Happening::Measured => (purchase.clone(), None),
        Happening::Completed => (None, None),
        Happening::Failed => (None, refund_of(app, event, purchase.as_ref()).await?),
    };
    Ok(Effect {
        transition: Transition::Tombstone { id: event.asset_id, version: *version, purchase },
        account,
        purchase: about,
    })
}

fn applied_purchase(Purchase { id, product, .. }: &Purchase) -> AppliedPurchase {
    AppliedPurchase { id: id.clone(), product: product.clone() }
}

async fn charge_of(
    app: &App,
    event: &MeasurementEvent,
    order: &PurchaseOrder,
) -> Result<AccountChange, NoEffect> {
    let listed = &app.purchase_names;
    if !listed.contains(&order.product) {
        let refusal = EventRefusal::UnlistedName { name: order.product.clone(), listed: listed.clone() };
        return Err(refusal.into());
    }
    Accounts::new(app.dynamo.clone()).check_clock(&AccountKey::Org(event.org_id.clone())).await?;
    let seen = read_account(app, event).await?;
    let charge = Charge { name: order.product.clone(), credits: order.credits };
    let change = decide_purchase(&seen.account, &charge, app.clock.now()).map_err(EventRefusal::from)?;
    Ok(AccountChange { seen, change })
}

async fn refund_of(
    app: &App,
    event: &MeasurementEvent,
    purchase: Option<&Purchase>,
) -> Result<Option<AccountChange>, NoEffect> {
    let Some(Purchase { product, draws, .. }) = purchase else {
        return Ok(None);
    };
    let draws = refundable(draws.clone(), CREDITS_KEPT);
    if draws.iter().all(|draw| draw.credits == 0) {
        return Ok(None);
    }
    Accounts::new(app.dynamo.clone()).check_clock(&AccountKey::Org(event.org_id.clone())).await?;
    let seen = read_account(app, event).await?;
    let change = refund(&seen.account, &draws, product, app.clock.now());
    Ok(Some(AccountChange { seen, change }))
}

async fn read_account(app: &App, event: &MeasurementEvent) -> Result<StoredAccount, StoreError> {
    let key = AccountKey::Org(event.org_id.clone());
    Accounts::new(app.dynamo.clone()).read_stored(&key).await?.ok_or(StoreError::Missing("account"))
}
