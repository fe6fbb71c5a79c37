//! Properties of the pure functions that decide on charges, refunds and grants, over any account.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use shared::admission::{
    Call, Charge, MAX_LIVE_GRANTS, PrepaidGrant, RateLimitOf, Refusal, TooManyGrants, add_grant, decide,
    decide_purchase, refund, refundable,
};
use shared::dynamo::{AccountChange, GrantEvent, ReplacedGrant, Rollover, SuspensionChange, WindowChange};
use shared::runtime::Random;
use shared::types::{
    Account, BillingName, Credits, DayUsage, Deductions, Draw, Grant, GrantId, GrantKind, Holder, KeyId,
    LimitedCaller, Plan, PrepaidKind, RateWindow, Timestamp, Totals, UsageLine,
};
use strum::IntoEnumIterator;

use super::assert_whole;

const DAY: i64 = 24 * 60 * 60;

/// Does to an account in memory what the database does with a change.
pub(super) fn applied(account: &Account, change: &AccountChange) -> Account {
    let mut account = account.clone();
    let AccountChange {
        holder,
        granted_seen,
        used_seen,
        unsuspended_seen,
        plan,
        suspension,
        window,
        caller_window,
        removed_key_windows,
        added_grants,
        draws,
        last_draw_empties,
        returns,
        replaced_grants,
        removed_grants,
        totals,
        usage,
        refunds,
        credit_notes,
        history,
        enters_directory: _,
    } = change;
    assert!(holder.is_none_or(|holder| holder == account.holder));
    assert!(granted_seen.is_none_or(|granted| granted == account.totals.granted));
    assert!(used_seen.is_none_or(|used| used <= account.totals.used));
    assert!(!unsuspended_seen || account.suspended_at.is_none());
    if let Some(suspension) = suspension {
        account.suspended_at = match suspension {
            SuspensionChange::Begin(at) => Some(*at),
            SuspensionChange::End => None,
        };
    }
    if let Some(plan) = plan {
        account.holder = Holder::Organization(*plan);
    }
    if let Some(change) = window {
        account.window = counted(account.window, *change);
        if matches!(change, WindowChange::Open { .. }) {
            account.people_calls = 0;
        }
    }
    if let Some((caller, change)) = caller_window {
        match caller {
            LimitedCaller::Key(id) => {
                let window = counted(account.window_of(caller).unwrap_or_default(), *change);
                account.key_windows.insert(id.clone(), window);
            }
            LimitedCaller::People => {
                let (WindowChange::Open { minute, .. } | WindowChange::Count { minute, .. }) = change;
                assert_eq!(*minute, account.window.minute, "people are counted in the account's minute");
                account.people_calls += 1;
            }
        }
    }
    for (id, minute) in removed_key_windows {
        assert_eq!(account.key_windows.remove(id).map(|window| window.minute), Some(*minute));
    }
    for (id, grant) in added_grants {
        assert_eq!(account.grants.insert(id.clone(), grant.clone()), None, "nothing is overwritten");
    }
    for draw in draws {
        let left = &mut account.grants.get_mut(&draw.grant).expect("a grant to draw on").left;
        *left = left.checked_sub(draw.credits).expect("enough is left");
    }
    if let Some(last) = draws.last() {
        assert_eq!(account.grants[&last.grant].left == 0, *last_draw_empties);
    }
    assert_tells_of_grants(&account, change, history);
    for draw in returns {
        account.grants.get_mut(&draw.grant).expect("a grant to return to").left += draw.credits;
    }
    for ReplacedGrant { id, before, after } in replaced_grants {
        assert_eq!(account.grants.insert(id.clone(), after.clone()).as_ref(), Some(before));
    }
    for (id, left) in removed_grants {
        assert_eq!(account.grants.remove(id).map(|grant| grant.left), Some(*left));
    }
    account.totals = Totals {
        granted: account.totals.granted.checked_add_signed(totals.granted).expect("not negative"),
        used: account.totals.used.checked_add_signed(totals.used).expect("not negative"),
        expired: account.totals.expired.checked_add_signed(totals.expired).expect("not negative"),
    };
    if let Some(usage) = usage {
        if let Some(rollover) = &usage.rollover {
            assert_eq!(rollover.day(), &account.today);
            if let Rollover::Month { metered, deductions, .. } = rollover {
                assert_eq!(*deductions, account.deductions);
                account.deductions =
                    Deductions { carried_in: deductions.carried_forward(*metered), ..Deductions::default() };
            }
            account.today = DayUsage { day: usage.day, usage: BTreeMap::new() };
        }
        account.deductions.refunds += refunds;
        account.deductions.credit_notes += credit_notes;
        assert_eq!(account.today.day, usage.day);
        let line: &mut UsageLine = account.today.usage.entry(usage.name.clone()).or_default();
        line.calls += usage.calls;
        line.credits += usage.credits;
    }
    account
}

