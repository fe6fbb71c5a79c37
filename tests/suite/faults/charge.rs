//! Retries of charges during every kind of database fault.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use accounting::{Account, AccountKey, Change, Month, Tier, Usage};
use harness::Fault::{
    self, AnswerLost, ArrivesLate, Conflict, Delayed, ErrorAfterCommit, ErrorBeforeCommit, RequestLost,
    Throttled,
};
use harness::{Answer, Logs, Sent, TestOrg, World, WorldOptions, paid};
use http::Method;
use serde_json::Value;
use store::{Accounts, EntryId, RequestId, StoredAccount};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

/// A delay that exceeds an attempt's time limit, even on a slow machine.
const LATE: Duration = Duration::from_millis(700);

/// The faults of a charge's successive attempts. Each row is one scenario.
const TRIES: [&[Fault]; 16] = [
    &[AnswerLost],
    &[ErrorAfterCommit],
    &[RequestLost],
    &[ErrorBeforeCommit],
    &[Throttled],
    &[Conflict],
    &[Delayed(LATE)],
    &[ArrivesLate(1)],
    &[ArrivesLate(2)],
    &[ArrivesLate(1_000)],
    &[RequestLost, ErrorBeforeCommit, Throttled, Conflict, AnswerLost],
    &[ArrivesLate(1_000), ArrivesLate(1_000), ArrivesLate(1_000)],
    &[ArrivesLate(1), AnswerLost],
    &[Conflict, Conflict, Conflict, Conflict, Conflict],
    &[Throttled, Throttled, Throttled, ErrorAfterCommit],
    &[Delayed(LATE), ArrivesLate(1_000), AnswerLost],
];

#[tokio::test]
async fn charges_a_call_once_under_every_fault() {
    let world = world().await;
    let org = world.org("org_a").await;
    let mut expected = 0;
    for faults in TRIES {
        for method in [Method::GET, Method::DELETE] {
            world.wire.break_in_order(is_charge, faults);
            let path = if method == Method::GET { SUMMARY } else { "/v2/scenarios/campaigns/none" };
            let answer = world.call(method.clone(), path).key(&org.key).send().await;
            world.wire.stop_faults().await;
            expected += 1;
            assert_eq!(answer.status, if method == Method::GET { 200 } else { 404 }, "{faults:?}");
            assert_eq!(answer.credits_used(), paid(), "{faults:?}");
            assert_used(&world, &org, expected, &format!("{method} {faults:?}")).await;
        }
    }
}

#[tokio::test]
async fn first_charge_of_a_day_archives_yesterday_once_under_every_fault() {
    let world = world().await;
    for (number, faults) in TRIES.into_iter().enumerate() {
        let org = world.org_with(&format!("org_{number}"), Tier::PayAsYouGo, 0).await;
        summary(&world, &org).await;
        let yesterday = world.clock.now().day();
        world.clock.advance(24 * 3_600_000);
        world.wire.break_in_order(is_charge, faults);
        assert_eq!(summary(&world, &org).await.credits_used(), paid(), "{faults:?}");
        world.wire.stop_faults().await;
        assert_used(&world, &org, 2, &format!("{faults:?}")).await;
        let past = past_usage(&world, &org, yesterday.month()).await;
        assert_eq!(past.len(), 1, "{faults:?}");
        assert_eq!(
            (past[0].day, past[0].usage.values().map(|line| line.calls).sum()),
            (yesterday, 1),
            "{faults:?}"
        );
        assert_eq!(world.account(&org).await.today.day, world.clock.now().day());
    }
}

