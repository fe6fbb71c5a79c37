//! Daily usage: every call counts once, on its day, and the days of each month add up to the bill.

use std::collections::BTreeMap;

use accounting::{Product, Scope, Tier, Timestamp};
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{Sent, TestOrg, World};
use measurement::Outcome;
use serde_json::{Value, json};
use store::{Family, Role};
use strum::IntoEnumIterator;

const USAGE: &str = "/v2/billing/usage";
const BILLS: &str = "/v2/billing/bills";
const SUMMARY: &str = "/v2/scenarios/campaigns/summary";
const MARKETS: &str = "/v2/markets";

#[tokio::test]
async fn returns_only_the_callers_own_usage_without_counting_the_call() {
    let (world, org, other) = World::with_two_orgs().await;
    let billing = world.key(&org.id, [Scope::Billing].into_iter().collect()).await;
    let member = world.person("planner");
    world.member(&org, &member, Role::Member).await;
    world.get(SUMMARY).key(&org.key).send().await;
    let before = world.account(&org).await;
    for call in [world.get(USAGE).key(&billing), world.get(USAGE).bearer(&world.token(&member))] {
        let answer = call.send().await;
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (200, 0), "{}", answer.text());
        let row = json!({ "day": "2026-11-20", "meter": "scenario_campaign_crud", "calls": 1, "credits": 1 });
        assert_eq!(answer.data(), json!([row]));
        assert_eq!(answer.number("x-ratelimit-limit"), 60);
        assert_eq!(answer.number("x-ratelimit-remaining"), 59, "each person and each key has its own limit");
    }
    assert_eq!(world.account(&org).await, before, "the account is unchanged");
    assert_eq!(usage(&world, &other, "").await, json!([]), "the other organization has no usage");
}

#[tokio::test]
async fn rows_are_sorted_by_day_and_meter() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let path = world.draft(&org, Family::Campaign).await;
    let event = world.event(&org, &path, "purchased", 500);
    assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
    world.get(MARKETS).key(&org.key).send().await;
    world.move_to("2026-11-22T23:59:59Z");
    assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
    world.get(MARKETS).key(&org.key).send().await;
    world.move_to("2026-11-25T00:00:00Z");
    world.get(SUMMARY).key(&org.key).send().await;
    let row = |day: &str, name: &str, calls: i64, credits: i64| json!({ "day": day, "meter": name, "calls": calls, "credits": credits });
    let rows = [
        row("2026-11-20", "campaign_measurement", 1, 500),
        row("2026-11-20", "markets", 1, 0),
        row("2026-11-20", "scenario_campaign_crud", 1, 1),
        row("2026-11-22", "campaign_measurement", 0, -499),
        row("2026-11-22", "markets", 1, 0),
        row("2026-11-25", "scenario_campaign_crud", 1, 1),
    ];
    assert_eq!(usage(&world, &org, "").await, json!(rows));
    assert_eq!(usage(&world, &org, "?from=2026-11-22&to=2026-11-22").await, json!(rows[3..5]));
    assert_eq!(usage(&world, &org, "?from=2026-11-23").await, json!(rows[5..]));
    assert_eq!(usage(&world, &org, "?to=2026-11-21").await, json!(rows[..3]));
    assert_eq!(usage(&world, &org, "?from=2026-11-23&to=2026-11-24").await, json!([]));
}

#[tokio::test]
async fn days_of_a_month_always_add_up_to_its_bill() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 3).await;
    let mut path = String::new();
    for (moment, does) in [
        ("2026-11-20T09:01:00Z", "buys"),
        ("2026-11-20T23:59:59.999Z", "calls"),
        // Before the first charge of the new day.
        ("2026-11-21T00:00:00Z", "looks"),
        ("2026-11-21T00:00:01Z", "calls"),
        ("2026-11-30T12:00:00Z", "calls"),
        ("2026-11-30T23:59:59Z", "looks"),
        // The month has ended, but its usage stays in the account until the next charge.
        ("2026-12-01T00:00:00Z", "looks"),
        ("2026-12-01T00:00:02Z", "fails"),
        ("2026-12-01T00:00:03Z", "calls"),
        ("2026-12-31T23:59:59Z", "calls"),
        ("2027-02-10T00:00:00Z", "looks"),
        ("2027-02-10T00:00:00Z", "calls"),
        ("2027-02-28T00:00:00Z", "buys"),
        ("2027-03-01T00:00:00Z", "calls"),
        ("2027-03-01T23:00:00Z", "looks"),
    ] {
        world.move_to(moment);
        match does {
            "buys" => {
                path = world.draft(&org, Family::Campaign).await;
                let event = world.event(&org, &path, "purchased", 500);
                assert!(harness::apply(&world.app, &event).await.expect("applied").is_applied());
            }
            "fails" => assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied),
            "calls" => assert_eq!(world.get(MARKETS).key(&org.key).send().await.status, 200),
            _ => {}
        }
        assert_bills_are_sums(&world, &org, moment).await;
    }
}

