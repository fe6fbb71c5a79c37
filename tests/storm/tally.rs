//! A client's acknowledged usage, by meter, and its unanswered calls.
use std::collections::{BTreeMap, BTreeSet};

use accounting::{Credits, UsageLine};
use harness::Answer;
use harness::traffic::request;
use store::EntryId;

/// Each meter's usage.
pub(crate) type Lines = BTreeMap<String, UsageLine>;

/// A client's calls during one run of the service.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The acknowledged charges, by meter.
    pub(crate) lines: Lines,
    /// The ledger entries of answered calls.
    pub(crate) entries: BTreeSet<EntryId>,
    pub(crate) unanswered: Vec<Unanswered>,
    /// The number of 503 responses, which a busy machine can cause. These calls were either charged and
    /// refunded, or not charged.
    pub(crate) unavailable: u64,
    /// The number of calls that the client sent.
    pub(crate) calls: u64,
    /// The number of acknowledged writes.
    pub(crate) writes: u64,
}

/// A call whose charge and effect are unknown because the service was killed or returned a 503.
#[derive(Clone, Debug)]
pub(crate) struct Unanswered {
    pub(crate) product: &'static str,
    pub(crate) call: String,
    /// The price that was charged if the charge took effect.
    pub(crate) price: Credits,
}

impl Tally {
    /// Records the response to a call that is charged as a product.
    pub(crate) fn enter(&mut self, product: &'static str, answer: &Answer) {
        // Calls that are refused because of their credentials, the rate limit, or the balance are neither
        // charged nor counted.
        if matches!(answer.status.as_u16(), 401 | 402 | 403 | 429) {
            return;
        }
        self.enter_request(answer);
        self.book(product, 1, answer.credits_used().cast_signed());
    }

    /// Records a call that returned a 503.
    pub(crate) fn enter_unavailable(&mut self, answer: &Answer, call: Unanswered) {
        self.enter_request(answer);
        self.unavailable += 1;
        self.unanswered.push(call);
    }

    fn enter_request(&mut self, answer: &Answer) {
        let request = request(answer.header("x-request-id"));
        self.entries.extend([EntryId::charge(request), EntryId::refund(request)]);
    }

    /// Adds calls and credits to a meter's acknowledged usage. Refunds have negative credits.
    pub(crate) fn book(&mut self, name: &str, calls: i64, credits: i64) {
        let line = self.lines.entry(name.to_owned()).or_default();
        line.calls += calls;
        line.credits += credits;
    }

    pub(crate) fn add(&mut self, other: Self) {
        add_lines(&mut self.lines, &other.lines);
        self.entries.extend(other.entries);
        self.unanswered.extend(other.unanswered);
        self.unavailable += other.unavailable;
        self.calls += other.calls;
        self.writes += other.writes;
    }
}

pub(crate) fn add_lines(sum: &mut Lines, more: &Lines) {
    for (name, line) in more {
        let of_name = sum.entry(name.clone()).or_default();
        of_name.calls += line.calls;
        of_name.credits += line.credits;
    }
}
