//! Monthly bills: exact totals, months without calls, refunds, and credit notes.

use accounting::{PrepaidKind, Product, Tier};
use harness::{TestOrg, World, price};
use measurement::Outcome;
use serde_json::{Value, json};
use store::Family;

const BILLS: &str = "/v2/billing/bills";
const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

#[tokio::test]
async fn returns_only_the_callers_own_bills() {
    let (world, org, other) = World::with_two_orgs().await;
    world.get(SUMMARY).key(&org.key).send().await;
    let own = world.get(BILLS).key(&org.key).send().await.data();
    assert_eq!(own.as_array().map(Vec::len), Some(1), "{own}");
    let theirs = world.get(BILLS).key(&other.key).send().await.data();
    // One organization's calls aren't on the other organization's bill.
    assert_eq!(theirs[0]["by_product"]["scenario_campaign_crud"], Value::Null);
}

#[tokio::test]
async fn measurement_failing_in_the_next_month_adds_a_credit_note_to_that_month() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let path = purchased(&world, &org, 500).await;
    world.move_to("2026-12-03T10:00:00Z");
    let before = world.account(&org).await.totals.expired;
    assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
    for _ in 0..100 {
        world.get(SUMMARY).key(&org.key).send().await;
    }
    world.clock.advance(60_000);
    let bills = bills(&world, &org).await;
    let drafted = price(Product::ScenarioCampaignCrud);
    let november = 500 + drafted;
    assert_eq!(totals(&bills[1]), (json!("2026-11"), november, 0, 0, 0, november * 5));
    assert_eq!(totals(&bills[0]), (json!("2026-12"), 100 * drafted, 499, 0, 499 - 100 * drafted, 0));
    assert_eq!((&bills[0]["open"], &bills[1]["open"]), (&json!(true), &json!(false)));
    assert_eq!(bills[1]["by_product"]["campaign_measurement"], json!({ "calls": 1, "credits": 500 }));
    assert_eq!(bills[0]["by_product"]["campaign_measurement"], json!({ "calls": 0, "credits": -499 }));
    assert!(world.account(&org).await.totals.expired > before, "the unused part of November's cap expires");
    // The part of the credit note that exceeds December's usage is carried forward to January.
    world.move_to("2027-01-31T23:59:59Z");
    for _ in 0..50 {
        world.get(SUMMARY).key(&org.key).send().await;
    }
    let january = self::bills(&world, &org).await[0].clone();
    let carried = 499 - 100 * drafted;
    assert_eq!(totals(&january), (json!("2027-01"), 50 * drafted, 0, carried, carried - 50 * drafted, 0));
}

#[tokio::test]
async fn refund_of_metered_credits_lowers_the_bill_within_the_same_month() {
    for (failed_at, metered, refunds, notes) in
        [("2026-11-30T23:59:59Z", 1 + 1, 499, 0), ("2026-12-01T00:00:00Z", 500 + 1, 0, 499)]
    {
        let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
        let path = purchased(&world, &org, 500).await;
        world.move_to(failed_at);
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
        let bills = bills(&world, &org).await;
        let november = bills.last().expect("November has a bill");
        assert_eq!(
            (&november["month"], &november["totals"]["metered"]),
            (&json!("2026-11"), &json!(metered))
        );
        assert_eq!(november["totals"]["refunds"], refunds);
        assert_eq!(november["totals"]["cents"], metered * 5);
        assert_eq!(bills[0]["totals"]["credit_notes"], notes, "{failed_at}");
    }
}

#[tokio::test]
async fn bill_exists_for_a_past_month_without_later_calls() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 3).await;
    for _ in 0..5 {
        world.get(SUMMARY).key(&org.key).send().await;
    }
    world.move_to("2027-03-05T00:00:00Z");
    // November is still in the account, because no later call has rolled the account over.
    let shown = world.administrator.bills(&org.id).await.expect("read");
    let months: Vec<_> = shown.iter().map(|bill| bill.month.to_string()).collect();
    assert_eq!(months, ["2027-03", "2026-11"]);
    let november = shown[1].totals;
    let paid = 5 * price(Product::ScenarioCampaignCrud);
    assert_eq!((november.prepaid, november.metered, november.cents), (3, paid - 3, (paid - 3) * 5));
    let from_api = bills(&world, &org).await;
    assert_eq!(from_api[1]["totals"], serde_json::to_value(november).expect("the totals are serialized"));
    // The call has rolled the account over, but the bill is unchanged.
    assert_eq!(world.administrator.bills(&org.id).await.expect("read")[1], shown[1]);
}

#[tokio::test]
async fn bill_separates_prepaid_and_metered_credits() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    world.administrator.grant(&org.id, PrepaidKind::Promotional, 100, None).await.expect("added");
    let path = purchased(&world, &org, 300).await;
    let november = &bills(&world, &org).await[0]["totals"];
    assert_eq!((&november["prepaid"], &november["metered"]), (&json!(100), &json!(200 + 1)));
    world.move_to("2026-12-02T00:00:00Z");
    assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
    let december = &bills(&world, &org).await[0]["totals"];
    // A failed measurement still costs one credit, which is taken from the credits that were drawn first.
    assert_eq!((&december["prepaid"], &december["credit_notes"]), (&json!(-98), &json!(201)));
}

/// Purchases a measurement of a new campaign and returns the campaign's path.
async fn purchased(world: &World, org: &TestOrg, credits: u64) -> String {
    let path = world.draft(org, Family::Campaign).await;
    let event = world.event(org, &path, "purchased", credits);
    assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
    path
}

async fn bills(world: &World, org: &TestOrg) -> Vec<Value> {
    let answer = world.get(BILLS).key(&org.key).send().await;
    answer.data().as_array().expect("a list").clone()
}

/// Returns a bill's month, metered credits, credit notes, credits carried in, credits carried forward, and
/// amount in cents.
fn totals(bill: &Value) -> (Value, u64, u64, u64, u64, u64) {
    let of = |name: &str| bill["totals"][name].as_u64().expect("a number");
    (
        bill["month"].clone(),
        of("metered"),
        of("credit_notes"),
        of("carried_in"),
        of("carried_forward"),
        of("cents"),
    )
}
