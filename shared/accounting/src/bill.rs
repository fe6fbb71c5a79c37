//! What a month costs an organization.

use serde::Serialize;

use super::grant::signed;
use super::{Credits, Month, Usage};

/// The price of a metered credit, in US cents. `Bill` in openapi.yaml and docs/reference/products.md name it.
const CENTS_PER_CREDIT: Credits = 5;

/// What lowers a month's bill, in metered credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deductions {
    /// Refunds of the month's own metered credits, which are metered no more.
    pub refunds: Credits,
    /// Refunds of earlier months' metered credits.
    pub credit_notes: Credits,
    /// Credit notes that earlier bills had no room for.
    pub carried_in: Credits,
}

/// A month's usage, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bill {
    pub month: Month,
    /// The month's calls and credits by billing name, whichever credits paid for them.
    #[serde(rename = "by_product")]
    pub usage: Usage,
    pub totals: BillTotals,
}

/// A month's sums, in credits but for the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BillTotals {
    /// The metered credits drawn, less the refunds of the month's own.
    pub metered: Credits,
    /// The prepaid credits drawn, less refunds: negative in a month that refunds more than it draws.
    pub prepaid: i64,
    /// The refunds that `metered` is already less.
    pub refunds: Credits,
    pub credit_notes: Credits,
    pub carried_in: Credits,
    /// The credit notes that go to the next bill, since none falls below zero.
    pub carried_forward: Credits,
    /// What is to be paid, in US cents.
    pub cents: Credits,
}

impl Deductions {
    /// Returns the credit notes that the bill of a month with so many metered credits has no room for.
    pub fn carried_forward(self, metered: Credits) -> Credits {
        self.notes().saturating_sub(metered)
    }

    fn notes(self) -> Credits {
        self.credit_notes.saturating_add(self.carried_in)
    }
}

impl Bill {
    /// Makes the bill of a month with so many metered credits, the month's own refunds taken off.
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
