//! Display lookup by spot ID.

use accounting::Product;
use dataset::inventory::{Inventory, SpotIndex};
use harness::{Answer, TestOrg, World, price, samples, synthesized_release};
use serde_json::{Value, json};

use super::{at, call, id, ids, record, records, release_with, router_of, search};

const LOOKUP: &str = "/v2/displays/lookup";

/// A spot ID that doesn't exist in the sample release.
const UNKNOWN: u64 = 7;

async fn ask(world: &World, org: &TestOrg, body: &Value) -> Answer {
    world.post(LOOKUP).key(&org.key).json(body).send().await
}

async fn look_up(world: &World, org: &TestOrg, ids: &[u64]) -> Value {
    ask(world, org, &json!({ "spot_ids": ids })).await.data()
}

/// Converts an inventory record to the display that a lookup returns.
fn display(record: &Value) -> Value {
    let text = |path: &str| Some(at(record, path)).filter(|text| **text != json!(""));
    let coordinates = at(record, "location.geometry.coordinates");
    let face = &record["layouts"][0]["faces"][0];
    let is_modelled =
        |path: &str| record["modelled"].as_array().is_some_and(|all| all.contains(&json!(path)));
    let modelled: Vec<_> = [("location.orientation", "orientation"), ("layouts.faces.width", "size")]
        .into_iter()
        .filter_map(|(path, member)| is_modelled(path).then_some(member))
        .collect();
    json!({
        "spot_id": record["spot_id"],
        "name": text("media_name"),
        "plant_spot_id": face["spots"][0]["plant_spot_id"].as_str().filter(|id| !id.is_empty()),
        "location": { "lat": coordinates[1], "lon": coordinates[0] },
        "address": {
            "street": text("location.primary_artery"),
            "county": text("location.county_name"),
            "state": text("location.state"),
            "zip_code": text("location.zip_code"),
        },
        "orientation": at(record, "location.orientation"),
        "size": { "width": face["width"], "height": face["height"] },
        "media_type": text("media_type.name"),
        "digital": record["digital"],
        "market": text("location.dma_name"),
        "modelled": modelled,
        "operator": record["representations"][0][0]["account"]["name"],
    })
}

fn found(displays: &Value) -> Value {
    json!({ "displays": displays, "unknown_ids": [], "unknown_plant_spot_ids": [] })
}

fn nothing_found(unknown_ids: &Value) -> Value {
    json!({ "displays": [], "unknown_ids": unknown_ids, "unknown_plant_spot_ids": [] })
}

#[tokio::test]
async fn returns_each_display_and_each_unknown_id_once_in_request_order() {
    let (world, org) = World::with_org().await;
    let (first, middle, last) =
        (&records()[0], &records()[records().len() / 2], &records()[records().len() - 1]);
    let [a, b, c] = [first, middle, last].map(id);
    let greatest = u64::from(u32::MAX);
    let answer =
        ask(&world, &org, &json!({ "spot_ids": [c, greatest, a, UNKNOWN, c, b, UNKNOWN, a, greatest] }))
            .await;
    let expected = json!({
        "displays": [display(last), display(first), display(middle)],
        "unknown_ids": [greatest, UNKNOWN],
        "unknown_plant_spot_ids": [],
    });
    assert_eq!(answer.data(), expected);
    assert!(expected["displays"][1]["name"].is_string() && expected["displays"][1]["operator"].is_string());
    let meta = &answer.json()["meta"];
    let (product, used) = (json!("display_lookup"), json!(price(Product::DisplayLookup)));
    assert_eq!((&meta["product"], &meta["credits_used"]), (&product, &used));
}

#[tokio::test]
async fn only_unknown_ids_return_200_and_are_listed() {
    let (world, org) = World::with_org().await;
    let answer = ask(&world, &org, &json!({ "spot_ids": [UNKNOWN, 1, UNKNOWN] })).await;
    assert_eq!(answer.data(), nothing_found(&json!([UNKNOWN, 1])));
    assert_eq!(answer.credits_used(), price(Product::DisplayLookup));
    assert!(answer.json()["meta"]["provenance"].get("sources").is_none(), "{}", answer.text());
}

#[tokio::test]
async fn two_thousand_displays_match_inventory_search() {
    let (world, org) = World::with_org().await;
    let mut wanted: Vec<_> = records().iter().rev().take(2_000).collect();
    wanted.rotate_left(700);
    let ids: Vec<u64> = wanted.iter().map(|record| id(record)).collect();
    let expected: Vec<Value> = wanted.iter().map(|record| display(record)).collect();
    assert_eq!(look_up(&world, &org, &ids).await, found(&json!(expected)));
}

