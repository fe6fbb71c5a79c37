//! Property tests for charge, refund, and grant decisions on randomly generated accounts.
use std::collections::BTreeMap;

use accounting::{
    Account, Call, Change, Charge, Credits, DayUsage, Drawdown, Grant, GrantEvent, GrantId, GrantKind,
    Holder, InsufficientCredits, KeyId, LimitedCaller, MAX_LIVE_GRANTS, Meter, Plan, PrepaidGrant,
    PrepaidKind, PurchaseRefusal, RateLimitOf, RateWindow, Refusal, Timestamp, TooManyGrants, Totals,
    UsageLine, add_grant, decide, decide_purchase, refund, refundable,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use strum::IntoEnumIterator;

const DAY: i64 = 24 * 60 * 60;

/// Asserts that the history records exactly one end for each prepaid grant that was emptied, or removed with
/// credits left, and none for other grants.
fn assert_history_records_ended_grants(before: &Account, change: &Change) {
    let recorded = |id: &GrantId| {
        let ends = change.history.iter().filter(|event| match event {
            GrantEvent::Added { .. } => false,
            GrantEvent::Ended { id: ended, .. } => ended == id,
        });
        ends.count()
    };
    for (id, grant) in &before.grants {
        let left = change.account.grants.get(id).map_or(0, |grant| grant.left);
        let ended = grant.left > 0 && left == 0 && grant.kind != GrantKind::Metered;
        assert_eq!(recorded(id), usize::from(ended), "{id}: {change:?}");
    }
}

fn now() -> Timestamp {
    Timestamp::parse("2026-11-20T09:00:30Z").expect("valid timestamp")
}

fn name() -> Meter {
    "place_search".parse().expect("valid name")
}

prop_compose! {
    fn any_grant()(
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
    fn any_account()(
        (is_metered, is_sandbox) in any::<(bool, bool)>(),
        cap in 0_u64..40,
        grants in prop::collection::vec(any_grant(), 0..10),
        metered_left in prop::option::of(0_u64..40),
        (minutes, calls) in (-2_i64..=2, 0_u32..12),
        days in -2_i64..=1,
        (used, expired) in (0_u64..1_000, 0_u64..1_000),
        callers in prop::collection::vec(0_u32..=20, 0..12),
    ) -> Account {
        let plan = match (is_metered, is_sandbox) {
            (true, _) => Plan::PayAsYouGo { monthly_cap: cap },
            (false, true) => Plan::Sandbox,
            (false, false) => Plan::Enterprise,
        };
        let mut account = Account::new(Holder::Organization(plan), now());
        account.grants = (0..).map(grant_id).zip(grants).collect();
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
        account.callers = (0..).map(caller).zip(callers).collect();
        account.totals = Totals { granted: account.left() + used + expired, used, expired };
        account
    }
}

fn grant_id(number: u32) -> GrantId {
    GrantId::from_random(number.to_be_bytes())
}

/// Asserts an account's invariant: granted = left + used + expired.
#[track_caller]
fn assert_totals_add_up(account: &Account) {
    let Totals { granted, used, expired } = account.totals;
    assert_eq!(granted, account.left() + used + expired, "granted should equal left + used + expired");
}

fn caller(number: u32) -> LimitedCaller {
    let key = |number| -> KeyId { format!("{number:08x}").parse().expect("valid key ID") };
    if number == 0 { LimitedCaller::People } else { LimitedCaller::Key(key(number)) }
}

prop_compose! {
    fn any_charge()(credits in 0_u64..60, is_call: bool, limited in prop::option::of(0_u32..16)) -> Priced {
        let charge = Charge { name: name(), credits };
        let caller_limit = limited.map(|number| (caller(number), 20));
        if is_call { Priced::Call(Call { charge, caller_limit, is_for_suspended: false, is_counted: true }) } else { Priced::Purchase(charge) }
    }
}

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

    fn decide(&self, account: &Account, now: Timestamp) -> Result<Change, Refusal> {
        match self {
            Self::Call(call) => decide(account, call, now).map_err(|declined| declined.reason),
            Self::Purchase(charge) => decide_purchase(account, charge, now).map_err(call_refusal),
        }
    }
}

fn call_refusal(refusal: PurchaseRefusal) -> Refusal {
    match refusal {
        PurchaseRefusal::Suspended => Refusal::Suspended,
        PurchaseRefusal::InsufficientCredits(too_few) => too_few.into(),
    }
}

/// Iterates over the grants that are in `before` but not in `after`.
fn gone<'a>(before: &'a Account, after: &Account) -> impl Iterator<Item = (&'a GrantId, &'a Grant)> {
    before.grants.iter().filter(|(id, _)| !after.grants.contains_key(*id))
}

