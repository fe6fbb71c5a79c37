//! Purchases: their charges, the grants that pay for them, and refunds of failed measurements.

use accounting::{Account, Credits, Grant, GrantKind, PrepaidKind, Tier, Timestamp};
use harness::{TestOrg, World, WorldOptions, paid};
use measurement::{MeasurementEvent, Outcome};
use serde_json::json;
use store::Family;

use super::{altered, apply, balanced, booked, reason, seen};

const DAY: i64 = 24 * 3_600_000;

/// Returns the remaining promotional, allocated, purchased, and metered credits.
fn left(account: &Account) -> [Credits; 4] {
    let of = |kind| {
        account.grants.values().filter(|grant| grant.kind == kind).map(|grant: &Grant| grant.left).sum()
    };
    GrantKind::all().map(of).collect::<Vec<_>>().try_into().expect("four kinds")
}

async fn grant(world: &World, org: &TestOrg, kind: PrepaidKind, credits: Credits, expires_at: Option<&str>) {
    let expires_at = expires_at.map(|text| Timestamp::parse(text).expect("a timestamp"));
    world.administrator.grant(&org.id, kind, credits, expires_at).await.expect("a grant");
}

/// Creates an organization and a draft. The organization is left with 9 promotional, 10 allocated, and 100
/// purchased credits.
async fn three_grants(world: &World, name: &str) -> (TestOrg, String) {
    let org = world.org_with(name, Tier::Enterprise, 100).await;
    grant(world, &org, PrepaidKind::Allocated, 10, None).await;
    grant(world, &org, PrepaidKind::Promotional, 9 + paid(), Some("2026-12-01T00:00:00Z")).await;
    let path = world.draft(&org, Family::Campaign).await;
    (org, path)
}

async fn purchase(world: &World, org: &TestOrg, path: &str, credits: Credits) -> MeasurementEvent {
    let event = world.event(org, path, "purchased", credits);
    assert!(apply(world, &event).await.is_applied());
    event
}

#[tokio::test]
async fn purchase_uses_grants_in_order_and_failure_refunds_all_but_one_credit() {
    let world = World::new().await;
    for (number, event) in ["failed from queued", "failed from in flight"].into_iter().enumerate() {
        let (org, path) = three_grants(&world, &format!("org_{number}")).await;
        let window = world.account(&org).await.window;
        purchase(&world, &org, &path, 25).await;
        let account = balanced(&world, &org).await;
        assert_eq!(left(&account), [0, 0, 94, 0], "{event}");
        assert_eq!(booked(&account, "campaign_measurement"), (1, 25), "{event}");
        assert_eq!(account.window, window, "a purchase doesn't count as a call");
        if number == 1 {
            assert_eq!(world.measure(&org, &path, "started").await, Outcome::Applied);
        }
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
        let account = balanced(&world, &org).await;
        assert_eq!(left(&account), [8, 10, 100, 0], "{event}");
        assert_eq!(account.totals.used, paid() + 1, "the draft plus one credit for the failed measurement");
        assert_eq!(booked(&account, "campaign_measurement"), (1, 1), "{event}");
    }
}

#[tokio::test]
async fn failure_refunds_the_price_minus_one_credit() {
    let world = World::new().await;
    let cases: [(Credits, Credits); 6] = [(0, 0), (1, 0), (2, 1), (9, 8), (10, 9), (119, 118)];
    for (price, returned) in cases {
        let (org, path) = three_grants(&world, &format!("org_{price}")).await;
        purchase(&world, &org, &path, price).await;
        let bought = balanced(&world, &org).await;
        assert_eq!(bought.totals.used, paid() + price);
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied, "{price}");
        let refunded = balanced(&world, &org).await;
        assert_eq!(refunded.totals.used, bought.totals.used - returned, "{price}");
        assert_eq!(seen(&world, &org, &path).await.state, "failed");
    }
}

#[tokio::test]
async fn completed_measurement_is_never_refunded() {
    let world = World::new().await;
    let (org, path) = three_grants(&world, "org_a").await;
    purchase(&world, &org, &path, 25).await;
    assert_eq!(world.measure(&org, &path, "completed").await, Outcome::Applied);
    assert!(reason(world.measure(&org, &path, "failed").await).contains("completed"));
    assert_eq!(balanced(&world, &org).await.totals.used, paid() + 25);
}

#[tokio::test]
async fn each_purchase_is_refunded_to_its_own_grants() {
    let world = World::new().await;
    let (org, path) = three_grants(&world, "org_a").await;
    for (price, after) in [(15, [8, 10, 100, 0]), (30, [7, 10, 100, 0])] {
        purchase(&world, &org, &path, price).await;
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
        assert_eq!(left(&balanced(&world, &org).await), after, "{price}");
    }
}