#[tokio::test]
async fn accepts_an_indented_body_of_two_thousand_long_ids() {
    let (world, org) = World::with_org().await;
    let ids: Vec<u64> = (0..2_000).map(|number| u64::from(u32::MAX) - number).collect();
    let body = serde_json::to_string_pretty(&json!({ "spot_ids": ids })).expect("JSON");
    let answer = world.post(LOOKUP).key(&org.key).bytes("application/json", body).send().await;
    assert_eq!(answer.data(), nothing_found(&json!(ids)));
}

#[tokio::test]
async fn provenance_matches_inventory_search() {
    let (world, org) = World::with_org().await;
    let found = search(&world, &org, &json!({ "pagination": { "page_size": 50 } })).await;
    let looked_up = ask(&world, &org, &json!({ "spot_ids": ids(&found) })).await.json();
    assert_eq!(looked_up["meta"]["provenance"], found["meta"]["provenance"]);
    assert!(looked_up["meta"]["provenance"]["sources"].is_array());
}

#[tokio::test]
async fn returns_unmeasured_displays() {
    let (world, org) = World::with_org().await;
    let folder = synthesized_release(300);
    let inventory = Inventory::open(&folder).expect("an inventory");
    let is_unmeasured = |spot: &SpotIndex| !inventory.has_measures(*spot);
    let unmeasured: Vec<u64> =
        inventory.indexes().filter(is_unmeasured).map(|spot| inventory.id(spot).raw().into()).collect();
    assert!(!unmeasured.is_empty());
    let call = world.post(LOOKUP).key(&org.key).json(&json!({ "spot_ids": unmeasured }));
    let answer = call.send_to(router_of(&world, &folder)).await.data();
    assert_eq!(answer["unknown_ids"], json!([]));
    let answered: Vec<_> = answer["displays"].as_array().expect("a list").iter().map(id).collect();
    assert_eq!(answered, unmeasured);
}

#[tokio::test]
async fn missing_and_empty_texts_are_null() {
    let (world, org) = World::with_org().await;
    let account = |name: Value| json!([[{ "account": { "name": name } }]]);
    let full = json!({
        "media_name": "I-80", "media_type": { "name": "Bulletin" }, "representations": account(json!("Example")),
    });
    let empty =
        json!({ "media_name": "", "media_type": { "name": "" }, "representations": account(json!("")) });
    let records = [record(1, full), record(2, empty), record(3, json!({}))];
    let release = release_with(&records, "lookup-without-texts");
    let call = world.post(LOOKUP).key(&org.key).json(&json!({ "spot_ids": [3, 2, 1] }));
    let answer = call.send_to(router_of(&world, &release)).await;
    let display = |id: u64, [name, media_type, operator]: [Value; 3]| {
        json!({
            "spot_id": id, "plant_spot_id": null, "name": name,
            "location": { "lat": 48.85, "lon": 2.35 },
            "address": { "street": null, "county": null, "state": null, "zip_code": null },
            "orientation": null, "size": null, "media_type": media_type, "digital": null, "market": null,
            "operator": operator, "modelled": [],
        })
    };
    let nothing = || [Value::Null, Value::Null, Value::Null];
    let texts = [json!("I-80"), json!("Bulletin"), json!("Example")];
    let expected = [display(3, nothing()), display(2, nothing()), display(1, texts)];
    assert_eq!(answer.data(), found(&json!(expected)));
    let sources = &answer.json()["meta"]["provenance"]["sources"];
    assert_eq!(*sources, json!([{ "source": "Example Outdoor", "data_vintage": "2026-06-30" }]));
}

#[tokio::test]
async fn oversized_response_returns_400_unless_compressed() {
    let (world, org) = World::with_org().await;
    // The strings have the maximum length.
    let name = json!({ "media_name": "x".repeat(10_000) });
    let records: Vec<Value> = (1..=600).map(|id| record(id, name.clone())).collect();
    let router = router_of(&world, &release_with(&records, "lookup-of-long-texts"));
    let body = json!({ "spot_ids": (1..=600).collect::<Vec<u32>>() });
    let call = || world.post(LOOKUP).key(&org.key).json(&body);
    let refused = call().send_to(router.clone()).await;
    let words = "the 600 displays with these ids exceed the response size limit; send fewer ids, or send";
    refused.assert_invalid(&[("/spot_ids", words)], "600 long names");
    let compressed = call().header("accept-encoding", "gzip").send_to(router).await;
    assert_eq!(compressed.data()["displays"].as_array().map(Vec::len), Some(600));
}

#[tokio::test]
async fn unknown_ids_match_the_warnings_of_a_campaign() {
    let (world, org) = World::with_org().await;
    let requested = [id(&records()[0]), UNKNOWN, id(&records()[1]), 1];
    let mut campaign = samples::campaign();
    campaign["spots"] =
        requested.iter().map(|id| json!({ "display_id": id.to_string(), "spot_id": 1 })).collect();
    let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&campaign).send().await.json();
    let warnings = created["meta"]["warnings"].as_array().expect("a list");
    let pointers = warnings.iter().filter_map(|warning| warning["pointer"].as_str());
    let warned: Vec<_> = pointers.filter(|pointer| pointer.ends_with("/display_id")).collect();
    assert_eq!(warned, ["/spots/1/display_id", "/spots/3/display_id"]);
    assert_eq!(look_up(&world, &org, &requested).await["unknown_ids"], json!([requested[1], requested[3]]));
}