fn sum(draws: &[Drawdown]) -> Credits {
    draws.iter().map(|draw| draw.credits).sum()
}

proptest! {
    // Tests that need an admitted charge skip the cases in which the charge is declined.
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        max_global_rejects: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn charge_is_admitted_only_within_rate_limits_and_balance(
        account in any_account(), charge in any_charge(),
    ) {
        let moment = account.moment(now());
        let minute = account.window.moment(now()).minute();
        let is_minute = account.window.minute == minute;
        let (rate_limited, caller_limited) = match &charge {
            Priced::Call(Call { caller_limit, .. }) => (
                is_minute && account.window.calls >= account.holder.tier().calls_per_minute(),
                caller_limit.as_ref().and_then(|(caller, limit)| {
                    (is_minute && account.callers.get(caller) >= Some(limit)).then_some(caller)
                }),
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
                let next = Timestamp::at_minute(minute + 1).unix_seconds();
                prop_assert_eq!(now().unix_seconds() + retry_after, next);
            }
            Err(Refusal::Suspended) => prop_assert!(false, "the account isn't suspended"),
            Err(Refusal::QuotaExceeded(InsufficientCredits { balance: told, price })) => {
                prop_assert!(!rate_limited && caller_limited.is_none() && balance < charge.credits());
                prop_assert_eq!((told, price), (balance, charge.credits()));
            }
        }
    }

    #[test]
    fn charge_keeps_totals_consistent_and_draws_exactly_its_price(
        account in any_account(), charge in any_charge(),
    ) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let after = change.account.clone();
        assert_totals_add_up(&after);
        assert_history_records_ended_grants(&account, &change);
        prop_assert_eq!(change.credits(), charge.credits());
        prop_assert_eq!(after.totals.used, account.totals.used + charge.credits());
        let moment = account.moment(now());
        prop_assert_eq!(after.balance(None, moment), account.balance(None, moment) - charge.credits());
        prop_assert_eq!(after.today.day, moment.day());
        prop_assert_eq!(after.window.minute >= account.window.minute, true);
        for (_, grant) in gone(&account, &after) {
            let a_day_ago = moment.plus_days(-1);
            prop_assert!(grant.is_expired(a_day_ago), "an expired grant should stay for a day");
        }
    }

    #[test]
    fn grants_are_drawn_in_order_and_never_after_expiry(account in any_account(), charge in any_charge()) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let moment = account.moment(now());
        let after = change.account.clone();
        let drawn: Vec<_> = change.draws.into_iter().map(|draw| draw.grant).collect();
        prop_assert!(drawn.iter().all(|id| !after.grants[id].is_expired(moment)));
        let last = drawn.iter().map(|id| after.grants[id].draw_order()).max();
        for (id, grant) in after.grants.iter().filter(|(_, grant)| grant.is_live(moment)) {
            if last.is_some_and(|last| grant.draw_order() < last) {
                prop_assert!(false, "{id:?} was skipped: {grant:?}");
            }
        }
        // At most one of the drawn grants has credits left.
        let open = drawn.iter().filter(|id| after.grants[*id].left > 0).count();
        prop_assert!(open <= 1);
    }

    #[test]
    fn refund_at_any_time_keeps_totals_consistent(
        account in any_account(), charge in any_charge(), days in 0_i64..70, kept in 0_u64..70,
        between in any_charge(),
    ) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let mut after = change.account.clone();
        let later = now().plus_days(days);
        // Another charge before the refund may remove expired grants.
        if let Ok(change) = between.decide(&after, later) {
            after = change.account;
        }
        let draws = refundable(change.draws.clone(), kept);
        prop_assert_eq!(sum(&draws), charge.credits().saturating_sub(kept));
        let refunded = refund(&after, &draws, &name(), later).account;
        assert_totals_add_up(&refunded);
        prop_assert_eq!(refunded.totals.used, after.totals.used - sum(&draws));
        prop_assert_eq!(refunded.totals.granted, after.totals.granted);
        prop_assert!(refunded.balance(None, later) <= after.balance(None, later) + sum(&draws));
    }

    #[test]
    fn immediate_refund_reverses_the_charge(account in any_account(), charge in any_charge()) {
        let Ok(change) = charge.decide(&account, now()) else { return Err(TestCaseError::reject("refused")) };
        let after = change.account.clone();
        let refunded = refund(&after, &change.draws, &name(), now()).account;
        let moment = account.moment(now());
        prop_assert_eq!(refunded.balance(None, moment), account.balance(None, moment));
        prop_assert_eq!(refunded.totals.used, account.totals.used);
    }

    #[test]
    fn grant_is_rejected_only_if_eight_are_live(
        account in any_account(),
        kind in prop::sample::select(PrepaidKind::iter().collect::<Vec<_>>()),
        credits in 1_u64..50,
        expiry in prop::option::of(-3 * DAY..30 * DAY),
    ) {
        let moment = account.moment(now());
        let prepaid = account.grants.values().filter(|grant| grant.kind != GrantKind::Metered);
        let live = prepaid.filter(|grant| grant.is_live(moment)).count();
        let expires_at = expiry.map(|seconds| now().plus_seconds(seconds));
        let new = PrepaidGrant { kind, credits, expires_at };
        let id = grant_id(99);
        match add_grant(&account, id.clone(), new, now()) {
            Err(TooManyGrants(told)) => {
                prop_assert!(live >= MAX_LIVE_GRANTS);
                prop_assert_eq!(told, live);
            }
            Ok(change) => {
                prop_assert!(live < MAX_LIVE_GRANTS);
                let after = change.account.clone();
                assert_totals_add_up(&after);
                let kind = GrantKind::Prepaid(kind);
                let added = Grant { kind, granted: credits, left: credits, expires_at: new.expires_at };
                prop_assert_eq!(&after.grants[&id], &added);
                prop_assert_eq!(after.totals.granted, account.totals.granted + credits);
                prop_assert!(gone(&account, &after).all(|(_, grant)| !grant.is_live(moment)));
                let added = if added.is_live(moment) { credits } else { 0 };
                prop_assert_eq!(after.balance(None, moment), account.balance(None, moment) + added);
            }
        }
    }

    #[test]
    fn kept_credits_are_subtracted_once_from_several_draws(
        credits in prop::collection::vec(0_u64..20, 0..6), kept in 0_u64..80,
    ) {
        let draw = |(number, credits)| Drawdown {
            grant: grant_id(number),
            kind: GrantKind::Prepaid(PrepaidKind::Purchased),
            expires_at: None,
            credits,
        };
        let draws: Vec<_> = (0..).zip(credits).map(draw).collect();
        let rest = refundable(draws.clone(), kept);
        prop_assert_eq!(sum(&rest), sum(&draws).saturating_sub(kept));
        prop_assert!(rest.len() <= draws.len());
        for (rest, draw) in rest.iter().zip(&draws) {
            prop_assert!(rest.grant == draw.grant && rest.credits <= draw.credits);
        }
    }
}