/// Holds what the history is told to what happens to prepaid grants: one that is emptied or leaves is told of.
fn assert_tells_of_grants(after_draws: &Account, change: &AccountChange, history: &[GrantEvent]) {
    let is_told = |id: &GrantId| {
        history.iter().any(|event| match event {
            GrantEvent::Joined { .. } => false,
            GrantEvent::Ended { id: told, grant, .. } => told == id && grant.kind != GrantKind::Metered,
        })
    };
    if !after_draws.is_organizations() {
        assert_eq!(history, []);
        return;
    }
    let gone = change.removed_grants.iter().map(|(id, _)| id);
    let emptied = change.draws.iter().map(|draw| &draw.grant);
    for id in gone.chain(emptied.filter(|id| after_draws.grants[*id].left == 0)) {
        let is_prepaid = after_draws.grants[id].kind != GrantKind::Metered;
        assert_eq!(is_told(id), is_prepaid, "{id}: {history:?}");
    }
}

fn counted(window: RateWindow, change: WindowChange) -> RateWindow {
    match change {
        WindowChange::Open { minute, .. } => {
            let is_wrong = window.minute > minute + 9;
            assert!(
                minute > window.minute || is_wrong,
                "windows move back for no clock that is a little behind"
            );
            RateWindow { minute, calls: 1 }
        }
        WindowChange::Count { minute, limit } => {
            assert_eq!(minute, window.minute);
            assert!(window.calls < limit);
            RateWindow { calls: window.calls + 1, ..window }
        }
    }
}

fn now() -> Timestamp {
    Timestamp::parse("2026-11-20T09:00:30Z").expect("a moment")
}

fn name() -> BillingName {
    "place_search".parse().expect("a name")
}

prop_compose! {
    fn a_grant()(
        kind in prop::sample::select(PrepaidKind::iter().collect::<Vec<_>>()),
        granted in 1_u64..50,
        used in 0_u64..50,
        expiry in prop::option::of(-3 * DAY..30 * DAY),
    ) -> Grant {
        let left = granted.saturating_sub(used);
        let expires_at = expiry.map(|seconds| now().plus_seconds(seconds));
        Grant { kind: GrantKind::Prepaid(kind), granted, left, expires_at }
    }
}

prop_compose! {
    fn an_account()(
        (is_metered, is_sandbox) in any::<(bool, bool)>(),
        cap in 0_u64..40,
        grants in prop::collection::vec(a_grant(), 0..10),
        metered_left in prop::option::of(0_u64..40),
        (minutes, calls) in (-2_i64..=2, 0_u32..12),
        days in -2_i64..=1,
        (used, expired) in (0_u64..1_000, 0_u64..1_000),
        key_windows in prop::collection::vec((-2_i64..=0, 0_u32..=20), 0..12),
        people_calls in 0_u32..=20,
    ) -> Account {
        let random = Random::seeded(cap);
        let plan = match (is_metered, is_sandbox) {
            (true, _) => Plan::PayAsYouGo { monthly_cap: cap },
            (false, true) => Plan::Sandbox,
            (false, false) => Plan::Enterprise,
        };
        let mut account = Account::new(Holder::Organization(plan), now());
        let with_id = |grant| (GrantId::from_random(random.bytes()), grant);
        account.grants = grants.into_iter().map(with_id).collect();
        if let Some(left) = metered_left.map(|left| left.min(cap)).filter(|_| is_metered) {
            let expires_at = Some(now().next_month());
            let grant = Grant { kind: GrantKind::Metered, granted: cap, left, expires_at };
            account.grants.insert(GrantId::metered(now().day().month()), grant);
        }
        let limit = account.holder.tier().calls_per_minute();
        account.window = RateWindow { minute: now().minute() + minutes, calls: calls.min(limit) };
        account.today = DayUsage {
            day: now().plus_days(days).day(),
            usage: BTreeMap::from([(name(), UsageLine { calls: 3, credits: 5 })]),
        };
        // Each caller's call counts as its organization's too, so that its window is never the later one.
        let latest = account.window.minute;
        account.people_calls = people_calls;
        account.key_windows = (0_u32..)
            .zip(key_windows)
            .map(|(id, (minutes, calls))| (key(id), RateWindow { minute: latest + minutes, calls }))
            .collect();
        account.totals = Totals { granted: account.left() + used + expired, used, expired };
        account
    }
}

