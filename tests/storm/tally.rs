//! What a program was told of its calls, by billing name, and which of them nobody answered.
use std::collections::{BTreeMap, BTreeSet};

use accounting::{Credits, UsageLine};
use harness::Answer;
use harness::traffic::request;
use store::EntryId;

/// Usage by billing name.
pub(crate) type Lines = BTreeMap<String, UsageLine>;

/// The calls of one life of the service.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// What was acknowledged as charged.
    pub(crate) lines: Lines,
    /// The entries of the account that are known by their answers.
    pub(crate) entries: BTreeSet<EntryId>,
    pub(crate) unanswered: Vec<Unanswered>,
    /// The calls that were 503, which a busy machine has: charged and refunded, or not charged.
    pub(crate) unavailable: u64,
    /// The calls that were sent, answered or not.
    pub(crate) calls: u64,
    /// The writes that were acknowledged.
    pub(crate) writes: u64,
}

/// A call that the service was killed under: it may have been charged, and it may have been carried out.
#[derive(Clone, Debug)]
pub(crate) struct Unanswered {
    pub(crate) product: &'static str,
    pub(crate) call: String,
    /// What it costs if it is charged.
    pub(crate) price: Credits,
}

impl Tally {
    /// Enters the answer to a call of a product.
    pub(crate) fn enter(&mut self, product: &'static str, answer: &Answer) {
        // Who is refused for a credential, the rate or the credits is not charged, and no call is counted.
        if matches!(answer.status.as_u16(), 401 | 402 | 403 | 429) {
            return;
        }
        self.enter_request(answer);
        self.book(product, 1, answer.credits_used().cast_signed());
    }

    /// Enters a call that was 503.
    pub(crate) fn enter_unavailable(&mut self, answer: &Answer, call: Unanswered) {
        self.enter_request(answer);
        self.unavailable += 1;
        self.unanswered.push(call);
    }

    fn enter_request(&mut self, answer: &Answer) {
        let request = request(answer.header("x-request-id"));
        self.entries.extend([EntryId::charge(request), EntryId::refund(request)]);
    }

    /// Enters what an event charged or gave back.
    pub(crate) fn book(&mut self, name: &str, calls: i64, credits: i64) {
        let line = self.lines.entry(name.to_owned()).or_default();
        line.calls += calls;
        line.credits += credits;
    }

    /// Adds another program's calls.
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
