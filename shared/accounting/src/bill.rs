//! Organizations' monthly bills.

use serde::Serialize;

use super::grant::signed;
use super::{Credits, Month, Usage};

/// The price of a metered credit, in US cents. It's also stated in docs/reference/products.md and under
/// `Bill` in openapi.yaml.
const CENTS_PER_CREDIT: Credits = 5;

/// Deductions from a month's bill, in metered credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deductions {
    /// Refunds of metered credits that were drawn in the same month. They reduce the month's metered credits.
    pub refunds: Credits,
    /// Refunds of metered credits that were drawn in earlier months.
    pub credit_notes: Credits,
    /// Credit notes that exceeded earlier bills and were carried forward.
    pub carried_in: Credits,
}

/// A month's usage and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bill {
    pub month: Month,
    /// The month's calls and credits by billing name, for all kinds of credits.
    #[serde(rename = "by_product")]
    pub usage: Usage,
    pub totals: BillTotals,
}

/// A month's totals. All except `cents` are in credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BillTotals {
    /// The metered credits drawn, less refunds made in the same month.
    pub metered: Credits,
    /// The prepaid credits drawn, less refunds. Negative if the month's refunds exceed its draws.
    pub prepaid: i64,
    /// The refunds that are already subtracted from `metered`.
    pub refunds: Credits,
    pub credit_notes: Credits,
    pub carried_in: Credits,
    /// The credit notes that are carried forward to the next bill, because a bill is never negative.
    pub carried_forward: Credits,
    /// The amount due, in US cents.
    pub cents: Credits,
}

impl Deductions {
    /// Returns the credit notes that exceed a bill for `metered` credits.
    pub fn carried_forward(self, metered: Credits) -> Credits {
        self.notes().saturating_sub(metered)
    }

    fn notes(self) -> Credits {
        self.credit_notes.saturating_add(self.carried_in)
    }
}

impl Bill {
    /// Creates a month's bill. `metered` must already be reduced by `deductions.refunds`.
    pub fn new(month: Month, usage: Usage, metered: Credits, deductions: Deductions) -> Self {
        let Deductions { refunds, credit_notes, carried_in } = deductions;
        let all = usage.values().map(|line| line.credits).fold(0, i64::saturating_add);
        let totals = BillTotals {
            metered,
            prepaid: all.saturating_add(signed(credit_notes)).saturating_sub(signed(metered)),
            refunds,
            credit_notes,
            carried_in,
            carried_forward: deductions.carried_forward(metered),
            cents: metered.saturating_sub(deductions.notes()).saturating_mul(CENTS_PER_CREDIT),
        };
        Self { month, usage, totals }
    }
}
