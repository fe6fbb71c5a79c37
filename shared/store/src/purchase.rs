//! Measurement purchases, which are stored as part of their assets.

use accounting::{Drawdown, Meter, Timestamp};

use super::item::{Seconds, stored};

/// A measurement's purchase, including the credits that paid for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The ID that the sender of the measurement event assigned to the purchase.
    pub id: String,
    pub product: Meter,
    /// The credits drawn from each grant.
    pub draws: Vec<Drawdown>,
    /// When the measurement was purchased, according to the sender of the event. Results from before this
    /// time don't belong to this purchase.
    pub purchased_at: Timestamp,
    /// Whether this service performs the measurement. If not, another measurement product does.
    pub is_own: bool,
}

stored!(Purchase { id: "id", product: "product", draws: "draws", purchased_at: "at", is_own: "own" });
stored!(Drawdown { grant: "grant", kind: "kind", credits: "credits", expires_at: "end" in Seconds });