#[tokio::test]
async fn first_charge_of_a_month_adds_the_cap_once_under_every_fault() {
    let world = world().await;
    for (number, faults) in TRIES.into_iter().enumerate() {
        let org = world.org_with(&format!("org_{number}"), Tier::PayAsYouGo, 0).await;
        summary(&world, &org).await;
        let cap = world.account(&org).await.holder.monthly_cap().expect("a monthly cap");
        world.clock.advance(31 * 24 * 3_600_000);
        world.wire.break_in_order(is_charge, faults);
        let answer = summary(&world, &org).await;
        world.wire.stop_faults().await;
        assert_eq!(answer.credits_remaining(), cap - paid(), "{faults:?}");
        let account = world.account(&org).await;
        assert_eq!(account.totals.granted, 2 * cap, "{faults:?}");
        assert_used(&world, &org, 2, &format!("{faults:?}")).await;
    }
}

#[tokio::test]
async fn rollover_is_detected_after_failed_account_reads() {
    let world = world().await;
    let org = world.org("org_a").await;
    summary(&world, &org).await;
    world.clock.advance(24 * 3_600_000);
    let mut faults = [RequestLost, ErrorBeforeCommit, Throttled].into_iter();
    let mut is_made = false;
    world.wire.inject_faults(move |sent| {
        is_made |= is_charge(sent);
        if is_made && is_account_read(sent) { faults.next().unwrap_or(Fault::None) } else { Fault::None }
    });
    assert_eq!(summary(&world, &org).await.credits_used(), paid());
    assert_used(&world, &org, 2, "a lost read").await;
}

#[tokio::test]
async fn call_is_served_without_retry_when_another_entry_overwrites_its_slot() {
    for (fault, charged) in [(AnswerLost, 1), (RequestLost, 0), (Delayed(LATE), 0), (ArrivesLate(1_000), 0)] {
        let logs = Logs::capture();
        let world = world().await;
        let org = world.org("org_a").await;
        summary(&world, &org).await;
        world.wire.record();
        fail_first_attempt_and_take_its_slot(&world, &org, fault);
        let answer = summary(&world, &org).await;
        world.wire.stop_faults().await;
        assert_eq!((answer.status.as_u16(), answer.number("x-credits-used")), (200, 0), "{fault:?}");
        assert_used(&world, &org, 1 + charged, &format!("{fault:?}")).await;
        let doubts = logs.of("charge_in_doubt");
        assert_eq!(doubts.len(), 1, "{fault:?}");
        assert_eq!(doubts[0]["fields"]["request_id"], answer.header("x-request-id"));
        let tries = world.wire.take().iter().filter(|sent| is_charge(sent)).count();
        assert!(tries <= 2, "expected at most two account writes, got {tries}");
    }
}

#[tokio::test]
async fn late_first_attempt_cannot_commit_after_a_refusal() {
    let world = world().await;
    let org = world.org_with("org_a", Tier::Enterprise, 2 * paid()).await;
    summary(&world, &org).await;
    world.wire.break_in_order(is_charge, &[ArrivesLate(1_000)]);
    let (accounts, key) = (Accounts::new(world.app.dynamo.clone()), AccountKey::Org(org.id.clone()));
    world.wire.before_first(is_account_read, async move {
        let account = accounts.read_stored(&key).await.expect("a response").expect("an account");
        change_grant(&accounts, &key, &account, -1).await;
    });
    let refused = summary(&world, &org).await;
    assert_eq!(refused.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    // Returning the credit restores everything that the late attempt checks, except for the version.
    let (accounts, key) = (Accounts::new(world.app.dynamo.clone()), AccountKey::Org(org.id.clone()));
    change_grant(&accounts, &key, &world.stored_account(&org).await, 1).await;
    world.wire.stop_faults().await;
    assert_eq!(world.account(&org).await.left(), paid());
    assert_eq!(world.account(&org).await.today.usage.values().map(|line| line.calls).sum::<i64>(), 1);
}

#[tokio::test]
async fn unanswered_charge_returns_503_and_is_logged() {
    let logs = Logs::capture();
    let world = world().await;
    let org = world.org("org_a").await;
    world.wire.inject_faults(|sent| if is_charge(sent) { RequestLost } else { Fault::None });
    let safe = summary(&world, &org);
    let unsafe_one = world.delete("/v2/scenarios/campaigns/none").key(&org.key).send();
    let (safe, unsafe_one) = tokio::join!(safe, unsafe_one);
    for answer in [safe, unsafe_one] {
        assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
        assert!(answer.number("retry-after") >= 1);
        assert_eq!(answer.header("x-credits-used"), "0");
        let of_this = |line: &Value| line["fields"]["request_id"] == answer.header("x-request-id");
        assert_eq!(logs.of("charge_unanswered").iter().filter(|line| of_this(line)).count(), 1);
    }
    world.wire.stop_faults().await;
    assert_used(&world, &org, 0, "never answered").await;
}

#[tokio::test]
async fn failed_call_is_refunded_once_under_every_fault() {
    let world = world().await;
    let org = world.org("org_a").await;
    for (number, faults) in TRIES.into_iter().enumerate() {
        fail_call_and_break_refund(&world, faults.iter().copied());
        let answer = summary(&world, &org).await;
        world.wire.stop_faults().await;
        assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()), "{faults:?}");
        assert_eq!(answer.number("x-credits-used"), 0, "{faults:?}");
        assert_used(&world, &org, 0, &format!("{faults:?}")).await;
        let calls = world.account(&org).await.today.usage.values().map(|line| line.calls).sum::<i64>();
        // Failed calls still count as usage.
        assert_eq!(calls, i64::try_from(number).expect("the number fits") + 1);
    }
}

