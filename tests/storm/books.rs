//! Compares the accounts after a restart with the clients' records.
use std::collections::{BTreeMap, BTreeSet};

use accounting::{AccountKey, Credits, OrgId, UsageLine};
use gateway::App;
use marquee::administrator::Administrator;
use store::{Accounts, EntryId, GrantState};

use crate::staff::{Fate, Grant};
use crate::tally::{Lines, Tally, Unanswered, add_lines};

/// An organization's account as of the last audit.
#[derive(Debug)]
pub(crate) struct Book {
    org: OrgId,
    /// The credits that were granted before the storm.
    granted: Credits,
    /// The usage that earlier audits have accounted for.
    booked: Lines,
    /// The account's most recent ledger entries.
    recent: BTreeSet<EntryId>,
}

/// The totals across all accounts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) granted: Credits,
    pub(crate) left: Credits,
    pub(crate) used: Credits,
    pub(crate) expired: Credits,
}

impl Book {
    /// Records an account that hasn't been charged yet.
    pub(crate) async fn open(org: &OrgId, administrator: &Administrator, app: &App) -> Self {
        let granted = administrator.account(org).await.expect("a response").totals.granted;
        let mut book = Self { org: org.clone(), granted, booked: Lines::new(), recent: BTreeSet::new() };
        book.unknown_entries(app, &Tally::default()).await;
        book
    }

    /// Counts new ledger entries that don't belong to an answered call. Must run before newer entries replace
    /// them.
    pub(crate) async fn unknown_entries(&mut self, app: &App, tally: &Tally) -> usize {
        let accounts = Accounts::new(app.dynamo.clone());
        let read = accounts.read_stored(&AccountKey::Org(self.org.clone())).await;
        let recent: BTreeSet<_> = read.expect("a response").expect("an account").recent.iter().collect();
        let new = recent.difference(&self.recent).filter(|entry| !tally.entries.contains(*entry)).count();
        self.recent = recent;
        new
    }

    /// Returns the new usage that no client acknowledged. Panics if the billed credits differ from the
    /// account's used credits, if acknowledged usage is missing, or if the returned usage exceeds the price
    /// of the unanswered calls.
    pub(crate) async fn charged(&mut self, administrator: &Administrator, tally: &Tally) -> Lines {
        let bills = administrator.bills(&self.org).await.expect("a response");
        let mut booked = Lines::new();
        for (name, line) in bills.iter().flat_map(|bill| &bill.usage) {
            add_lines(&mut booked, &Lines::from([(name.as_str().to_owned(), *line)]));
        }
        let account = administrator.account(&self.org).await.expect("a response");
        let used: i64 = booked.values().map(|line| line.credits).sum();
        assert_eq!(
            used,
            account.totals.used.cast_signed(),
            "{}: booked credits equal used credits",
            self.org
        );
        let mut known = std::mem::replace(&mut self.booked, booked.clone());
        add_lines(&mut known, &tally.lines);
        let mut charged = Lines::new();
        let names: BTreeSet<&String> = booked.keys().chain(known.keys()).collect();
        for name in names {
            let line = less(booked.get(name), known.get(name));
            assert!(
                line.calls >= 0 && line.credits >= 0,
                "{}: acknowledged usage of {name} is missing: {line:?}",
                self.org
            );
            if line != UsageLine::default() {
                self.assert_sent(name, line, &tally.unanswered);
                charged.insert(name.clone(), line);
            }
        }
        charged
    }

    /// Checks that unacknowledged usage belongs to calls that were sent, and doesn't exceed their price.
    fn assert_sent(&self, name: &str, line: UsageLine, unanswered: &[Unanswered]) {
        let sent: Vec<_> = unanswered.iter().filter(|call| call.product == name).collect();
        assert!(
            line.calls as usize <= sent.len() && !sent.is_empty(),
            "{}: {name} has unacknowledged usage {line:?}; calls without an answer: {sent:?}",
            self.org
        );
        let most = line.calls * sent[0].price.cast_signed();
        assert!(line.credits <= most, "{}: {name} {line:?}", self.org);
    }

    /// Checks that granted = left + used + expired, and compares the grants and their history with the
    /// administrator's records.
    pub(crate) async fn sums(&self, administrator: &Administrator, grants: &mut [Grant]) -> Sums {
        let account = administrator.account(&self.org).await.expect("a response");
        let sums = Sums {
            granted: account.totals.granted,
            left: account.left(),
            used: account.totals.used,
            expired: account.totals.expired,
        };
        assert_eq!(sums.granted, sums.left + sums.used + sums.expired, "{}: {account:?}", self.org);
        let history = administrator.credits_history(&self.org).await.expect("a response");
        let mut granted = self.granted;
        let by_credits: BTreeMap<Credits, _> =
            history.iter().map(|record| (record.granted, record)).collect();
        for grant in grants.iter_mut().filter(|grant| grant.org == self.org) {
            let record = by_credits.get(&grant.credits);
            let Some(record) = record else {
                assert!(grant.id.is_none(), "acknowledged but missing: {grant:?}");
                // The create call never took effect, and it can no longer arrive.
                grant.fate = Fate::Ended;
                continue;
            };
            assert!(grant.id.as_ref().is_none_or(|id| *id == record.id), "{grant:?} {record:?}");
            // A refund makes a revoked grant live again, but only with the refunded credits.
            let came_back = grant.fate != Fate::Live && record.remaining < grant.credits / 2;
            let is_over = matches!(record.state, GrantState::Ended(_)) || came_back;
            assert!(
                grant.fate == Fate::Unsure || is_over == (grant.fate == Fate::Ended),
                "{grant:?} {record:?}"
            );
            grant.id = Some(record.id.clone());
            grant.fate = if is_over { Fate::Ended } else { Fate::Live };
            granted += grant.credits;
        }
        assert_eq!(sums.granted, granted, "{}: the history adds up to the granted credits", self.org);
        sums
    }
}

impl Sums {
    pub(crate) fn add(&mut self, other: Self) {
        self.granted += other.granted;
        self.left += other.left;
        self.used += other.used;
        self.expired += other.expired;
    }
}

fn less(booked: Option<&UsageLine>, known: Option<&UsageLine>) -> UsageLine {
    let (booked, known) = (booked.copied().unwrap_or_default(), known.copied().unwrap_or_default());
    UsageLine { calls: booked.calls - known.calls, credits: booked.credits - known.credits }
}
