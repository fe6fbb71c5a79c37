//! The effects of an event: the asset's state transition and the change to the organization's account.
use accounting::{AccountKey, Charge, Credits, Timestamp, decide_purchase, refund, refundable};
use store::{
    AccountChange, Accounts, AppliedEvent, ClockSkewed, Head, Purchase, StoreError, StoredAccount, Tombstone,
    Transition,
};
use thiserror::Error;

use crate::App;
use crate::event::{EventType, MeasurementEvent, PurchaseOrder};
use crate::refusal::{EventRefusal, MAX_PURCHASE_ID};
use crate::transition::{measured_at, next_state};

/// The number of credits that are kept when a failed measurement is refunded. docs/reference/products.md also
/// states this number.
const CREDITS_KEPT: Credits = 1;

/// The effects of an event. Either all of them are applied, or none.
pub(crate) struct Effect<'a> {
    pub(crate) transition: Transition<'a>,
    pub(crate) account: Option<AccountChange>,
    /// The purchase that the event concerns, if any.
    purchase: Option<Purchase>,
}

impl Effect<'_> {
    /// Returns a record of the effects, which is kept for administrators.
    pub(crate) fn applied(&self, event: &MeasurementEvent, applied_at: Timestamp) -> AppliedEvent {
        AppliedEvent {
            id: event.event_id.clone(),
            event_type: event.event_type.to_string(),
            occurred_at: event.occurred_at,
            applied_at,
            purchase_id: self.purchase.as_ref().map(|purchase| purchase.id.clone()),
            product: self.purchase.as_ref().map(|purchase| purchase.product.clone()),
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

/// The reason an event has no effect.
#[derive(Debug, Error)]
pub(crate) enum NoEffect {
    /// The event is rejected.
    #[error(transparent)]
    Refused(#[from] EventRefusal),
    /// This process's clock is wrong, so it must not charge or refund.
    #[error(transparent)]
    ClockSkewed(#[from] ClockSkewed),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The type of an event. `purchased` events include the purchase order.
#[derive(Clone, Copy)]
pub(crate) enum EventKind<'a> {
    Purchased(&'a PurchaseOrder),
    Started,
    Measured,
    Completed,
    Failed,
}

impl<'a> EventKind<'a> {
    /// Returns the type of an event. Checks that the event has a `purchase` if and only if its type requires
    /// one, and that the length of the purchase's ID is valid.
    pub(crate) fn of(event: &'a MeasurementEvent) -> Result<Self, EventRefusal> {
        match (event.event_type, &event.purchase) {
            (EventType::Purchased, Some(order)) => match order.purchase_id.chars().count() {
                1..=MAX_PURCHASE_ID => Ok(Self::Purchased(order)),
                length => Err(EventRefusal::PurchaseIdLength(length)),
            },
            (EventType::Purchased, None) => Err(EventRefusal::PurchaseMissing),
            (EventType::Started, None) => Ok(Self::Started),
            (EventType::Measured, None) => Ok(Self::Measured),
            (EventType::Completed, None) => Ok(Self::Completed),
            (EventType::Failed, None) => Ok(Self::Failed),
            (
                EventType::Started | EventType::Measured | EventType::Completed | EventType::Failed,
                Some(_),
            ) => Err(EventRefusal::PurchaseMisplaced),
        }
    }
}

/// Determines the effects of an event on an asset.
pub(crate) async fn of_asset<'a>(
    app: &App,
    event: &MeasurementEvent,
    kind: EventKind<'_>,
    head: &'a Head,
) -> Result<Effect<'a>, NoEffect> {
    let state = next_state(head.state, event.event_type)?;
    check_purchase(event, head.purchase.as_ref())?;
    let (purchase, account) = settle(app, event, kind, head.purchase.as_ref()).await?;
    let about = purchase.as_ref().or(head.purchase.as_ref()).cloned();
    let transition = Transition::Asset { head, state, last_measured_at: measured_at(event, head), purchase };
    Ok(Effect { transition, account, purchase: about })
}

/// Determines the effects of an event on a deleted asset. The event is recorded, and a failed measurement is
/// refunded.
pub(crate) async fn of_tombstone(
    app: &App,
    event: &MeasurementEvent,
    kind: EventKind<'_>,
    tombstone: &Tombstone,
) -> Result<Effect<'static>, NoEffect> {
    let Tombstone { version, purchase } = tombstone;
    let about = purchase.clone();
    if let EventKind::Purchased(_) = kind {
        return Err(EventRefusal::AssetDeleted.into());
    }
    check_purchase(event, about.as_ref())?;
    let (purchase, account) = settle(app, event, kind, purchase.as_ref()).await?;
    Ok(Effect {
        transition: Transition::Tombstone { id: event.asset_id, version: *version, purchase },
        account,
        purchase: about,
    })
}

/// Rejects an event about an earlier measurement by this service. Events of other measurement products can
/// arrive in any order.
fn check_purchase(event: &MeasurementEvent, purchase: Option<&Purchase>) -> Result<(), EventRefusal> {
    match purchase {
        Some(own) if own.is_own && event.occurred_at < own.purchased_at => {
            Err(EventRefusal::EarlierMeasurement)
        }
        _ => Ok(()),
    }
}

/// Returns the purchase that can still be refunded after the event, and the change to the account.
async fn settle(
    app: &App,
    event: &MeasurementEvent,
    kind: EventKind<'_>,
    purchase: Option<&Purchase>,
) -> Result<(Option<Purchase>, Option<AccountChange>), NoEffect> {
    Ok(match kind {
        EventKind::Started | EventKind::Measured => (purchase.cloned(), None),
        EventKind::Completed => (None, None),
        EventKind::Failed => (None, refund_of(app, event, purchase).await?),
        EventKind::Purchased(order) => {
            let charged = charge_of(app, event, order).await?;
            let PurchaseOrder { purchase_id, product, is_own, .. } = order.clone();
            let draws = charged.change.draws.clone();
            let purchased_at = event.occurred_at;
            (Some(Purchase { id: purchase_id, product, draws, purchased_at, is_own }), Some(charged))
        }
    })
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
