//! What was paid for a measurement, as a member of an asset's item.

use accounting::{BillingName, Draw, Timestamp};

use super::item::{Seconds, stored};

/// What was paid for a measurement, and from which grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The measurement product's own number.
    pub id: String,
    pub product: BillingName,
    /// The grants' parts of the price.
    pub draws: Vec<Draw>,
    /// When it was bought, as its sender says: the run that it pays for has no measurement from before.
    pub purchased_at: Timestamp,
}

stored!(Purchase { id: "id", product: "product", draws: "draws", purchased_at: "at" });
stored!(Draw { grant: "grant", kind: "kind", credits: "credits", expires_at: "end" in Seconds });
