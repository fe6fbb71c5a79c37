//! Why an event is not applied.

use accounting::{BillingName, InsufficientCredits, PurchaseNames, PurchaseRefusal};
use serde_with::SerializeDisplay;
use store::AssetState;
use thiserror::Error;

use crate::event::EventType;

/// The most characters of a purchase's number: it lies in the asset's head, beside the body.
pub(crate) const MAX_PURCHASE_ID: usize = 128;

/// Why an event is not applied, and never will be as it is. Its text is what the sender is told.
#[derive(Clone, Debug, PartialEq, Eq, Error, SerializeDisplay)]
pub enum EventRefusal {
    /// What was sent has not the form of an event.
    #[error("this is not a measurement event: {0}")]
    Unreadable(String),
    /// A `purchased` event does not say what was bought.
    #[error("`purchase` is required for a purchased event")]
    PurchaseMissing,
    /// Another event than `purchased` says what was bought.
    #[error("`purchase` is allowed only for a purchased event")]
    PurchaseMisplaced,
    /// The purchase's number is empty or too long.
    #[error("`purchase_id` must have 1 to {MAX_PURCHASE_ID} characters")]
    PurchaseIdLength,
    /// The operator does not list what the purchase is billed as.
    #[error("`product` must be one of the configured billing names ({listed}), got {name}")]
    UnlistedName { name: BillingName, listed: PurchaseNames },
    /// Another event came before it under its id.
    #[error("another event was already applied under this event id")]
    IdTaken,
    /// The organization has no such asset.
    #[error("the organization has no such asset")]
    UnknownAsset,
    /// A measurement was bought of an asset that was deleted.
    #[error("the asset was deleted")]
    AssetDeleted,
    /// The asset's state does not lead on by this event.
    #[error("a {event_type} event cannot be applied to an asset that is {state}")]
    NoTransition { state: AssetState, event_type: EventType },
    /// The operator has suspended the organization, which buys nothing meanwhile.
    #[error("the organization is suspended; resume it, then send the event again")]
    OrganizationSuspended,
    /// The organization cannot pay for the purchase.
    #[error("the purchase costs {} credits, and the balance is {}", .0.price, .0.balance)]
    InsufficientCredits(#[from] InsufficientCredits),
}

impl From<PurchaseRefusal> for EventRefusal {
    fn from(refusal: PurchaseRefusal) -> Self {
        match refusal {
            PurchaseRefusal::Suspended => Self::OrganizationSuspended,
            PurchaseRefusal::InsufficientCredits(too_few) => too_few.into(),
        }
    }
}