#[tokio::test]
async fn unanswered_refund_is_logged_and_the_credit_is_reported_as_used() {
    let logs = Logs::capture();
    let world = world().await;
    let org = world.org("org_a").await;
    fail_call_and_break_refund(&world, std::iter::repeat(RequestLost));
    let answer = summary(&world, &org).await;
    world.wire.stop_faults().await;
    assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
    assert_eq!(answer.credits_used(), paid());
    let lost = logs.of("refund_lost");
    assert_eq!(lost.len(), 1);
    let fields = &lost[0]["fields"];
    assert_eq!((&fields["org"], &fields["credits"]), (&"org_a".into(), &paid().into()));
    assert_eq!(fields["request_id"], answer.header("x-request-id"));
    assert_used(&world, &org, 1, "lost").await;
}

#[tokio::test]
async fn refund_is_booked_on_the_day_of_the_refund() {
    let world = world().await;
    let org = world.org("org_a").await;
    let (yesterday, clock) = (world.clock.now().day(), world.clock.clone());
    world.wire.inject_faults(|sent| if sent.touches("assets") { ErrorBeforeCommit } else { Fault::None });
    // A call with an unsafe method is charged before its handler reads the asset.
    let reads_asset = |sent: &Sent| sent.operation == "GetItem" && sent.touches("assets");
    world.wire.before_first(reads_asset, async move { clock.advance(24 * 3_600_000) });
    let path = "/v2/scenarios/campaigns/0199a7c4-5d00-7000-8000-000000000000";
    let answer = world.delete(path).key(&org.key).send().await;
    world.wire.stop_faults().await;
    assert_eq!((answer.status.as_u16(), answer.number("x-credits-used")), (503, 0));
    let past = past_usage(&world, &org, yesterday.month()).await;
    let charged = paid().cast_signed();
    let of_day = |usage: &Usage| usage.values().map(|line| (line.calls, line.credits)).collect::<Vec<_>>();
    assert_eq!((past.len(), past[0].day, of_day(&past[0].usage)), (1, yesterday, vec![(1, charged)]));
    assert_eq!(of_day(&world.account(&org).await.today.usage), [(0, -charged)]);
    assert_used(&world, &org, 0, "refunded").await;
}

async fn world() -> World {
    let attempt_timeout = Duration::from_millis(500);
    World::with(WorldOptions { attempt_timeout, ..WorldOptions::default() }).await
}