#[tokio::test]
async fn finds_displays_by_the_media_owners_own_id() {
    let (world, org) = World::with_org().await;
    let unit = |id: u64, owner: &str, plant: &str| {
        let spots = json!([{ "id": id, "plant_spot_id": plant }]);
        let faces = json!([{ "id": 1, "width": 576, "height": 168, "spots": spots }]);
        record(
            id,
            json!({ "layouts": [{ "faces": faces }], "representations": [[{ "account": { "name": owner } }]] }),
        )
    };
    let records = [
        unit(9, "Out  Front", "A-1"),
        unit(4, "OUT FRONT", "A-1"),
        unit(5, "Other", "A-1"),
        unit(6, "Out Front", "a-1"),
    ];
    let release = router_of(&world, &release_with(&records, "lookup-by-plant-spot-id"));
    let body = json!({
        "spot_ids": [6, UNKNOWN, 9], "media_owner": "out front", "plant_spot_ids": ["A-1", "B", "A-1", "B"],
    });
    let answer = world.post(LOOKUP).key(&org.key).json(&body).send_to(release.clone()).await.data();
    let displays = answer["displays"].as_array().expect("a list");
    assert_eq!(displays.iter().map(id).collect::<Vec<_>>(), [6, 9, 4]);
    assert_eq!(displays[2]["plant_spot_id"], "A-1");
    assert_eq!(displays[2]["size"], json!({ "width": 576, "height": 168 }));
    assert_eq!(answer["unknown_ids"], json!([UNKNOWN]));
    assert_eq!(answer["unknown_plant_spot_ids"], json!(["B"]));

    let everything: Vec<u32> = (1..=1_999).collect();
    let body = json!({ "spot_ids": everything, "media_owner": "out front", "plant_spot_ids": ["A-1"] });
    let answer = world.post(LOOKUP).key(&org.key).json(&body).send_to(release.clone()).await;
    assert_eq!(answer.data()["displays"].as_array().map(Vec::len), Some(4), "unknown ids don't count");

    let incomplete = "must have spot_ids, or media_owner with plant_spot_ids, or all three";
    let halves = [
        json!({}),
        json!({ "media_owner": "Other" }),
        json!({ "plant_spot_ids": ["A-1"] }),
        json!({ "spot_ids": [6], "plant_spot_ids": ["A-1"] }),
    ];
    for half in halves {
        let refused = world.post(LOOKUP).key(&org.key).json(&half).send_to(release.clone()).await;
        refused.assert_invalid(&[("", incomplete)], &half.to_string());
    }
}

#[tokio::test]
async fn media_owners_id_of_too_many_displays_returns_400() {
    let (world, org) = World::with_org().await;
    let spots = json!([{ "plant_spot_id": "0" }]);
    let more = json!({
        "layouts": [{ "faces": [{ "id": 1, "spots": spots }] }],
        "representations": [[{ "account": { "name": "Owner" } }]],
    });
    let records: Vec<Value> = (1..=2_001).map(|id| record(id, more.clone())).collect();
    let release = router_of(&world, &release_with(&records, "lookup-of-one-plant-spot-id"));
    let body = json!({ "media_owner": "Owner", "plant_spot_ids": vec!["0"; 2_000] });
    let refused = world.post(LOOKUP).key(&org.key).json(&body).send_to(release).await;
    let rule = "must match at most 2000 displays, including those in spot_ids; send fewer ids";
    refused.assert_invalid(&[("/plant_spot_ids", rule)], "2,001 displays with one ID");
}

#[tokio::test]
async fn lookups_and_searches_share_twenty_calls_per_minute() {
    let (world, org) = World::with_org().await;
    let inventory = |left: u32| format!("\"minute\";r={};t=30, \"inventory\";r={left};t=30", 980 + left);
    for left in (10..20).rev() {
        let answer = ask(&world, &org, &samples::display_lookup()).await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit")), (200, inventory(left).as_str()));
    }
    for left in (0..10).rev() {
        assert_eq!(call(&world, &org, &json!({})).send().await.status, 200);
        assert_eq!(world.account(&org).await.callers.values().sum::<u32>(), 20 - left);
    }
    let refused = ask(&world, &org, &samples::display_lookup()).await;
    assert_eq!((refused.status.as_u16(), refused.number("x-ratelimit-remaining")), (429, 0));
    assert_eq!(refused.number("x-ratelimit-limit"), 20);
    assert_eq!(refused.header("ratelimit-policy"), "\"minute\";q=1000;w=60, \"inventory\";q=20;w=60");
    assert_eq!(world.account(&org).await.totals.used, 10, "lookups are free");
}