fn key(number: u32) -> KeyId {
    format!("{number:08x}").parse().expect("a handle")
}

prop_compose! {
    fn a_charge()(credits in 0_u64..60, is_call: bool, limited in prop::option::of(0_u32..16)) -> Priced {
        let charge = Charge { name: name(), credits };
        let caller_limit = limited.map(|id| (if id < 14 { LimitedCaller::Key(key(id)) } else { LimitedCaller::People }, 20));
        if is_call { Priced::Call(Call { charge, caller_limit, is_for_suspended: false }) } else { Priced::Purchase(charge) }
    }
}

/// What an account is charged for.
#[derive(Clone, Debug)]
enum Priced {
    Call(Call),
    Purchase(Charge),
}

impl Priced {
    fn credits(&self) -> Credits {
        match self {
            Self::Call(call) => call.charge.credits,
            Self::Purchase(charge) => charge.credits,
        }
    }

    fn decide(&self, account: &Account, now: Timestamp) -> Result<AccountChange, Refusal> {
        match self {
            Self::Call(call) => decide(account, call, now).map_err(|refused| refused.reason),
            Self::Purchase(charge) => Ok(decide_purchase(account, charge, now)?),
        }
    }
}

fn sum(draws: &[Draw]) -> Credits {
    draws.iter().map(|draw| draw.credits).sum()
}

