//! The purchase of a measurement, stored as part of an asset.

use accounting::{BillingName, Draw, Timestamp};

use super::item::{Seconds, stored};

/// The purchase of a measurement, with the grants that paid for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The sender's number of the purchase.
    pub id: String,
    pub product: BillingName,
    /// The credits drawn from each grant.
    pub draws: Vec<Draw>,
    /// When the measurement was purchased, according to the sender. Earlier results don't belong to this
    /// purchase.
    pub purchased_at: Timestamp,
}

stored!(Purchase { id: "id", product: "product", draws: "draws", purchased_at: "at" });
stored!(Draw { grant: "grant", kind: "kind", credits: "credits", expires_at: "end" in Seconds });
