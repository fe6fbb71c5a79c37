//! What a step of the simulation is held to: the change that it was to make, and a ledger beside the account.
use std::collections::BTreeMap;

use accounting::{Account, Credits, Day, Draw, GrantKind, Month, Timestamp, Usage, UsageLine, sum_of_usage};
use harness::size_of;
use store::Bills;

use super::super::assert_whole;
use super::{Expected, Year};

/// Two write units.
const MAX_ACCOUNT_BYTES: usize = 2_048;

impl Year {
    /// Holds what is stored to what the step was to do, all of it or nothing, and books what it did.
    pub(super) fn book(&mut self, before: &Account, after: &Account, expected: Expected) {
        let Expected { what, change, refunded } = expected;
        if before == after {
            *self.done.entry("nothing").or_default() += 1;
            return;
        }
        let change = change.unwrap_or_else(|| panic!("{what}: was to do nothing\n{before:?}\n{after:?}"));
        assert_eq!(change.account, *after, "{what}: {change:?}");
        self.drawn += metered(&change.draws);
        self.refunded += metered(&refunded);
        *self.done.entry(what).or_default() += 1;
        for (event, happened) in [
            ("a credit note", after.deductions.credit_notes > before.deductions.credit_notes),
            ("a metered refund", after.deductions.refunds > before.deductions.refunds),
            ("credits expired", after.totals.expired > before.totals.expired),
            ("a refusal counted", what == "refused or broken" && after.totals.used == before.totals.used),
        ] {
            *self.done.entry(event).or_default() += usize::from(happened);
        }
    }

    /// Holds the account, its bills and the ledger to each other.
    pub(super) async fn check(&mut self, account: &Account) {
        assert_whole(account);
        let now = account.moment(self.world.clock.now());
        let cap = account.holder.monthly_cap().unwrap_or(0);
        let metered_left = cap.saturating_sub(account.metered_used(now.day().month()));
        assert_eq!(account.balance(Some(GrantKind::Metered), now), metered_left, "{account:?}");
        let bills = self.accounts.bills(&self.org.id, now).await.expect("a whole wire").expect("bills");
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
        assert_eq!(booked, account.totals.used.cast_signed(), "all months together are what was used");
        for bill in closed {
            let month = bill.month;
            let before = self.closed.entry(month).or_insert_with(|| bill.clone());
            assert_eq!(*before, bill, "a past month's bill does not change");
        }
        if self.rng.u8(0..20) == 0 {
            let stored = self.world.stored("accounts").await;
            let item = stored.iter().find(|item| item["sk"].as_s().is_ok_and(|sk| sk == "account"));
            self.largest = self.largest.max(size_of(item.expect("the account")));
            assert!(self.largest <= MAX_ACCOUNT_BYTES, "{account:?}");
            self.check_history(account).await;
            self.check_usage(now).await;
        }
    }

    /// Holds the history of grants to the account: every prepaid grant that there ever was is in it, and those
    /// that are gone, or have nothing left, have ended.
    async fn check_history(&self, account: &Account) {
        let now = self.world.clock.now();
        let history = self.accounts.grant_lives(&self.org.id, account, now).await.expect("a whole wire");
        let prepaid = account.grants.iter().filter(|(_, grant)| grant.kind != GrantKind::Metered);
        for (id, _) in prepaid {
            assert!(history.iter().any(|record| record.id == *id), "{id} is told of: {history:#?}");
        }
        for record in history {
            if account.grants.get(&record.id).is_none_or(|grant| grant.left == 0) {
                assert!(record.ended_at.is_some(), "{record:?}");
            }
        }
    }

    /// Holds the usage by day to the bills: the days of each month add up to its bill.
    async fn check_usage(&self, now: Timestamp) {
        let bills = self.accounts.bills(&self.org.id, now).await.expect("a whole wire").expect("bills");
        let months = bills.open.iter().chain(&bills.closed).filter(|bill| !bill.usage.is_empty());
        let billed: BTreeMap<Month, Usage> =
            months.map(|bill| (bill.month, without_nothing(bill.usage.clone()))).collect();
        let first = billed.keys().next().map(|month| format!("{month}-01"));
        let first: Day = first.expect("a month").parse().expect("a day");
        let days = self.accounts.usage(&self.org.id, first, now.plus_days(7).day()).await;
        let days = days.expect("a whole wire").expect("an organization");
        assert!(days.is_sorted_by(|one, next| one.day < next.day), "{days:#?}");
        let mut used: BTreeMap<Month, Usage> = BTreeMap::new();
        for day in days {
            let month = used.entry(day.day.month()).or_default();
            *month = sum_of_usage([&*month, &day.usage]);
        }
        let used: BTreeMap<_, _> = used.into_iter().map(|(month, of)| (month, without_nothing(of))).collect();
        assert_eq!(used, billed);
    }

    pub(super) fn assert_eventful(&self) {
        let rare = [
            "called",
            "refused or broken",
            "purchased",
            "a purchase given back",
            "a call given back",
            "granted",
            "given another plan",
            "revoked",
            "suspended or resumed",
            "a credit note",
            "a metered refund",
            "credits expired",
            "a refusal counted",
        ];
        for what in rare {
            let times = self.done.get(what).copied().unwrap_or(0);
            assert!(times > 3, "{what} hardly happened: {:?}", self.done);
        }
        assert!(self.closed.len() >= 10, "a year has passed: {:?}", self.closed.keys());
    }
}

/// Leaves out the names under which neither a call nor a credit stands.
fn without_nothing(mut usage: Usage) -> Usage {
    usage.retain(|_, line| *line != UsageLine::default());
    usage
}

fn metered(draws: &[Draw]) -> Credits {
    draws.iter().filter(|draw| draw.kind == GrantKind::Metered).map(|draw| draw.credits).sum()
}
