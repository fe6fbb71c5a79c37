//! The database cost of every kind of call, which must not change unintentionally.

use aws::sdk_config;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};
use harness::costs::{Cost, Costs, count_operations, count_refusals, count_variants, table};
use harness::{World, samples};
use measurement::EventType;
use serde_json::json;
use store::{Connection, Family};
use strum::IntoEnumIterator;

/// The database cost of a successful call of each operation in a warm process: the number of reads with their
/// capacity units, the number of writes with theirs, and the database operations. A changed row changes the
/// administrator's AWS bill, so update rows only on purpose.
const GOOD_CALLS: [(&str, &str); 74] = [
    ("POST /v2/scenarios/campaigns", "0 (0) 2 (11)  TransactWriteItems, UpdateItem"),
    ("GET /v2/scenarios/campaigns", "2 (6) 1 (1)  Query, Query, UpdateItem"),
    ("GET /v2/scenarios/campaigns/summary", "1 (1) 1 (1)  Query, UpdateItem"),
    (
        "POST /v2/scenarios/campaigns/batch",
        "1 (1) 3 (14)  GetItem, TransactWriteItems, UpdateItem, UpdateItem",
    ),
    ("GET /v2/scenarios/campaigns/{asset_id}", "1 (1) 1 (1)  GetItem, UpdateItem"),
    ("PATCH /v2/scenarios/campaigns/{asset_id}", "1 (1) 2 (4)  GetItem, TransactWriteItems, UpdateItem"),
    (
        "DELETE /v2/scenarios/campaigns/{asset_id}",
        "2 (2) 2 (11)  GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "PUT /v2/scenarios/campaigns/by-customer-scenario-id/{customer_scenario_id}",
        "2 (2) 2 (13)  GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    ("POST /v2/scenarios/events", "0 (0) 2 (11)  TransactWriteItems, UpdateItem"),
    ("GET /v2/scenarios/events", "2 (6) 1 (1)  Query, Query, UpdateItem"),
    ("GET /v2/scenarios/events/summary", "1 (1) 1 (1)  Query, UpdateItem"),
    ("POST /v2/scenarios/events/batch", "1 (1) 3 (14)  GetItem, TransactWriteItems, UpdateItem, UpdateItem"),
    ("GET /v2/scenarios/events/{asset_id}", "1 (1) 1 (1)  GetItem, UpdateItem"),
    ("PATCH /v2/scenarios/events/{asset_id}", "1 (1) 2 (4)  GetItem, TransactWriteItems, UpdateItem"),
    ("DELETE /v2/scenarios/events/{asset_id}", "1 (1) 2 (11)  GetItem, TransactWriteItems, UpdateItem"),
    (
        "PUT /v2/scenarios/events/by-customer-scenario-id/{customer_scenario_id}",
        "2 (2) 2 (13)  GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/changes", "3 (3) 1 (1)  GetItem, GetItem, Query, UpdateItem"),
    ("POST /v2/msearch", "0 (0) 1 (1)  UpdateItem"),
    ("POST /msearch", "0 (0) 1 (1)  UpdateItem"),
    ("POST /msearch/inventory", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/displays/lookup", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/places/match", "0 (0) 1 (1)  UpdateItem"),
    ("GET /v2/place/types", "0 (0) 1 (1)  UpdateItem"),
    ("GET /v2/place/brands", "0 (0) 1 (1)  UpdateItem"),
    ("GET /v2/place/profiles/{place_id}", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/measures/place/report", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/cohorts/search", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/measures/population/at_home", "0 (0) 1 (1)  UpdateItem"),
    ("POST /v2/measures/campaigns/estimate", "0 (0) 1 (1)  UpdateItem"),
    (
        "POST /v2/measures/campaigns/{asset_id}",
        "5 (7) 2 (16)  BatchGetItem, GetItem, GetItem, GetItem, GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/measures/campaigns/{asset_id}", "2 (2) 1 (1)  GetItem, GetItem, UpdateItem"),
    ("POST /v2/measures/events/estimate", "0 (0) 1 (1)  UpdateItem"),
    (
        "POST /v2/measures/events/{asset_id}",
        "5 (7) 2 (16)  BatchGetItem, GetItem, GetItem, GetItem, GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/measures/events/{asset_id}", "2 (2) 1 (1)  GetItem, GetItem, UpdateItem"),
    ("GET /v2/markets", "0 (0) 1 (1)  UpdateItem"),
    (
        "POST /v2/scenarios/campaigns/{asset_id}/links",
        "2 (2) 2 (5)  GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/scenarios/campaigns/{asset_id}/links", "2 (2) 1 (1)  GetItem, Query, UpdateItem"),
    (
        "DELETE /v2/scenarios/campaigns/{asset_id}/links/{link_id}",
        "1 (1) 2 (5)  Query, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/client-links/campaign", "4 (4) 1 (1)  GetItem, GetItem, GetItem, GetItem, UpdateItem"),
    ("POST /v2/{product}/tiles/grants", "1 (1) 2 (7)  Query, TransactWriteItems, UpdateItem"),
    ("GET /v2/{product}/tiles/grants", "2 (2) 1 (1)  Query, Query, UpdateItem"),
    ("GET /v2/{product}/tiles/grants/{grant_id}", "1 (1) 1 (1)  GetItem, UpdateItem"),
    ("DELETE /v2/{product}/tiles/grants/{grant_id}", "1 (1) 2 (7)  GetItem, TransactWriteItems, UpdateItem"),
    ("GET /v2/{product}/tiles/grants/{grant_id}/tilejson", "2 (2) 0 (0)  GetItem, GetItem"),
    ("GET /v2/{product}/tiles/{layer}/{z}/{x}/{y}.mvt", "0 (0) 0 (0)"),
    ("GET /v2/basemap/tiles/{z}/{x}/{y}", "0 (0) 0 (0)"),
    ("GET /v2/basemap/gazetteer/{initial}", "0 (0) 0 (0)"),
    ("GET /v2/health", "2 (1.5) 1 (1)  GetItem, GetItem, PutItem"),
    ("GET /v2/account", "4 (4) 1 (1)  GetItem, GetItem, GetItem, GetItem, UpdateItem"),
    ("POST /v2/account/organization", "1 (1) 2 (23)  GetItem, TransactWriteItems, UpdateItem"),
    ("GET /v2/account/keys", "4 (4) 1 (1)  GetItem, GetItem, Query, Query, UpdateItem"),
    (
        "POST /v2/account/keys",
        "5 (5) 2 (9)  GetItem, GetItem, GetItem, Query, Query, TransactWriteItems, UpdateItem",
    ),
    ("DELETE /v2/account/keys/{key_id}", "2 (2) 2 (7)  GetItem, GetItem, TransactWriteItems, UpdateItem"),
    ("GET /v2/account/members", "3 (3) 1 (1)  GetItem, GetItem, Query, UpdateItem"),
    (
        "GET /v2/account/members/{member_id}",
        "7 (7) 1 (1)  GetItem, GetItem, Query, Query, Query, Query, Query, UpdateItem",
    ),
    (
        "PATCH /v2/account/members/{member_id}",
        "3 (3) 2 (7)  GetItem, GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "DELETE /v2/account/members/{member_id}",
        "7 (7) 2 (7)  GetItem, GetItem, Query, Query, Query, Query, Query, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/account/invitations", "4 (4) 1 (1)  GetItem, GetItem, Query, Query, UpdateItem"),
    (
        "POST /v2/account/invitations",
        "4 (4) 2 (7)  GetItem, GetItem, Query, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "POST /v2/account/invitations/accept",
        "8 (8) 2 (9)  GetItem, GetItem, GetItem, GetItem, GetItem, GetItem, GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "DELETE /v2/account/invitations/{invitation_id}",
        "1 (1) 2 (5)  GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/account/webhooks", "4 (4) 1 (1)  GetItem, GetItem, Query, Query, UpdateItem"),
    (
        "POST /v2/account/webhooks",
        "5 (5) 2 (7)  GetItem, GetItem, GetItem, Query, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "PATCH /v2/account/webhooks/{webhook_id}",
        "4 (4) 2 (5)  GetItem, GetItem, GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    ("DELETE /v2/account/webhooks/{webhook_id}", "1 (1) 2 (5)  GetItem, TransactWriteItems, UpdateItem"),
    (
        "POST /v2/account/webhooks/{webhook_id}/secret",
        "4 (4) 2 (5)  GetItem, GetItem, GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "POST /v2/account/webhooks/{webhook_id}/test",
        "2 (2) 2 (3)  GetItem, GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/account/webhooks/{webhook_id}/deliveries", "3 (3) 1 (1)  GetItem, GetItem, Query, UpdateItem"),
    (
        "POST /v2/account/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
        "3 (3) 2 (3)  GetItem, GetItem, GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/billing/credits", "2 (2) 1 (1)  GetItem, Query, UpdateItem"),
    ("GET /v2/billing/bills", "4 (4) 1 (1)  GetItem, GetItem, Query, Query, UpdateItem"),
    ("GET /v2/billing/grants", "3 (3) 1 (1)  GetItem, GetItem, Query, UpdateItem"),
    ("GET /v2/billing/usage", "3 (3) 1 (1)  GetItem, GetItem, Query, UpdateItem"),
    ("GET /v2/openapi.yaml", "0 (0) 0 (0)"),
];

/// The database cost of other calls: lists and edits with other parameters, creates with an idempotency key,
/// calls for queued assets, and measurement events.
const VARIANTS: [(&str, &str); 32] = [
    ("PATCH /v2/scenarios/campaigns/{asset_id} unchanged", "1 (1) 1 (1)  GetItem, UpdateItem"),
    (
        "PATCH /v2/scenarios/campaigns/{asset_id} customer_scenario_id",
        "1 (1) 2 (8)  GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/scenarios/campaigns?limit=30", "2 (7) 1 (1)  Query, Query, UpdateItem"),
    (
        "GET /v2/scenarios/campaigns?state=draft&limit=30",
        "4 (31.5) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, UpdateItem",
    ),
    (
        "GET /v2/scenarios/campaigns?state=draft,queued&limit=30",
        "5 (32) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, Query, UpdateItem",
    ),
    (
        "GET /v2/scenarios/campaigns?customer_scenario_id=other",
        "3 (3) 1 (1)  BatchGetItem, Query, Query, UpdateItem",
    ),
    ("GET /v2/scenarios/campaigns?customer_id=0", "2 (2) 1 (1)  Query, Query, UpdateItem"),
    (
        "GET /v2/scenarios/campaigns?name=s&limit=30",
        "4 (32) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, UpdateItem",
    ),
    ("GET /v2/scenarios/campaigns?name=x", "2 (2) 1 (1)  Query, Query, UpdateItem"),
    (
        "DELETE /v2/scenarios/campaigns/{asset_id} queued",
        "2 (2) 2 (13)  GetItem, Query, TransactWriteItems, UpdateItem",
    ),
    (
        "POST /v2/scenarios/campaigns with a new idempotency key",
        "1 (1) 2 (13)  GetItem, TransactWriteItems, UpdateItem",
    ),
    (
        "POST /v2/scenarios/campaigns with the same idempotency key",
        "2 (2) 1 (1)  GetItem, GetItem, UpdateItem",
    ),
    ("PATCH /v2/scenarios/events/{asset_id} unchanged", "1 (1) 1 (1)  GetItem, UpdateItem"),
    (
        "PATCH /v2/scenarios/events/{asset_id} customer_scenario_id",
        "1 (1) 2 (8)  GetItem, TransactWriteItems, UpdateItem",
    ),
    ("GET /v2/scenarios/events?limit=30", "2 (6) 1 (1)  Query, Query, UpdateItem"),
    (
        "GET /v2/scenarios/events?state=draft&limit=30",
        "4 (31.5) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, UpdateItem",
    ),
    (
        "GET /v2/scenarios/events?state=draft,queued&limit=30",
        "5 (32) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, Query, UpdateItem",
    ),
    (
        "GET /v2/scenarios/events?customer_scenario_id=other",
        "3 (3) 1 (1)  BatchGetItem, Query, Query, UpdateItem",
    ),
    ("GET /v2/scenarios/events?customer_id=0", "2 (2) 1 (1)  Query, Query, UpdateItem"),
    (
        "GET /v2/scenarios/events?name=s&limit=30",
        "4 (32) 1 (1)  BatchGetItem, BatchGetItem, Query, Query, UpdateItem",
    ),
    ("GET /v2/scenarios/events?name=x", "2 (2) 1 (1)  Query, Query, UpdateItem"),
    (
        "DELETE /v2/scenarios/events/{asset_id} queued",
        "1 (1) 2 (13)  GetItem, TransactWriteItems, UpdateItem",
    ),
    (
        "POST /v2/scenarios/events with a new idempotency key",
        "1 (1) 2 (13)  GetItem, TransactWriteItems, UpdateItem",
    ),
    ("POST /v2/scenarios/events with the same idempotency key", "2 (2) 1 (1)  GetItem, GetItem, UpdateItem"),
    // The history records that the grant is used up.
    (
        "GET /v2/scenarios/campaigns/summary, using up a grant",
        "1 (1) 2 (5)  PutItem, Query, TransactWriteItems",
    ),
    ("measurement purchased", "2 (4) 1 (13)  BatchGetItem, GetItem, TransactWriteItems"),
    ("measurement started", "1 (3) 1 (11)  BatchGetItem, TransactWriteItems"),
    ("measurement measured", "1 (3) 1 (7)  BatchGetItem, TransactWriteItems"),
    ("measurement completed", "1 (3) 1 (11)  BatchGetItem, TransactWriteItems"),
    ("measurement failed", "2 (4) 1 (13)  BatchGetItem, GetItem, TransactWriteItems"),
    // The function also reads whether the user can sign up.
    (
        "GET /v2/account without an organization",
        "3 (6) 1 (1)  BatchGetItem, BatchGetItem, GetItem, UpdateItem",
    ),
    (
        "POST /v2/account/organization again",
        "6 (6) 1 (1)  BatchGetItem, GetItem, GetItem, GetItem, GetItem, GetItem, UpdateItem",
    ),
];

/// The database cost of refused calls, which must be almost free even in large numbers. Unless a row says
/// otherwise, the caller is cached.
const REFUSALS: [(&str, &str); 17] = [
    ("401 no key", "0 (0) 0 (0)"),
    ("401 a malformed key", "0 (0) 0 (0)"),
    ("401 an unknown key", "1 (1) 0 (0)  GetItem"),
    ("401 a malformed bearer token", "0 (0) 0 (0)"),
    // The first call reads the key, which is then cached for 30 s.
    ("403 a key without the scope, first call", "2 (2) 0 (0)  GetItem, GetItem"),
    ("403 a key without the scope", "0 (0) 0 (0)"),
    ("402 a key without credits, first call of a minute", "1 (1) 1 (1)  GetItem, UpdateItem"),
    ("402 a key without credits", "0 (0) 1 (1)  UpdateItem"),
    ("402 a bearer token without credits, first call", "1 (1) 1 (1)  GetItem, UpdateItem"),
    ("429 a key over its rate limit", "0 (0) 0 (0)"),
    ("429 a bearer token over its rate limit", "0 (0) 0 (0)"),
    // DynamoDB charges one unit for a failed condition, but the embedded engine doesn't count it.
    ("403 a key of a suspended organization, first call", "0 (0) 1 (0)  UpdateItem"),
    ("403 a key of a suspended organization", "0 (0) 0 (0)"),
    // Reads the account and reads the key again because it is cached for only 30 s.
    ("403 a key of a suspended organization, after 30 s", "2 (2) 0 (0)  GetItem, GetItem"),
    ("429 a session over its rate limit", "0 (0) 0 (0)"),
    ("402 a session without credits", "0 (0) 0 (0)"),
    ("429 a person over the account API limit", "0 (0) 0 (0)"),
];

/// Returns the name and the cost of each call, in the format of the tables above.
fn bills(costs: &[Cost]) -> Vec<(String, String)> {
    costs.iter().map(|cost| (cost.call.clone(), cost.bill())).collect()
}

#[track_caller]
fn assert_bills(costs: &[Cost], expected: &[(&str, &str)]) {
    let bills = bills(costs);
    let bills: Vec<_> = bills.iter().map(|(call, bill)| (call.as_str(), bill.as_str())).collect();
    let others: Vec<_> = bills.iter().filter(|bill| !expected.contains(bill)).collect();
    assert!(others.is_empty(), "unexpected costs: {others:#?}\nall costs:\n{}", table(costs));
    assert_eq!(bills, expected, "each call appears once, in order");
}

#[tokio::test]
async fn successful_calls_have_the_listed_costs() {
    let costs = count_operations().await;
    assert_bills(&costs, &GOOD_CALLS);
}

#[tokio::test]
async fn other_calls_and_measurement_events_have_the_listed_costs() {
    for event_type in EventType::iter() {
        let is_counted = VARIANTS.iter().any(|(call, _)| *call == format!("measurement {event_type}"));
        assert!(is_counted, "{event_type} must have a row in VARIANTS");
    }
    let costs = count_variants().await;
    assert_bills(&costs, &VARIANTS);
}

#[tokio::test]
async fn refused_calls_have_the_listed_costs() {
    assert_bills(&count_refusals().await, &REFUSALS);
}

#[tokio::test]
async fn warm_reads_cost_one_read_and_one_write_of_at_most_two_units() {
    let costs = count_operations().await;
    for name in [
        "GET /v2/scenarios/campaigns/{asset_id}",
        "GET /v2/scenarios/events/{asset_id}",
        "GET /v2/scenarios/campaigns/summary",
        "GET /v2/scenarios/events/summary",
    ] {
        let cost = costs.iter().find(|cost| cost.call == name).expect("a cost");
        let ((writes, units), (reads, _)) = (cost.writes(), cost.reads());
        assert!(writes == 1 && units <= 2.0 && reads == 1, "{name}: {}", cost.bill());
    }
}

#[tokio::test]
async fn calls_answered_from_a_release_cost_only_their_admission() {
    let (world, org) = World::with_org().await;
    let mut costs = Costs::new(&world, &org).await;
    let places = |count: usize| json!({ "place_id": samples::places(count) });
    costs.call("one place", world.post("/v2/measures/place/report").json(&places(1))).await;
    costs.call("a thousand", world.post("/v2/measures/place/report").json(&places(1_000))).await;
    costs
        .call(
            "every place",
            world.post("/v2/msearch").json(&json!({ "pagination": { "page_size": 10_000 } })),
        )
        .await;
    let inventory =
        world.post("/msearch/inventory").header("apikey", &org.key).header("accept-encoding", "gzip");
    costs.call("every spot", inventory.json(&json!({ "pagination": { "page_size": 10_000 } }))).await;
    let displays = json!({ "spot_ids": samples::displays(2_000) });
    costs.call("two thousand displays", world.post("/v2/displays/lookup").json(&displays)).await;
    for cost in &costs.counted {
        assert_eq!((cost.reads(), cost.writes()), ((0, 0.0), (1, 1.0)), "{}", cost.bill());
    }
}

#[tokio::test]
async fn summary_and_page_costs_do_not_depend_on_library_size() {
    let (world, org) = World::with_org().await;
    let library = samples::library(Family::Campaign);
    let calls = ["/summary", "?limit=1", "?limit=1&state=draft"];
    let mut in_sizes = Vec::new();
    for more in [2, 298] {
        for _ in 0..more {
            world.draft(&org, Family::Campaign).await;
        }
        world.clock.advance(60_000);
        let mut costs = Costs::new(&world, &org).await;
        for call in calls {
            costs.call(call, world.get(&format!("{library}{call}"))).await;
        }
        in_sizes.push(costs.counted);
    }
    // A large library has more counter shards, but one call still reads all of them for one unit.
    assert_eq!(bills(&in_sizes[0]), bills(&in_sizes[1]));
    assert_eq!(in_sizes[0].len(), calls.len());
    let costs = &mut Costs::new(&world, &org).await;
    // Reading the summary takes one call. A page filtered by state takes one query of the index and one read
    // per 25 assets.
    for (page, unfiltered, by_state) in [(10, 2, 3), (25, 2, 3), (50, 2, 4), (100, 2, 6)] {
        let unfiltered = (unfiltered, format!("{library}?limit={page}"));
        let by_state = (by_state, format!("{library}?limit={page}&state=draft"));
        for (calls, path) in [unfiltered, by_state] {
            let answer = costs.call(&path, world.get(&path)).await;
            assert_eq!(answer.data().as_array().map(Vec::len), Some(page), "{path}");
            let cost = costs.counted.last().expect("a cost");
            assert_eq!((cost.reads().0, cost.writes().0), (calls, 1), "{}", cost.bill());
        }
    }
}

#[tokio::test]
async fn engine_counts_capacity_units_like_dynamodb() {
    let world = World::new().await;
    let Connection { endpoint, http_client, .. } = &world.app.config.connection;
    let client = Client::new(&sdk_config(endpoint, &None, http_client));
    let text = |text: &str| AttributeValue::S(text.to_owned());
    for (kilobytes, write, transaction, consistent, eventual) in
        [(0.5, 1.0, 2.0, 1.0, 0.5), (1.5, 2.0, 4.0, 1.0, 0.5), (4.5, 5.0, 10.0, 2.0, 1.0)]
    {
        let content = "x".repeat((kilobytes * 1024.0) as usize);
        let key = || [("pk".to_owned(), text("probe")), ("sk".to_owned(), text("probe"))];
        let put = || {
            let put = Put::builder().table_name("marquee-accounts").set_item(Some(key().into()));
            let put = put.item("content", text(&content)).build().expect("a put");
            vec![TransactWriteItem::builder().put(put).build()]
        };
        world.wire.record();
        let item = key().into_iter().chain([("content".to_owned(), text(&content))]).collect();
        client.put_item().table_name("marquee-accounts").set_item(Some(item)).send().await.expect("a put");
        client.transact_write_items().set_transact_items(Some(put())).send().await.expect("a transaction");
        for consistency in [true, false] {
            let get = client.get_item().table_name("marquee-accounts").set_key(Some(key().into()));
            get.consistent_read(consistency).send().await.expect("a read");
        }
        let units: Vec<f64> = world.wire.take().iter().map(|sent| sent.units).collect();
        assert_eq!(units, [write, transaction, consistent, eventual], "{kilobytes} KB");
    }
}
