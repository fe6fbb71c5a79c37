//! The results of a simulation.

use std::collections::BTreeMap;
use std::time::Duration;

use accounting::Credits;

use super::simulation::Load;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    Charged,
    /// Admitted; charged at most once.
    InDoubt,
    /// Refused with 429.
    RateLimited,
    /// Answered with 503, and not charged.
    Unavailable,
    /// Answered with 503; charged at most once.
    Unanswered,
    /// Refused by the gateway with 503, because all instances were busy.
    NoInstance,
}

pub(super) struct Report {
    pub(super) load: Load,
    /// The calls that ended while counting.
    counted: BTreeMap<Ending, usize>,
    /// All calls, by outcome.
    all: BTreeMap<Ending, usize>,
    /// The durations of the counted charges.
    charges: Vec<Duration>,
    /// The write units used while counting.
    pub(super) written: Option<f64>,
    /// The used credits of the account.
    pub(super) used: Credits,
    pub(super) instances: usize,
}

impl Report {
    pub(super) fn new(load: Load) -> Self {
        Self {
            load,
            counted: BTreeMap::new(),
            all: BTreeMap::new(),
            charges: Vec::new(),
            written: None,
            used: 0,
            instances: 0,
        }
    }

    pub(super) fn add(&mut self, ending: Ending, took: Duration, counts: bool) {
        *self.all.entry(ending).or_default() += 1;
        if counts {
            *self.counted.entry(ending).or_default() += 1;
            if ending == Ending::Charged {
                self.charges.push(took);
            }
        }
    }

    /// Returns the number of charged calls per second.
    pub(super) fn goodput(&self) -> f64 {
        self.per_second(Ending::Charged)
    }

    pub(super) fn per_second(&self, ending: Ending) -> f64 {
        self.counted.get(&ending).copied().unwrap_or_default() as f64 / self.load.counted.as_secs_f64()
    }

    /// Returns the total number of calls with the given outcome.
    pub(super) fn all(&self, ending: Ending) -> u64 {
        u64::try_from(self.all.get(&ending).copied().unwrap_or_default()).expect("a small number")
    }

    /// Returns the given quantile, from 0 to 1, of charge durations in milliseconds.
    pub(super) fn charge_ms(&self, share: f64) -> f64 {
        let mut charges = self.charges.clone();
        charges.sort_unstable();
        let at = (charges.len() as f64 * share) as usize;
        charges.get(at.min(charges.len().saturating_sub(1))).map_or(0.0, Duration::as_secs_f64) * 1_000.0
    }

    /// Returns the number of writes of the item per charged call, including failed ones.
    pub(super) fn writes_of_a_call(&self) -> f64 {
        let writes = self.written.unwrap_or_default() / self.load.item_units;
        // No call is charged in a minute whose limit was reached before counting.
        if writes == 0.0 { 0.0 } else { writes / self.load.counted.as_secs_f64() / self.goodput() }
    }

    /// The header of the table of reports.
    pub(super) const HEAD: &str = "\
| write units of a call | offered/s | charged/s | 429/s | 503/s | 503 of the gateway/s | charge p50 ms | \
p99 ms | write units/s | writes of a call | instances |
|---|---|---|---|---|---|---|---|---|---|---|";

    /// Formats the report as a table row.
    pub(super) fn row(&self) -> String {
        let busy = self.per_second(Ending::Unavailable) + self.per_second(Ending::Unanswered);
        format!(
            "| {:.0} | {:.0} | {:.0} | {:.0} | {busy:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.2} | {} |",
            self.load.item_units,
            self.load.offered,
            self.goodput(),
            self.per_second(Ending::RateLimited),
            self.per_second(Ending::NoInstance),
            self.charge_ms(0.5),
            self.charge_ms(0.99),
            self.written.unwrap_or_default() / self.load.counted.as_secs_f64(),
            self.writes_of_a_call(),
            self.instances,
        )
    }
}
