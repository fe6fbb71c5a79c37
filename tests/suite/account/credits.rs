//! The credits report matches the granted, used, and billed credits, even at the end of a day or month.

use accounting::{PrepaidKind, Product, Tier};
use harness::{TestOrg, World, price};
use runtime::Clock;
use serde_json::{Value, json};
use store::Family;

const CREDITS: &str = "/v2/billing/credits";
const SUMMARY: &str = "/v2/scenarios/campaigns/summary";
const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn report_is_correct_in_every_member_after_a_known_history() {
    let world = World::new().await;
    // This usage is in the previous month, so it doesn't count toward the current month.
    world.clock.advance(-30 * DAY);
    let org = world.org_with("org_a", Tier::PayAsYouGo, 0).await;
    world.administrator.set_tier(&org.id, Tier::PayAsYouGo, Some(100)).await.expect("an organization");
    calls(&world, &org, SUMMARY, 2).await;
    world.clock.advance(30 * DAY);
    grant(&world, &org, PrepaidKind::Purchased, 7, None).await;
    grant(&world, &org, PrepaidKind::Promotional, 2, Some(9)).await;
    grant(&world, &org, PrepaidKind::Promotional, 3, Some(1)).await;
    grant(&world, &org, PrepaidKind::Allocated, 4, Some(90)).await;
    // On the first of two days, five calls use up the promotional credits.
    calls(&world, &org, SUMMARY, 2).await;
    calls(&world, &org, "/v2/scenarios/events/summary", 3).await;
    calls(&world, &org, CREDITS, 3).await;
    world.clock.advance(DAY);
    // On the second day, calls draw allocated credits, then purchased credits, then metered credits.
    calls(&world, &org, SUMMARY, 1).await;
    let path = world.draft(&org, Family::Campaign).await;
    let event = world.event(&org, &path, "purchased", 15);
    assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
    let answer = world.get(CREDITS).key(&org.key).send().await;
    let data = without_this_call(answer.data(), 3);
    let month_end = "2026-12-01T00:00:00.000Z";
    let expected = json!({
        "org_id": "org_a",
        "tier": "pay_as_you_go",
        "balance": 94,
        "allocated": 0,
        "purchased": 0,
        "promotional": 0,
        "metered": 94,
        // Two calls in the previous month, seven calls this month, and a purchase of 15 credits.
        "credits_used": 2 + 5 + 2 + 15,
        "credits_total": 100 + 2 + 3 + 4 + 7 + 100,
        "expires_at": month_end,
        "grants": [{ "kind": "metered", "granted": 100, "remaining": 94, "expires_at": month_end }],
        "usage_month": {
            "by_product": {
                "billing_credits": { "calls": 3, "credits": 0 },
                "campaign_measurement": { "calls": 1, "credits": 15 },
                "scenario_campaign_crud": { "calls": 4, "credits": 4 },
                "scenario_event_crud": { "calls": 3, "credits": 3 },
            },
            "credits": 22,
            "cost_usd": 0.3,
        },
    });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn live_grants_are_listed_in_the_order_in_which_they_are_used() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    grant(&world, &org, PrepaidKind::Purchased, 7, None).await;
    grant(&world, &org, PrepaidKind::Purchased, 6, Some(40)).await;
    grant(&world, &org, PrepaidKind::Allocated, 5, Some(3)).await;
    grant(&world, &org, PrepaidKind::Promotional, 4, Some(30)).await;
    let paid = price(Product::ScenarioCampaignCrud);
    grant(&world, &org, PrepaidKind::Promotional, paid, Some(2)).await;
    calls(&world, &org, SUMMARY, 2).await;
    let data = world.get(CREDITS).key(&org.key).send().await.data();
    let day = |days: i64| json!(world.clock.now().plus_days(days));
    let shown: Vec<_> = data["grants"].as_array().expect("a list").clone();
    let expected = [
        json!({ "kind": "promotional", "granted": 4, "remaining": 4 - paid, "expires_at": day(30) }),
        json!({ "kind": "allocated", "granted": 5, "remaining": 5, "expires_at": day(3) }),
        json!({ "kind": "purchased", "granted": 6, "remaining": 6, "expires_at": day(40) }),
        json!({ "kind": "purchased", "granted": 7, "remaining": 7, "expires_at": null }),
        // The first charge that needs metered credits adds them to the account. They are valid from the start
        // of the month.
        json!({
            "kind": "metered",
            "granted": 20_000,
            "remaining": 20_000,
            "expires_at": "2026-12-01T00:00:00.000Z",
        }),
    ];
    assert_eq!(shown, expected, "the used-up grant is not listed");
    assert_eq!((&data["balance"], &data["expires_at"]), (&json!(20_022 - paid), &day(3)));
    world.clock.advance(3 * DAY);
    let data = world.get(CREDITS).key(&org.key).send().await.data();
    // Expired credits aren't included.
    assert_eq!((&data["allocated"], &data["balance"]), (&json!(0), &json!(20_017 - paid)));
}