async fn summary(world: &World, org: &TestOrg) -> Answer {
    world.get(SUMMARY).key(&org.key).send().await
}

/// Asserts that an account has paid for exactly `calls` calls after refunds, and that its totals add up.
async fn assert_used(world: &World, org: &TestOrg, calls: u64, case: &str) {
    let Account { totals, .. } = world.account(org).await;
    assert_eq!(totals.used, calls * paid(), "{case}");
    assert_eq!(totals.granted, world.account(org).await.left() + totals.used + totals.expired, "{case}");
}

async fn past_usage(world: &World, org: &TestOrg, month: Month) -> Vec<accounting::DayUsage> {
    Accounts::new(world.app.dynamo.clone()).past_usage(&org.id, month).await.expect("a response")
}

fn is_charge(sent: &Sent) -> bool {
    sent.is_write() && sent.touches("accounts")
}

/// Makes a call's asset reads fail, so that the call is refunded. Applies the faults in `tries` to the
/// attempts of the refund, which are the account writes after the charge.
fn fail_call_and_break_refund(world: &World, mut tries: impl Iterator<Item = Fault> + Send + 'static) {
    let mut is_charged = false;
    world.wire.inject_faults(move |sent| match sent {
        sent if sent.touches("assets") => ErrorBeforeCommit,
        sent if is_charge(sent) && std::mem::replace(&mut is_charged, true) => {
            tries.next().unwrap_or(Fault::None)
        }
        _ => Fault::None,
    });
}

fn is_account_read(sent: &Sent) -> bool {
    sent.operation == "GetItem" && sent.touches("accounts")
}

/// Applies a fault to the first attempt of the next charge. Before the charge reads the account again,
/// another entry takes its slot among the account's recent entries.
fn fail_first_attempt_and_take_its_slot(world: &World, org: &TestOrg, fault: Fault) {
    let taken: Arc<Mutex<Option<u8>>> = Arc::default();
    let seen = taken.clone();
    world.wire.inject_faults(move |sent| {
        let mut seen = seen.lock().expect("the lock is not poisoned");
        if !is_charge(sent) || seen.is_some() {
            return Fault::None;
        }
        *seen = Some(slot(sent));
        fault
    });
    let (accounts, key) = (Accounts::new(world.app.dynamo.clone()), AccountKey::Org(org.id.clone()));
    world.wire.before_first(is_account_read, async move {
        let slot = taken.lock().expect("the lock is not poisoned").expect("a charge was attempted first");
        let account = accounts.read_stored(&key).await.expect("a response").expect("an account");
        let other = entry_of(slot);
        let change = Change::of(&account.account);
        accounts.write(&key, &account, Some(other), &change).await.expect("the write succeeds");
    });
}

/// Returns the ID of a charge that uses the given slot of the account's recent entries.
fn entry_of(slot: u8) -> EntryId {
    let entries = (0_u128..).map(|number| EntryId::charge(RequestId::from_random(number.to_be_bytes())));
    entries.into_iter().find(|entry| entry.slot() == slot).expect("every slot has an entry")
}

/// Adds `credits` to the account's only grant, without other changes.
async fn change_grant(accounts: &Accounts, key: &AccountKey, seen: &StoredAccount, credits: i64) {
    let mut change = Change::of(&seen.account);
    let grant = change.account.grants.values_mut().next().expect("a grant");
    grant.left = grant.left.checked_add_signed(credits).expect("credits are left");
    accounts.write(key, seen, Some(entry_of(0)), &change).await.expect("the write succeeds");
}

/// Returns the slot of a charge: the only attribute name in the request that is a short number.
fn slot(sent: &Sent) -> u8 {
    let names = sent.body["ExpressionAttributeNames"].as_object().expect("a charge has attribute names");
    let mut slots =
        names.values().filter_map(|name| name.as_str().filter(|name| name.len() <= 2)?.parse().ok());
    slots.next().expect("a charge uses a slot")
}