proptest! {
    // Cases whose charge is refused are no cases of what holds for those that are admitted.
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        max_global_rejects: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_charge_is_admitted_just_when_rate_and_credits_suffice(
        account in an_account(), charge in a_charge(),
    ) {
        let moment = account.moment(now());
        let full = |window: Option<RateWindow>, limit| {
            window.is_some_and(|window| window.calls_in(account.window.moment(now()).minute()) >= limit)
        };
        let (rate_limited, caller_limited) = match &charge {
            Priced::Call(Call { caller_limit, .. }) => (
                full(Some(account.window), account.holder.tier().calls_per_minute()),
                caller_limit
                    .as_ref()
                    .and_then(|(caller, limit)| full(account.window_of(caller), *limit).then_some(caller)),
            ),
            Priced::Purchase(_) => (false, None),
        };
        let balance = account.balance(None, moment);
        match charge.decide(&account, now()) {
            Ok(_) => prop_assert!(!rate_limited && caller_limited.is_none() && balance >= charge.credits()),
            Err(Refusal::RateLimited { of, retry_after, .. }) => {
                let expected = match (rate_limited, caller_limited) {
                    (true, _) => Some(RateLimitOf::Account),
                    (false, Some(LimitedCaller::Key(_))) => Some(RateLimitOf::Key),
                    (false, Some(LimitedCaller::People)) => Some(RateLimitOf::People),
                    (false, None) => None,
                };
                prop_assert_eq!(Some(of), expected);
                let next = Timestamp::at_minute(account.window.moment(now()).minute() + 1).unix_seconds();
                prop_assert_eq!(now().unix_seconds() + retry_after, next);
            }
            Err(Refusal::Suspended) => prop_assert!(false, "nobody has suspended it"),
            Err(Refusal::QuotaExceeded { balance: told, price }) => {
                prop_assert!(!rate_limited && caller_limited.is_none() && balance < charge.credits());
                prop_assert_eq!((told, price), (balance, charge.credits()));
            }
        }
    }

    #[test]
    fn a_charge_keeps_the_account_whole_and_draws_just_its_price(
        account in an_account(), charge in a_charge(),
    ) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let after = applied(&account, &change);
        assert_whole(&after);
        let draws = change.all_draws();
        prop_assert_eq!(sum(&draws), charge.credits());
        prop_assert_eq!(after.totals.used, account.totals.used + charge.credits());
        let moment = account.moment(now());
        prop_assert_eq!(after.balance(None, moment), account.balance(None, moment) - charge.credits());
        prop_assert_eq!(after.today.day, moment.day());
        prop_assert_eq!(after.window.minute >= account.window.minute, true);
        for (id, _) in &change.removed_grants {
            let a_day_ago = moment.plus_days(-1);
            prop_assert!(account.grants[id].is_expired(a_day_ago), "it leaves a day later at the earliest");
        }
        prop_assert!(after.key_windows.len() <= account.key_windows.len().max(10) + 1);
    }

    #[test]
    fn grants_burn_in_order_and_never_after_their_expiry(account in an_account(), charge in a_charge()) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let moment = account.moment(now());
        let after = applied(&account, &change);
        let drawn: Vec<_> = change.all_draws().into_iter().map(|draw| draw.grant).collect();
        prop_assert!(drawn.iter().all(|id| !after.grants[id].is_expired(moment)));
        let last = drawn.iter().map(|id| after.grants[id].burn_order()).max();
        for (id, grant) in after.grants.iter().filter(|(_, grant)| grant.is_live(moment)) {
            if last.is_some_and(|last| grant.burn_order() < last) {
                prop_assert!(false, "{id:?} is passed over: {grant:?}");
            }
        }
        // All but the last are emptied.
        let open = drawn.iter().filter(|id| after.grants[*id].left > 0).count();
        prop_assert!(open <= 1);
    }

    #[test]
    fn a_refund_at_any_time_keeps_the_account_whole(
        account in an_account(), charge in a_charge(), days in 0_i64..70, kept in 0_u64..70,
        between in a_charge(),
    ) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let mut after = applied(&account, &change);
        let later = now().plus_days(days);
        // Another charge in between lets expired grants leave.
        if let Ok(change) = between.decide(&after, later) {
            after = applied(&after, &change);
        }
        let draws = refundable(change.all_draws(), kept);
        prop_assert_eq!(sum(&draws), charge.credits().saturating_sub(kept));
        let refunded = applied(&after, &refund(&after, &draws, &name(), later));
        assert_whole(&refunded);
        prop_assert_eq!(refunded.totals.used, after.totals.used - sum(&draws));
        prop_assert_eq!(refunded.totals.granted, after.totals.granted);
        prop_assert!(refunded.balance(None, later) <= after.balance(None, later) + sum(&draws));
    }

    #[test]
    fn a_refund_at_once_undoes_the_charge(account in an_account(), charge in a_charge()) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let after = applied(&account, &change);
        let refunded = applied(&after, &refund(&after, &change.all_draws(), &name(), now()));
        let moment = account.moment(now());
        prop_assert_eq!(refunded.balance(None, moment), account.balance(None, moment));
        prop_assert_eq!(refunded.totals.used, account.totals.used);
    }

    #[test]
    fn a_grant_is_refused_just_when_eight_are_live(
        account in an_account(),
        kind in prop::sample::select(PrepaidKind::iter().collect::<Vec<_>>()),
        credits in 1_u64..50,
        expiry in prop::option::of(-3 * DAY..30 * DAY),
    ) {
        let moment = account.moment(now());
        let prepaid = account.grants.values().filter(|grant| grant.kind != GrantKind::Metered);
        let live = prepaid.filter(|grant| grant.is_live(moment)).count();
        let expires_at = expiry.map(|seconds| now().plus_seconds(seconds));
        let new = PrepaidGrant { kind, credits, expires_at };
        let id = GrantId::from_random(Random::seeded(99).bytes());
        match add_grant(&account, id.clone(), new, now()) {
            Err(TooManyGrants(told)) => {
                prop_assert!(live >= MAX_LIVE_GRANTS);
                prop_assert_eq!(told, live);
            }
            Ok(change) => {
                prop_assert!(live < MAX_LIVE_GRANTS);
                let after = applied(&account, &change);
                assert_whole(&after);
                let kind = GrantKind::Prepaid(kind);
                let added = Grant { kind, granted: credits, left: credits, expires_at: new.expires_at };
                prop_assert_eq!(&after.grants[&id], &added);
                prop_assert_eq!(after.totals.granted, account.totals.granted + credits);
                prop_assert!(change.removed_grants.iter().all(|(id, _)| !account.grants[id].is_live(moment)));
                let added = if added.is_live(moment) { credits } else { 0 };
                prop_assert_eq!(after.balance(None, moment), account.balance(None, moment) + added);
            }
        }
    }

    #[test]
    fn what_is_kept_of_a_split_is_taken_once(
        credits in prop::collection::vec(0_u64..20, 0..6), kept in 0_u64..80,
    ) {
        let random = Random::seeded(3);
        let draw = |credits| Draw {
            grant: GrantId::from_random(random.bytes()),
            kind: GrantKind::Prepaid(PrepaidKind::Purchased),
            expires_at: None,
            credits,
        };
        let draws: Vec<_> = credits.into_iter().map(draw).collect();
        let rest = refundable(draws.clone(), kept);
        prop_assert_eq!(sum(&rest), sum(&draws).saturating_sub(kept));
        prop_assert!(rest.len() <= draws.len());
        for (rest, draw) in rest.iter().zip(&draws) {
            prop_assert!(rest.grant == draw.grant && rest.credits <= draw.credits);
        }
    }
}