#[tokio::test]
async fn purchase_over_the_balance_is_refused_and_can_be_retried() {
    let world = World::new().await;
    let (org, path) = three_grants(&world, "org_a").await;
    for price in [120, 1_000_000, u64::MAX] {
        let refused = apply(&world, &world.event(&org, &path, "purchased", price)).await;
        assert_eq!(reason(refused), format!("the purchase costs {price} credits, but the balance is 119"));
    }
    let event = world.event(&org, &path, "purchased", 120);
    let before = balanced(&world, &org).await;
    assert!(matches!(apply(&world, &event).await, Outcome::Refused { .. }));
    assert_eq!(world.account(&org).await, before);
    grant(&world, &org, PrepaidKind::Purchased, 1, None).await;
    assert!(apply(&world, &event).await.is_applied());
    assert_eq!(balanced(&world, &org).await.left(), 0);
    assert_eq!(world.get(&path).key(&org.key).send().await.error().0, 402);
}

#[tokio::test]
async fn first_purchase_of_a_day_archives_yesterdays_usage() {
    let world = World::new().await;
    let (org, path) = three_grants(&world, "org_a").await;
    world.clock.advance(DAY);
    purchase(&world, &org, &path, 25).await;
    let account = balanced(&world, &org).await;
    assert_eq!(account.today.day, world.clock.now().day());
    assert_eq!((account.today.usage.len(), booked(&account, "campaign_measurement")), (1, (1, 25)));
    let past = store::Accounts::new(world.app.dynamo.clone())
        .past_usage(&org.id, "2026-11".parse().expect("a month"))
        .await;
    let past = past.expect("a response");
    assert_eq!(past.len(), 1);
    let credits: i64 = past[0].usage.values().map(|line| line.credits).sum();
    assert_eq!(credits.unsigned_abs(), paid(), "the draft");
}

#[tokio::test]
async fn purchase_is_billed_under_its_product() {
    let purchase_names = "out_of_home_reach".parse().expect("a list");
    let world = World::with(WorldOptions { purchase_names, ..WorldOptions::default() }).await;
    let (org, path) = three_grants(&world, "org_a").await;
    let event = altered(&world.event(&org, &path, "purchased", 7), |event| {
        event["purchase"]["product"] = json!("out_of_home_reach");
    });
    assert!(apply(&world, &event).await.is_applied());
    let credits = world.get("/v2/billing/credits").key(&org.key).send().await.data();
    assert_eq!(
        credits["usage_month"]["by_product"]["out_of_home_reach"],
        json!({ "calls": 1, "credits": 7 })
    );
}

#[tokio::test]
async fn purchase_under_an_unlisted_meter_is_refused_for_free() {
    let (world, org) = World::with_org().await;
    for (names, path) in [
        ("reach,lift", world.draft(&org, Family::Campaign).await),
        ("event_measurement", world.draft(&org, Family::Campaign).await),
    ] {
        let purchase_names = names.parse().expect("a list");
        let process = measurement::App { purchase_names, ..world.measurement() };
        let (before, account) = (seen(&world, &org, &path).await, world.account(&org).await);
        let event = world.event(&org, &path, "purchased", 25);
        let refused = reason(harness::apply_on(&process, &event).await.expect("a response"));
        let listed = process.purchase_names.to_string();
        assert_eq!(
            refused,
            format!(
                "`product` must be one of the configured billing names ({listed}), got campaign_measurement"
            )
        );
        assert_eq!(world.account(&org).await, account);
        assert_eq!(seen(&world, &org, &path).await.version, before.version);
        // The event is accepted once the meter is listed again.
        assert!(apply(&world, &event).await.is_applied());
    }
}

#[tokio::test]
async fn removed_meter_still_refunds_and_keeps_applied_events() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let purchased = purchase(&world, &org, &path, 25).await;
    let purchase_names = "reach".parse().expect("a list");
    let process = measurement::App { purchase_names, ..world.measurement() };
    let again = harness::apply_on(&process, &purchased).await.expect("a response");
    assert_eq!(again, Outcome::AlreadyApplied);
    for (event_type, booking) in [("started", (1, 25)), ("failed", (1, 1))] {
        let event = world.event(&org, &path, event_type, 0);
        let outcome = harness::apply_on(&process, &event).await.expect("a response");
        assert_eq!(outcome, Outcome::Applied, "{event_type}");
        assert_eq!(booked(&balanced(&world, &org).await, "campaign_measurement"), booking, "{event_type}");
    }
}