#[tokio::test]
async fn range_within_a_past_month_returns_the_days_in_range() {
    let (world, org) = World::with_org().await;
    for day in ["2026-11-20", "2026-11-28", "2026-12-01", "2027-01-02"] {
        world.move_to(&format!("{day}T12:00:00Z"));
        world.get(SUMMARY).key(&org.key).send().await;
    }
    for (query, days) in [
        ("?from=2026-11-28&to=2026-11-28", vec!["2026-11-28"]),
        ("?from=2026-11-21&to=2026-11-30", vec!["2026-11-28"]),
        ("?from=2026-11-29&to=2026-11-30", vec![]),
        ("?from=2026-11-01&to=2026-11-27", vec!["2026-11-20"]),
        ("?from=2026-12-01&to=2026-12-01", vec!["2026-12-01"]),
        ("?from=2026-12-02&to=2027-01-01", vec![]),
        ("?from=2026-11-01", vec!["2026-11-20", "2026-11-28", "2026-12-01", "2027-01-02"]),
    ] {
        let rows = usage(&world, &org, query).await;
        let rows = rows.as_array().expect("a list").clone();
        assert_eq!(rows.iter().map(|row| row["day"].clone()).collect::<Vec<_>>(), days, "{query}");
        assert!(rows.iter().all(|row| row["calls"] == 1), "{query}: {rows:?}");
    }
}

#[tokio::test]
async fn range_defaults_to_thirty_days_and_is_limited_to_thirteen_past_months() {
    let (world, org) = World::with_org().await;
    // Days just inside and outside the default range on 2027-12-31, and around the start of December 2026.
    let days =
        ["2026-11-20", "2026-11-30", "2026-12-01", "2027-11-30", "2027-12-01", "2027-12-02", "2027-12-31"];
    for day in days {
        world.move_to(&format!("{day}T00:00:00Z"));
        world.get(SUMMARY).key(&org.key).send().await;
    }
    let days_of = async |query: &str| -> Vec<String> {
        let rows = usage(&world, &org, query).await;
        rows.as_array()
            .expect("a list")
            .iter()
            .map(|row| row["day"].as_str().expect("a string").to_owned())
            .collect()
    };
    // The default range is today and the previous 29 days.
    assert_eq!(days_of("").await, ["2027-12-02", "2027-12-31"]);
    assert_eq!(days_of("?to=2027-12-30").await, ["2027-12-01", "2027-12-02"]);
    assert_eq!(days_of("?from=2026-11-01").await, days);
    assert_eq!(days_of("?to=2026-11-20").await, ["2026-11-20"]);
    world.clock.advance(60_000);
    let answer = world.get(&format!("{USAGE}?from=2026-10-31")).key(&org.key).send().await;
    answer.assert_invalid(&[("?from", "must be a date from 2026-11-01 to today (2027-12-31)")], "too early");
}

#[tokio::test]
async fn invalid_days_return_400_with_the_allowed_range() {
    let (world, org) = World::with_org().await;
    let (date, shown) =
        ("must be a calendar date (YYYY-MM-DD)", "must be a date from 2025-10-01 to today (2026-11-20)");
    let cases: [(&str, &[(&str, &str)]); 10] = [
        ("?from=", &[("?from", date)]),
        ("?from=2026-11-31", &[("?from", date)]),
        ("?from=2026-11-19T00:00:00Z&to=x", &[("?from", date), ("?to", date)]),
        ("?from=2025-09-30", &[("?from", shown)]),
        ("?to=2025-09-30", &[("?to", shown)]),
        ("?to=2026-11-21", &[("?to", shown)]),
        ("?from=0000-01-01&to=9999-12-31", &[("?from", shown), ("?to", shown)]),
        ("?from=2026-11-20&to=2026-11-19", &[("?from", "must not be after `to` (2026-11-19)")]),
        ("?from=2026-11-20&from=2026-11-20", &[("?from", "must be given only once")]),
        ("?month=2026-11", &[("?month", "is an unknown parameter; allowed parameters: from, to")]),
    ];
    for (query, expected) in cases {
        let answer = world.get(&format!("{USAGE}{query}")).key(&org.key).send().await;
        answer.assert_invalid(expected, query);
    }
    for query in ["?from=2025-10-01", "?to=2025-10-01", "?from=2026-11-20&to=2026-11-20"] {
        assert_eq!(usage(&world, &org, query).await, json!([]), "{query}");
    }
}