#[tokio::test]
async fn organization_without_credits_gets_an_empty_report() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    let data = without_this_call(world.get(CREDITS).key(&org.key).send().await.data(), 0);
    assert_eq!(
        (&data["balance"], &data["expires_at"], &data["grants"]),
        (&json!(0), &Value::Null, &json!([]))
    );
    assert_eq!(data["usage_month"], json!({ "by_product": {}, "credits": 0, "cost_usd": 0.0 }));
}

#[tokio::test]
async fn day_that_ends_during_the_read_is_counted_once() {
    // The first charge of the new day commits just before the report reads the account or the past usage.
    for overtaken in ["GetItem", "Query"] {
        let (world, org) = World::with_org().await;
        // From 09:00:30 to five seconds before midnight.
        world.clock.advance((14 * 3_600 + 59 * 60 + 25) * 1_000);
        calls(&world, &org, SUMMARY, 5).await;
        let token = world.bearer(&org).await;
        // The report's own call must neither roll over the day nor read the account for its charge, so it
        // goes to a process that has a slow clock and has cached the account.
        let (_, router) = world.another_process_at(8, Clock::fixed(world.clock.now())).await;
        assert_eq!(world.get(CREDITS).bearer(&token).send_to(router.clone()).await.status, 200);
        world.clock.advance(10_000);
        world.get(SUMMARY).key(&org.key).send_before(move |sent| sent.operation == overtaken, 200).await;
        let data = world.get(CREDITS).bearer(&token).send_to(router).await.data();
        world.wire.stop_faults().await;
        let calls = &data["usage_month"]["by_product"]["scenario_campaign_crud"]["calls"];
        assert_eq!(*calls, 6, "{overtaken}: expected five calls yesterday and one today: {data}");
    }
}

async fn calls(world: &World, org: &TestOrg, path: &str, count: usize) {
    for _ in 0..count {
        assert_eq!(world.get(path).key(&org.key).send().await.status, 200, "{path}");
    }
}

async fn grant(world: &World, org: &TestOrg, kind: PrepaidKind, credits: u64, days: Option<i64>) {
    let expires_at = days.map(|days| world.clock.now().plus_days(days));
    world.administrator.grant(&org.id, kind, credits, expires_at).await.expect("added");
}

/// Removes the report's own call from its usage. The call is charged while the report is read, so it may or
/// may not be included.
fn without_this_call(mut data: Value, calls_before: i64) -> Value {
    let by_product = data["usage_month"]["by_product"].as_object_mut().expect("an object");
    let line = by_product.remove("billing_credits").unwrap_or(json!({ "calls": 0, "credits": 0 }));
    let calls = line["calls"].as_i64().expect("a number");
    assert!((calls_before..=calls_before + 1).contains(&calls), "{line}");
    if calls_before > 0 {
        by_product.insert(
            "billing_credits".to_owned(),
            json!({ "calls": calls_before, "credits": line["credits"] }),
        );
    }
    data
}
