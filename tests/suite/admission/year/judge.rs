//! Checks after each step of the simulation. They compare the account with the expected change and with a
//! separate ledger of metered credits.

use std::collections::BTreeMap;

use accounting::{
    Account, Credits, Day, Drawdown, GrantKind, Month, Timestamp, Usage, UsageLine, sum_of_usage,
};
use harness::size_of;
use store::Bills;

use super::super::assert_whole;
use super::{Expected, Year};

/// The number of bytes that two write units cover.
const MAX_ACCOUNT_BYTES: usize = 2_048;

impl Year {
    /// Asserts that the step made either the expected change or none, and enters it in the ledger.
    pub(super) fn book(&mut self, before: &Account, after: &Account, expected: Expected) {
        let Expected { what, change, refunded } = expected;
        if before == after {
            *self.done.entry("nothing").or_default() += 1;
            return;
        }
        let change = change.unwrap_or_else(|| panic!("{what}: expected no change\n{before:?}\n{after:?}"));
        assert_eq!(change.account, *after, "{what}: {change:?}");
        self.drawn += metered(&change.draws);
        self.refunded += metered(&refunded);
        *self.done.entry(what).or_default() += 1;
        for (event, happened) in [
            ("credit note issued", after.deductions.credit_notes > before.deductions.credit_notes),
            ("metered credits refunded", after.deductions.refunds > before.deductions.refunds),
            ("credits expired", after.totals.expired > before.totals.expired),
            ("rejection counted", what == "rejected or failed" && after.totals.used == before.totals.used),
        ] {
            *self.done.entry(event).or_default() += usize::from(happened);
        }
    }

    /// Asserts that the account matches its bills and the ledger.
    pub(super) async fn check(&mut self, account: &Account) {
        assert_whole(account);
        let now = account.moment(self.world.clock.now());
        let cap = account.holder.monthly_cap().unwrap_or(0);
        let metered_left = cap.saturating_sub(account.metered_used(now.day().month()));
        assert_eq!(account.balance(Some(GrantKind::Metered), now), metered_left, "{account:?}");
        let bills =
            self.accounts.bills(&self.org.id, now).await.expect("a response").expect("an organization");
        let Bills { open, closed } = bills;
        let bills: Vec<_> = open.iter().chain(&closed).collect();
        let cents: Credits = bills.iter().map(|bill| bill.totals.cents).sum();
        let carried = bills[0].totals.carried_forward;
        assert_eq!(
            i128::from(cents) - 5 * i128::from(carried),
            5 * (i128::from(self.drawn) - i128::from(self.refunded)),
            "{bills:#?} {account:#?}"
        );
        let booked: i64 = bills.iter().flat_map(|bill| bill.usage.values()).map(|line| line.credits).sum();
        assert_eq!(booked, account.totals.used.cast_signed(), "the months add up to the credits used");
        for bill in closed {
            let month = bill.month;
            let before = self.closed.entry(month).or_insert_with(|| bill.clone());
            assert_eq!(*before, bill, "the bill of a past month doesn't change");
        }
        if self.rng.u8(0..20) == 0 {
            let stored = self.world.stored("accounts").await;
            let item = stored.iter().find(|item| item["sk"].as_s().is_ok_and(|sk| sk == "account"));
            self.largest = self.largest.max(size_of(item.expect("stored")));
            assert!(self.largest <= MAX_ACCOUNT_BYTES, "{account:?}");
            self.check_history(account).await;
            self.check_usage(now).await;
        }
    }

    /// Asserts that the history contains every prepaid grant in the account, and records when each used-up or
    /// removed grant ended.
    async fn check_history(&self, account: &Account) {
        let now = self.world.clock.now();
        let history = self.accounts.grant_lives(&self.org.id, account, now).await.expect("a response");
        let prepaid = account.grants.iter().filter(|(_, grant)| grant.kind != GrantKind::Metered);
        for (id, _) in prepaid {
            assert!(history.iter().any(|record| record.id == *id), "{id} is in the history: {history:#?}");
        }
        for record in history {
            if account.grants.get(&record.id).is_none_or(|grant| grant.left == 0) {
                assert!(record.ended_at.is_some(), "{record:?}");
            }
        }
    }

    /// Asserts that each month's daily usage adds up to the month's bill.
    async fn check_usage(&self, now: Timestamp) {
        let bills =
            self.accounts.bills(&self.org.id, now).await.expect("a response").expect("an organization");
        let months = bills.open.iter().chain(&bills.closed).filter(|bill| !bill.usage.is_empty());
        let billed: BTreeMap<Month, Usage> =
            months.map(|bill| (bill.month, without_empty_lines(bill.usage.clone()))).collect();
        let first = billed.keys().next().map(|month| format!("{month}-01"));
        let first: Day = first.expect("there is a bill").parse().expect("valid day");
        let days = self.accounts.usage(&self.org.id, first, now.plus_days(7).day()).await;
        let days = days.expect("a response").expect("an organization");
        assert!(days.is_sorted_by(|one, next| one.day < next.day), "{days:#?}");
        let mut used: BTreeMap<Month, Usage> = BTreeMap::new();
        for day in days {
            let month = used.entry(day.day.month()).or_default();
            *month = sum_of_usage([&*month, &day.usage]);
        }
        let used: BTreeMap<_, _> =
            used.into_iter().map(|(month, of)| (month, without_empty_lines(of))).collect();
        assert_eq!(used, billed);
    }

    pub(super) fn assert_eventful(&self) {
        let rare = [
            "called",
            "rejected or failed",
            "purchased",
            "purchase refunded",
            "call refunded",
            "granted",
            "plan changed",
            "revoked",
            "suspended or resumed",
            "credit note issued",
            "metered credits refunded",
            "credits expired",
            "rejection counted",
        ];
        for what in rare {
            let times = self.done.get(what).copied().unwrap_or(0);
            assert!(times > 3, "{what} happened at most three times: {:?}", self.done);
        }
        assert!(self.closed.len() >= 10, "expected at least ten closed months: {:?}", self.closed.keys());
    }
}

/// Removes meters without calls and credits from the usage.
fn without_empty_lines(mut usage: Usage) -> Usage {
    usage.retain(|_, line| *line != UsageLine::default());
    usage
}

fn metered(draws: &[Drawdown]) -> Credits {
    draws.iter().filter(|draw| draw.kind == GrantKind::Metered).map(|draw| draw.credits).sum()
}