#[tokio::test]
async fn day_or_month_that_ends_during_the_read_is_counted_once() {
    for (evening, month_ends) in [("2026-11-20T23:59:50Z", false), ("2026-11-30T23:59:50Z", true)] {
        // The first charge of the new day commits just before one of the reads of the account and the past
        // usage.
        for overtaken in 0..3 {
            let (world, org) = World::with_org().await;
            world.get(SUMMARY).key(&org.key).send().await;
            world.move_to(evening);
            for _ in 0..5 {
                world.get(SUMMARY).key(&org.key).send().await;
            }
            let (_, router) = world.another_process(8).await;
            assert_eq!(world.get(USAGE).key(&org.key).send_to(router.clone()).await.status, 200);
            world.clock.advance(20_000);
            let mut reads = 0;
            let is_overtaken = move |sent: &Sent| {
                reads += usize::from(matches!(sent.operation.as_str(), "GetItem" | "Query"));
                reads == overtaken + 1
            };
            world.get(SUMMARY).key(&org.key).send_before(is_overtaken, 200).await;
            let answer = world.get(USAGE).key(&org.key).send_to(router).await;
            world.wire.stop_faults().await;
            let calls: i64 = lines(&answer.data()).map(|(.., calls, _)| calls).sum();
            assert!([6, 7].contains(&calls), "month ends: {month_ends}, read {overtaken}: {}", answer.text());
            assert_eq!(usage_calls(&world, &org).await, 7);
        }
    }
}

#[tokio::test]
async fn longest_range_with_every_product_takes_one_query() {
    let (world, org) = World::with_org().await;
    let names: Vec<_> = Product::iter().map(Product::name).chain(["campaign_measurement", "tv"]).collect();
    let earliest = Timestamp::parse("2025-10-01T00:00:00Z").expect("valid timestamp");
    let days: Vec<String> = (0..415).map(|days| earliest.plus_days(days).day().to_string()).collect();
    assert_eq!(days.last().map(String::as_str), Some("2026-11-19"), "the last day is yesterday");
    for day in &days {
        store_day(&world, &org, day, &names).await;
    }
    world.wire.record();
    let answer = world.get(&format!("{USAGE}?from=2025-10-01")).key(&org.key).send().await;
    let sent = world.wire.take();
    assert_eq!(answer.data().as_array().map(Vec::len), Some(days.len() * names.len()));
    // The uncompressed response stays far below the 6 MB limit.
    assert!(answer.body.len() < 2_000_000, "{}", answer.body.len());
    let file = world.get(&format!("{USAGE}?from=2025-10-01")).key(&org.key).header("accept", "text/csv");
    let file = file.send().await;
    assert_eq!(file.text().lines().count(), 1 + days.len() * names.len());
    assert_eq!(file.text().lines().next(), Some("day,meter,calls,credits"));
    let queries: Vec<_> =
        sent.iter().filter(|sent| sent.operation == "Query").map(|sent| sent.units).collect();
    assert_eq!(queries.len(), 1, "{queries:?}");
    assert!(queries.iter().all(|units| *units <= 120.0), "{queries:?}");
}

/// Stores a past day with 1,234 calls per meter, in the format in which completed days are archived.
async fn store_day(world: &World, org: &TestOrg, day: &str, names: &[&str]) {
    let of_each = |number: &str| -> AttributeValue {
        let entry = |name: &&str| ((*name).to_owned(), AttributeValue::N(number.to_owned()));
        AttributeValue::M(names.iter().map(entry).collect())
    };
    let put = world.engine().put_item().table_name("marquee-accounts");
    put.item("pk", AttributeValue::S(format!("org#{}", org.id)))
        .item("sk", AttributeValue::S(format!("usage#{day}")))
        .item("calls", of_each("1234"))
        .item("spent", of_each("2468"))
        .send()
        .await
        .expect("a response");
}

/// Asserts that each month's usage adds up to its bill.
async fn assert_bills_are_sums(world: &World, org: &TestOrg, when: &str) {
    let bills = world.get(BILLS).key(&org.key).send().await.data();
    let mut sums: BTreeMap<(String, String), (i64, i64)> = BTreeMap::new();
    for (day, name, calls, credits) in lines(&usage(world, org, "?from=2026-11-01").await) {
        let sum = sums.entry((day[..7].to_owned(), name)).or_default();
        *sum = (sum.0 + calls, sum.1 + credits);
    }
    let mut billed = BTreeMap::new();
    for bill in bills.as_array().expect("a list") {
        for (name, line) in bill["by_product"].as_object().expect("an object") {
            let month = bill["month"].as_str().expect("a string").to_owned();
            let line = (&line["calls"], &line["credits"]);
            billed.insert((month, name.clone()), (number(line.0), number(line.1)));
        }
    }
    assert_eq!(sums, billed, "{when}: {bills:#}");
}

fn lines(rows: &Value) -> impl Iterator<Item = (String, String, i64, i64)> {
    let line = |row: &Value| {
        let text = |name: &str| row[name].as_str().expect("a string").to_owned();
        (text("day"), text("meter"), number(&row["calls"]), number(&row["credits"]))
    };
    rows.as_array().expect("a list").iter().map(line).collect::<Vec<_>>().into_iter()
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("an integer")
}

async fn usage(world: &World, org: &TestOrg, query: &str) -> Value {
    let answer = world.get(&format!("{USAGE}{query}")).key(&org.key).send().await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.data()
}

async fn usage_calls(world: &World, org: &TestOrg) -> i64 {
    lines(&usage(world, org, "").await).map(|(.., calls, _)| calls).sum()
}
