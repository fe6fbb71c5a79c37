//! Audits credits. Compares every response with the charges in the database, and every account with the sum
//! of its charges.

use std::collections::{BTreeSet, HashSet};

use accounting::{Month, Timestamp, Totals};
use measurement::EventType;
use store::Accounts;

use super::ledger::Ledger;
use super::sender::{Made, PRICE, Sender};
use crate::{Logs, TestOrg, World, paid, text};

/// The requests whose charge or refund is uncertain according to the log, by ID.
#[derive(Debug, Default)]
pub struct Doubts {
    charge: HashSet<String>,
    unanswered: HashSet<String>,
    refund: HashSet<String>,
}

/// An organization's account after the audit.
#[derive(Debug)]
pub struct AuditedAccount {
    /// The number of calls that the organization's clients sent.
    pub calls: usize,
    /// The number of purchased measurements.
    pub purchases: usize,
    /// The number of days with usage.
    pub days: usize,
    pub totals: Totals,
    pub left: u64,
}

impl Doubts {
    pub(super) fn read(logs: &Logs) -> Self {
        let of = |event| logs.of(event).iter().map(|line| text(&line["fields"]["request_id"])).collect();
        Self { charge: of("charge_in_doubt"), unanswered: of("charge_unanswered"), refund: of("refund_lost") }
    }

    /// Returns the number of uncertain requests.
    pub fn all(&self) -> usize {
        self.charge.len() + self.unanswered.len() + self.refund.len()
    }

    /// Checks that a call's charges and refunds match its response, and returns how many of each there are.
    fn landed(&self, made: &Made, ledger: &Ledger) -> (usize, usize) {
        let (charges, refunds) = (ledger.charges(&made.request_id), ledger.refunds(&made.request_id));
        let id = &made.request_id;
        let is_right = match made.status {
            402 | 429 => charges == 0 && made.credits == 0,
            503 if self.unanswered.contains(id) => refunds == 0 && made.credits == 0,
            503 if self.refund.contains(id) => charges == 1 && made.credits == paid(),
            503 if self.charge.contains(id) => refunds == 0 && made.credits == 0,
            503 => charges == refunds && made.credits == 0,
            _ if self.charge.contains(id) => refunds == 0 && made.credits == 0,
            _ => charges == 1 && refunds == 0 && made.credits == paid(),
        };
        assert!(
            is_right && charges <= 1 && refunds <= charges,
            "{made:?}: {charges} charges, {refunds} refunds"
        );
        (charges, refunds)
    }
}

/// Compares an organization's account, and its usage since `began`, with the charges for its clients' calls.
pub(super) async fn audit_account(
    world: &World,
    org: &TestOrg,
    senders: &[&Sender],
    (ledger, doubts): (&Ledger, &Doubts),
    began: Timestamp,
) -> AuditedAccount {
    // Includes the shared asset's create call, which was charged before the recording started.
    let (mut charged, mut calls) = (1, 1);
    for made in senders.iter().flat_map(|sender| &sender.made) {
        let (charges, refunds) = doubts.landed(made, ledger);
        charged += charges - refunds;
        calls += charges;
    }
    let events = senders.iter().flat_map(|sender| &sender.assets).flat_map(|known| &known.applied);
    let of = |event_type| events.clone().filter(|event| event.event_type == event_type).count();
    let (purchases, failed) = (of(EventType::Purchased), of(EventType::Failed));
    let bought = PRICE as usize * purchases - (PRICE as usize - 1) * failed;
    calls += purchases;
    let account = world.account(org).await;
    let used = charged as u64 * paid() + bought as u64;
    let (totals, left) = (account.totals, account.left());
    assert_eq!(totals.used, used, "{}", org.id);
    assert_eq!(totals.granted, left + totals.used + totals.expired, "{}", org.id);
    let accounts = Accounts::new(world.app.dynamo.clone());
    let mut booked = vec![account.today];
    for month in months(began, world.clock.now()) {
        booked.extend(accounts.past_usage(&org.id, month).await.expect("a response"));
    }
    let until = world.clock.now().plus_days(7).day();
    let usage = accounts.usage(&org.id, began.day(), until).await.expect("a response");
    booked.sort_by_key(|day| day.day);
    assert_eq!(usage, Some(booked.clone()), "{}: the usage equals the booked charges", org.id);
    let days = booked.iter().map(|day| day.day).collect::<BTreeSet<_>>().len();
    assert_eq!(days, booked.len(), "{} {booked:#?}", org.id);
    let lines = || booked.iter().flat_map(|day| day.usage.values());
    assert_eq!(lines().map(|line| line.credits).sum::<i64>(), used as i64, "{}", org.id);
    assert_eq!(lines().map(|line| line.calls).sum::<i64>(), calls as i64, "{}", org.id);
    let calls = senders.iter().map(|sender| sender.made.len()).sum();
    AuditedAccount { calls, purchases, days, totals, left }
}

/// Returns every month from one time's month to the other's.
fn months(from: Timestamp, until: Timestamp) -> Vec<Month> {
    let mut months = vec![from.day().month()];
    let mut next = from.next_month();
    while next <= until {
        months.push(next.day().month());
        next = next.next_month();
    }
    months
}
