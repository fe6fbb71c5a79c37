//! What the accounts say after a restart, held to what programs were told before it.
use std::collections::{BTreeMap, BTreeSet};

use accounting::{AccountKey, Credits, OrgId, UsageLine};
use gateway::App;
use marquee::administrator::Administrator;
use store::{Accounts, EntryId, GrantState};

use crate::staff::{Fate, Grant};
use crate::tally::{Lines, Tally, Unanswered, add_lines};

/// An organization's account, as far as it was looked at.
#[derive(Debug)]
pub(crate) struct Book {
    org: OrgId,
    /// What it was granted before the storm.
    granted: Credits,
    /// What is booked and was accounted for.
    booked: Lines,
    /// The entries that the account named as recent.
    recent: BTreeSet<EntryId>,
}

/// The sums of all accounts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) granted: Credits,
    pub(crate) left: Credits,
    pub(crate) used: Credits,
    pub(crate) expired: Credits,
}

impl Book {
    /// Opens the book of an account that nothing was charged to yet.
    pub(crate) async fn open(org: &OrgId, operator: &Administrator, app: &App) -> Self {
        let granted = operator.account(org).await.expect("the engine answers").totals.granted;
        let mut book = Self { org: org.clone(), granted, booked: Lines::new(), recent: BTreeSet::new() };
        book.unknown_entries(app, &Tally::default()).await;
        book
    }

    /// Counts the recent entries that are new and known by no answer, before others take their slots.
    pub(crate) async fn unknown_entries(&mut self, app: &App, tally: &Tally) -> usize {
        let accounts = Accounts::new(app.dynamo.clone());
        let read = accounts.read_stored(&AccountKey::Org(self.org.clone())).await;
        let recent: BTreeSet<_> =
            read.expect("the engine answers").expect("an account").recent.iter().collect();
        let new = recent.difference(&self.recent).filter(|entry| !tally.entries.contains(*entry)).count();
        self.recent = recent;
        new
    }

    /// Holds what is booked to what was acknowledged, and returns what is booked besides.
    pub(crate) async fn charged(&mut self, operator: &Administrator, tally: &Tally) -> Lines {
        let bills = operator.bills(&self.org).await.expect("the engine answers");
        let mut booked = Lines::new();
        for (name, line) in bills.iter().flat_map(|bill| &bill.usage) {
            add_lines(&mut booked, &Lines::from([(name.as_str().to_owned(), *line)]));
        }
        let account = operator.account(&self.org).await.expect("the engine answers");
        let used: i64 = booked.values().map(|line| line.credits).sum();
        assert_eq!(used, account.totals.used.cast_signed(), "{}: what is booked is what was used", self.org);
        let mut known = std::mem::replace(&mut self.booked, booked.clone());
        add_lines(&mut known, &tally.lines);
        let mut charged = Lines::new();
        let names: BTreeSet<&String> = booked.keys().chain(known.keys()).collect();
        for name in names {
            let line = less(booked.get(name), known.get(name));
            assert!(line.calls >= 0 && line.credits >= 0, "{}: {name} lacks {line:?}", self.org);
            if line != UsageLine::default() {
                self.assert_sent(name, line, &tally.unanswered);
                charged.insert(name.clone(), line);
            }
        }
        charged
    }

    /// Each call that is charged without an answer was sent, and is charged its price at most.
    fn assert_sent(&self, name: &str, line: UsageLine, unanswered: &[Unanswered]) {
        let sent: Vec<_> = unanswered.iter().filter(|call| call.product == name).collect();
        assert!(
            line.calls as usize <= sent.len() && !sent.is_empty(),
            "{}: {name} has {line:?} besides what was acknowledged; without an answer: {sent:?}",
            self.org
        );
        let most = line.calls * sent[0].price.cast_signed();
        assert!(line.credits <= most, "{}: {name} {line:?}", self.org);
    }

    /// Holds granted = left + used + expired, and the grants and their history to what the operator was told.
    pub(crate) async fn sums(&self, operator: &Administrator, grants: &mut [Grant]) -> Sums {
        let account = operator.account(&self.org).await.expect("the engine answers");
        let sums = Sums {
            granted: account.totals.granted,
            left: account.left(),
            used: account.totals.used,
            expired: account.totals.expired,
        };
        assert_eq!(sums.granted, sums.left + sums.used + sums.expired, "{}: {account:?}", self.org);
        let lives = operator.credits_history(&self.org).await.expect("the engine answers");
        let mut granted = self.granted;
        let by_credits: BTreeMap<Credits, _> = lives.iter().map(|life| (life.granted, life)).collect();
        for grant in grants.iter_mut().filter(|grant| grant.org == self.org) {
            let life = by_credits.get(&grant.credits);
            let Some(life) = life else {
                assert!(grant.id.is_none(), "acknowledged and not there: {grant:?}");
                // It was never made, and cannot be any more.
                grant.fate = Fate::Ended;
                continue;
            };
            assert!(grant.id.as_ref().is_none_or(|id| *id == life.id), "{grant:?} {life:?}");
            // What a refund gives back to a revoked grant brings that back, with the refund's credits alone.
            let came_back = grant.fate != Fate::Live && life.remaining < grant.credits / 2;
            let is_over = matches!(life.state, GrantState::Ended(_)) || came_back;
            assert!(
                grant.fate == Fate::Unsure || is_over == (grant.fate == Fate::Ended),
                "{grant:?} {life:?}"
            );
            grant.id = Some(life.id.clone());
            grant.fate = if is_over { Fate::Ended } else { Fate::Live };
            granted += grant.credits;
        }
        assert_eq!(sums.granted, granted, "{}: what the history tells of is what was granted", self.org);
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
