//! What a step of the simulation is held to: the change that it was to make, and a ledger beside the account.

use std::collections::BTreeMap;

use harness::size_of;
use shared::dynamo::{AccountChange, Bills, GrantEvent, TotalsChange};
use shared::types::{
    Account, Credits, Day, Draw, GrantEnd, GrantId, GrantKind, Month, PrepaidKind, Timestamp, Usage,
    UsageLine, sum_of_usage,
};
use strum::IntoEnumIterator;

use super::super::accounting::applied;
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
        let mut wanted = applied(before, &change);
        for (id, grant) in &mut wanted.grants {
            // The sixty days are counted from the moment that the process believed it to be.
            if PrepaidKind::iter().any(|kind| *id == GrantId::of_refunds(kind)) {
                grant.expires_at = after.grants.get(id).map_or(grant.expires_at, |grant| grant.expires_at);
            }
        }
        assert_eq!(wanted, *after, "{what}: {change:?}");
        self.drawn += metered(&change.all_draws());
        self.refunded += metered(&refunded);
        *self.done.entry(what).or_default() += 1;
        for (event, happened) in [
            ("a credit note", change.credit_notes > 0),
            ("a metered refund", change.refunds > 0),
            ("a grant replaced", !change.replaced_grants.is_empty()),
            ("credits expired", change.totals.expired > 0),
            ("a refusal counted", change.used_seen.is_some()),
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
        let history = self.accounts.grant_history(&self.org.id).await.expect("a whole wire");
        let prepaid = account.grants.iter().filter(|(_, grant)| grant.kind != GrantKind::Metered);
        for (id, _) in prepaid {
            assert!(history.iter().any(|record| record.id == *id), "{id} is told of: {history:#?}");
        }
        for record in history {
            assert!(record.joined_at.is_some(), "{record:?}");
            if account.grants.get(&record.id).is_none_or(|grant| grant.left == 0) {
                assert!(record.end.is_some(), "{record:?}");
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
            "called with a wrong clock",
            "revoked",
            "suspended or resumed",
            "a credit note",
            "a metered refund",
            "a grant replaced",
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

/// Returns a charge with the draws that were made, if they add up to the same price.
pub(super) fn as_drawn(before: &Account, after: &Account, change: AccountChange) -> AccountChange {
    let removed = |id: &GrantId| change.removed_grants.iter().any(|(gone, _)| gone == id);
    let mut draws = Vec::new();
    for (id, grant) in before.grants.iter().filter(|(id, _)| !removed(id)) {
        let left = after.grants.get(id).map_or(grant.left, |grant| grant.left);
        let credits = grant.left.saturating_sub(left);
        draws.extend((credits > 0).then(|| grant.draw(id, credits)));
    }
    draws.sort_by_key(|draw| (before.grants[&draw.grant].burn_order(), draw.grant.clone()));
    let added = after.grants.iter().filter(|(id, _)| !before.grants.contains_key(id));
    let added_grants: Vec<_> = added.map(|(id, grant)| (id.clone(), grant.clone())).collect();
    let granted: Credits = added_grants.iter().map(|(_, grant)| grant.granted).sum();
    let totals = TotalsChange { granted: granted.cast_signed(), ..change.totals };
    let history = told(before, &draws, &change);
    let last_draw_empties = draws.last().is_some_and(|draw| before.grants[&draw.grant].left == draw.credits);
    let drawn = AccountChange { draws, last_draw_empties, added_grants, totals, history, ..change.clone() };
    let sum = |change: &AccountChange| change.all_draws().iter().map(|draw| draw.credits).sum::<Credits>();
    if sum(&drawn) == sum(&change) { drawn } else { change }
}

/// Returns what the history of grants is told of a charge with these draws.
fn told(before: &Account, draws: &[Draw], change: &AccountChange) -> Vec<GrantEvent> {
    let emptied = draws.iter().filter(|draw| before.grants[&draw.grant].left == draw.credits);
    let prepaid = emptied.filter(|draw| draw.kind != GrantKind::Metered);
    let ended = prepaid.map(|draw| GrantEvent::Ended {
        id: draw.grant.clone(),
        grant: before.grants[&draw.grant].clone(),
        how: GrantEnd::UsedUp,
        at: None,
    });
    let is_of_removed = |event: &&GrantEvent| match event {
        GrantEvent::Joined { .. } => false,
        GrantEvent::Ended { id, .. } => change.removed_grants.iter().any(|(gone, _)| gone == id),
    };
    change.history.iter().filter(is_of_removed).cloned().chain(ended).collect()
}

fn metered(draws: &[Draw]) -> Credits {
    draws.iter().filter(|draw| draw.kind == GrantKind::Metered).map(|draw| draw.credits).sum()
}
