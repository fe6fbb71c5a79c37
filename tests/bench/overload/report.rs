//! The results of a simulated load.

use std::collections::BTreeMap;
use std::time::Duration;

use accounting::Credits;

use super::simulation::Load;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    Charged,
    /// The call was admitted and charged at most once.
    InDoubt,
    /// The call returned a 429.
    RateLimited,
    /// The call returned a 503 and wasn't charged.
    Unavailable,
    /// The call returned a 503 and was charged at most once.
    Unanswered,
    /// The gateway returned a 503 because all instances were busy.
    NoInstance,
}

pub(super) struct Report {
    pub(super) load: Load,
    /// The number of calls that ended during the counting period, by outcome.
    counted: BTreeMap<Ending, usize>,
    /// The number of calls, by outcome.
    all: BTreeMap<Ending, usize>,
    /// The durations of charges during the counting period.
    charges: Vec<Duration>,
    /// The write units used during the counting period.
    pub(super) written: Option<f64>,
    /// The credits used by the account.
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

    /// Returns the number of charged calls per second during the counting period.
    pub(super) fn goodput(&self) -> f64 {
        self.per_second(Ending::Charged)
    }

    pub(super) fn per_second(&self, ending: Ending) -> f64 {
        self.counted.get(&ending).copied().unwrap_or_default() as f64 / self.load.counted.as_secs_f64()
    }

    pub(super) fn all(&self, ending: Ending) -> u64 {
        u64::try_from(self.all.get(&ending).copied().unwrap_or_default()).expect("a small number")
    }

    /// Returns a quantile of the charge durations in milliseconds, where `share` is between 0 and 1.
    pub(super) fn charge_ms(&self, share: f64) -> f64 {
        let mut charges = self.charges.clone();
        charges.sort_unstable();
        let at = (charges.len() as f64 * share) as usize;
        charges.get(at.min(charges.len().saturating_sub(1))).map_or(0.0, Duration::as_secs_f64) * 1_000.0
    }

    /// Returns the number of attempted item writes per charged call.
    pub(super) fn writes_per_call(&self) -> f64 {
        let writes = self.written.unwrap_or_default() / self.load.item_units;
        // If the calls before the counting period use up the minute's limit, none are charged during it.
        if writes == 0.0 { 0.0 } else { writes / self.load.counted.as_secs_f64() / self.goodput() }
    }

    pub(super) const HEAD: &str = "\
| write units per write | offered/s | charged/s | 429/s | 503/s | 503 from the gateway/s | charge p50 ms | \
p99 ms | write units/s | writes per call | instances |
|---|---|---|---|---|---|---|---|---|---|---|";

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
            self.writes_per_call(),
            self.instances,
        )
    }
}
