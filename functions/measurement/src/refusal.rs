//! The reasons for rejecting an event.

use accounting::{InsufficientCredits, Meter, PurchaseNames, PurchaseRefusal};
use serde_with::SerializeDisplay;
use store::AssetState;
use thiserror::Error;

use crate::event::EventType;

/// The maximum length of a purchase's ID, in characters. The ID is stored in the asset's main item, whose
/// size is limited.
pub(crate) const MAX_PURCHASE_ID: usize = 128;

/// The reason an event was rejected. A direct invocation returns the reason as text. If the event is resent,
/// it's rejected again as long as the reason applies.
#[derive(Clone, Debug, PartialEq, Eq, Error, SerializeDisplay)]
pub enum EventRefusal {
    /// The payload isn't a valid event.
    #[error("this is not a measurement event: {0}")]
    Unreadable(String),
    /// A `purchased` event has no `purchase`.
    #[error("`purchase` is required for a purchased event")]
    PurchaseMissing,
    /// An event other than `purchased` has a `purchase`.
    #[error("`purchase` is allowed only for a purchased event")]
    PurchaseMisplaced,
    /// The purchase's ID is empty or too long.
    #[error("`purchase_id` must have 1 to {MAX_PURCHASE_ID} characters, but has {0}")]
    PurchaseIdLength(usize),
    /// The purchase's meter isn't in the administrator's list.
    #[error("`product` must be one of the configured billing names ({listed}), got {name}")]
    UnlistedName { name: Meter, listed: PurchaseNames },
    /// A different event with the same ID was already applied.
    #[error("a different event with this event_id was already applied; send a new event_id")]
    IdTaken,
    /// The organization doesn't have the asset.
    #[error("the organization has no asset with this id")]
    UnknownAsset,
    /// The event purchases a measurement of a deleted asset.
    #[error("the asset was deleted, so its measurement cannot be purchased")]
    AssetDeleted,
    /// The event isn't allowed in the asset's state.
    #[error("a {event_type} event cannot be applied to an asset that is {state}")]
    NoTransition { state: AssetState, event_type: EventType },
    /// The event occurred before the purchase of a measurement that this service sells, so it's about an
    /// earlier measurement.
    #[error("the event occurred before the purchase of the current measurement")]
    EarlierMeasurement,
    /// The organization is suspended, so it can't purchase measurements.
    #[error("the organization is suspended; resume it, then send the event again")]
    OrganizationSuspended,
    /// The organization's balance is too low for the purchase.
    #[error("the purchase costs {} credits, but the balance is {}", .0.price, .0.balance)]
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
