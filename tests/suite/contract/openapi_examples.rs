//! Every example in openapi.yaml is valid against its schema. Response examples also match the service's
//! responses, for calls that the tests can make.

use std::collections::BTreeSet;

use harness::{Answer, Contract, World, samples};
use http::{Method, StatusCode};
use jsonschema::Registry;
use serde_json::{Value, json};
use store::Family;

const DOCUMENT: &str = "urn:openapi";

/// An example, and the JSON pointers to its schema and to itself.
struct Example {
    value: Value,
    schema: String,
    place: String,
}

fn document() -> &'static Value {
    Contract::get().document()
}

fn resolved(value: &Value) -> &Value {
    match value["$ref"].as_str() {
        Some(reference) => document().pointer(reference.trim_start_matches('#')).expect("a reference"),
        None => value,
    }
}

/// Collects the examples in a value. `place` is the value's JSON pointer. Examples are next to `schema` in
/// media types, parameters, and headers, and inside the schema elsewhere.
fn collect(value: &Value, place: &str, found: &mut Vec<Example>) {
    match value {
        Value::Object(members) => {
            let schema =
                if members.contains_key("schema") { format!("{place}/schema") } else { place.to_owned() };
            let of_schema = |value: &Value, name: String| Example {
                value: resolved(value).get("value").unwrap_or(value).clone(),
                schema: schema.clone(),
                place: name,
            };
            if let Some(one) = members.get("example") {
                found.push(of_schema(one, format!("{place}/example")));
            }
            match members.get("examples") {
                Some(Value::Array(values)) => {
                    found.extend(values.iter().map(|value| of_schema(value, format!("{place}/examples"))));
                }
                Some(Value::Object(values)) if members.contains_key("schema") => {
                    found.extend(
                        values
                            .iter()
                            .map(|(name, value)| of_schema(value, format!("{place}/examples/{name}"))),
                    );
                }
                _ => {}
            }
            for (name, member) in
                members.iter().filter(|(name, _)| !["example", "examples"].contains(&name.as_str()))
            {
                collect(member, &format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{place}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_example_is_valid_against_its_schema() {
    let mut examples = Vec::new();
    collect(document(), "", &mut examples);
    let closed = Contract::get().closed();
    let registry = Registry::new().add(DOCUMENT, closed).and_then(|registry| registry.prepare());
    let registry = registry.expect("openapi.yaml is a valid resource");
    for Example { value, schema, place } in &examples {
        let fragment = schema.replace('{', "%7B").replace('}', "%7D");
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        let reference = json!({ "$ref": format!("{DOCUMENT}#{fragment}") });
        let validator = options.with_registry(&registry).build(&reference).expect("valid schema");
        let errors: Vec<_> =
            validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{place}: {errors:#?}");
    }
    let places: BTreeSet<_> = examples.iter().map(|example| example.place.as_str()).collect();
    assert!(places.len() > 25, "{places:#?}");
    let named = document()["components"]["examples"].as_object().expect("an object").keys();
    let text = include_str!("../../../openapi.yaml");
    for name in named {
        assert!(text.contains(&format!("#/components/examples/{name}'")), "{name} is not used");
    }
}

#[tokio::test]
async fn error_examples_of_assets_match_the_service() {
    let (world, org) = World::with_org().await;
    let library = samples::library(Family::Campaign);

    let mut invalid = samples::campaign();
    invalid["flight"] = json!({ "start_date": "2026-09-30", "end_date": "2026-09-01" });
    invalid["cohort"]["geography_ids"] = json!(["US2020XDMA999"]);
    let answer = world.post(library).key(&org.key).json(&invalid).send().await;
    assert_example("ValidationError", &answer);

    let path = world.draft(&org, Family::Campaign).await;
    let edit = || world.patch(&path).key(&org.key).json(&json!({}));
    assert_example("PreconditionFailed", &edit().header("if-match", "\"7\"").send().await);
    world.bring_to(&org, &path, "in_flight").await;
    assert_example("AssetNotEditable", &edit().send().await);
    assert_example("AssetNotDeletable", &world.delete(&path).key(&org.key).send().await);
    assert_example("StateConflict", &edit().header("if-match", "\"1\"").send().await);

    let create = || world.post(library).key(&org.key).header("idempotency-key", "one");
    assert_eq!(create().json(&samples::campaign()).send().await.status, StatusCode::OK);
    assert_example("IdempotencyKeyReused", &create().json(&invalid).send().await);
}

#[tokio::test]
async fn shared_error_examples_match_the_service() {
    let (world, org) = World::with_org().await;
    let library = samples::library(Family::Campaign);
    let unknown_key = format!("mq_live_{}", "0".repeat(64));
    let unknown_asset = format!("{library}/019fff9c-6514-7c11-9d3e-5f2a8b6c4d10");
    let unknown_grant = "/v2/displays/tiles/grants/tg_mB0tq3vXk7Zr1YcD5fHjLpNs8uWxAe2g";
    let unknown_cohort = json!({ "service_segment_id": "unknown", "geography_type": ["DMA"] });
    let by_visits = json!({ "sort": { "active": "weekly_visits" } });
    let large_body = " ".repeat(70_000);
    let key = org.key.as_str();
    let calls = [
        ("Unauthorized", world.get(library).key(&unknown_key)),
        ("VisitsUnauthorized", world.post("/v2/msearch").json(&by_visits)),
        ("AmbiguousAuth", world.get(library).key(key).bearer("token")),
        ("NotAcceptable", world.get(library).key(key).header("accept", "image/png")),
        ("AssetNotFound", world.get(&unknown_asset).key(key)),
        ("PlaceNotFound", world.get("/v2/place/profiles/1").key(key)),
        ("SegmentNotFound", world.post("/v2/measures/population/at_home").key(key).json(&unknown_cohort)),
        ("TileGrantNotFound", world.get(unknown_grant).key(key)),
        ("PayloadTooLarge", world.post("/v2/cohorts/search").key(key).bytes("application/json", large_body)),
        ("UnsupportedMediaType", world.post(library).key(key).bytes("text/plain", "{}")),
        ("TilesUnauthorized", world.get("/v2/displays/tiles/faces/0/0/0.mvt?token=abc")),
        ("TilesNotFound", world.get("/v2/displays/tiles/faces/1/5/0.mvt?token=abc")),
        ("BaseMapNotFound", world.get("/v2/basemap/tiles/9/0/0")),
        ("UnknownPath", world.get("/v2/nothing")),
        ("MethodNotAllowed", world.call(Method::PUT, library).key(key)),
    ];
    for (name, call) in calls {
        assert_example(name, &call.send().await);
    }
}

#[tokio::test]
async fn reply_examples_have_the_services_provenance() {
    let (world, org) = World::with_org().await;
    let answer = world.get("/v2/billing/credits").key(&org.key).send().await;
    let ours = answer.json()["meta"]["provenance"].take();
    for name in ["CampaignAssetReply", "EventAssetReply", "CreditsReply", "BillsReply"] {
        let mut example = document()["components"]["examples"][name]["value"]["meta"]["provenance"].clone();
        example["source_doc"] = ours["source_doc"].clone();
        assert_eq!(example, ours, "{name}");
    }
    let answer = world.post(samples::library(Family::Campaign)).key(&org.key);
    let request = &document()["components"]["examples"]["CampaignAssetCreateRequest"]["value"];
    assert_eq!(answer.json(request).send().await.status, StatusCode::OK);
    let answer = world.post(samples::library(Family::Event)).key(&org.key);
    let request = &document()["components"]["examples"]["EventAssetCreateRequest"]["value"];
    assert_eq!(answer.json(request).send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn analytics_examples_match_the_sample_release() {
    let (world, org) = World::with_org().await;
    let examples = &document()["components"]["examples"];
    let searches = [
        ("/v2/msearch", "PlaceSearchRequest", "PlaceSearchReply"),
        ("/v2/places/match", "PlaceMatchRequest", "PlaceMatchReply"),
        ("/msearch/inventory", "InventorySearchRequest", "InventorySearchReply"),
        ("/v2/displays/lookup", "DisplayLookupRequest", "DisplayLookupReply"),
        ("/v2/measures/place/report", "PlaceReportRequest", "PlaceReportReply"),
        ("/v2/cohorts/search", "CohortSearchRequest", "CohortSearchReply"),
        ("/v2/measures/population/at_home", "PopulationAtHomeRequest", "PopulationAtHomeReply"),
    ];
    for (path, request, reply) in searches {
        let call = world.post(path).json(&examples[request]["value"]);
        let on_search_gateway = path.starts_with("/msearch");
        let call = if on_search_gateway { call.header("apikey", &org.key) } else { call.key(&org.key) };
        assert_reply(reply, &call.send().await);
    }
    let reads = [
        ("/v2/place/types", "PlaceTypeListReply"),
        ("/v2/place/brands", "PlaceBrandListReply"),
        ("/v2/place/profiles/614502044024", "PlaceProfileReply"),
        ("/v2/markets?limit=2", "MarketListReply"),
    ];
    for (path, reply) in reads {
        assert_reply(reply, &world.get(path).key(&org.key).send().await);
    }
    let features = [
        ("/v2/msearch", "x-api-key", "PlaceSearchRequest", "PlaceFeatures"),
        ("/msearch/inventory", "apikey", "InventorySearchRequest", "InventoryFeatures"),
    ];
    for (path, header, request, reply) in features {
        let call = world.post(path).header(header, &org.key).header("accept", "application/geo+json");
        assert_reply(reply, &call.json(&examples[request]["value"]).send().await);
    }
}

/// Compares a response with its example, except for request IDs, balances, cursors, and the documentation's
/// URL. The examples of place reports and brands contain only the first items of each list.
#[track_caller]
fn assert_reply(name: &str, answer: &Answer) {
    assert_eq!(answer.status, StatusCode::OK, "{name}: {}", answer.text());
    let mut example = document()["components"]["examples"][name]["value"].clone();
    let mut ours = answer.json();
    for own in [&mut example, &mut ours] {
        let meta = own["meta"].as_object_mut().expect("an object");
        meta.retain(|member, _| !["request_id", "credits_remaining"].contains(&member.as_str()));
        meta["provenance"].as_object_mut().expect("an object").remove("source_doc");
        own.get_mut("pagination").and_then(Value::as_object_mut).map(|page| page.remove("cursor"));
    }
    if ["PlaceReportReply", "PlaceBrandListReply"].contains(&name) {
        shorten(&mut ours, &example);
    }
    assert_eq!(example, ours, "{name}");
}

/// Truncates each list to its length in the example.
fn shorten(value: &mut Value, example: &Value) {
    match (value, example) {
        (Value::Object(members), Value::Object(shown)) => {
            for (name, member) in members {
                shorten(member, &shown[name]);
            }
        }
        (Value::Array(items), Value::Array(shown)) => {
            items.truncate(shown.len());
            items.iter_mut().zip(shown).for_each(|(item, shown)| shorten(item, shown));
        }
        _ => {}
    }
}

/// Compares an error with its example, except for the request ID and the documentation's URL.
#[track_caller]
fn assert_example(name: &str, answer: &Answer) {
    let mut example = document()["components"]["examples"][name]["value"]["error"].clone();
    let mut error = answer.json()["error"].take();
    let (_, anchor) = example["docs_url"].as_str().and_then(|url| url.split_once('#')).expect("an anchor");
    let (_, ours) = error["docs_url"].as_str().and_then(|url| url.split_once('#')).expect("an anchor");
    assert_eq!(anchor, ours, "{name}");
    for own in [&mut example, &mut error] {
        let members = own.as_object_mut().expect("an object");
        members.remove("request_id");
        members.remove("docs_url");
    }
    assert_eq!(example, error, "{name}");
}
