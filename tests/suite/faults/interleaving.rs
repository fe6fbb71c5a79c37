//! Concurrent changes to the same asset, in a fixed order.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use harness::{Answer, Call, Sent, TestOrg, World, paid, samples, version};
use http::Method;
use measurement::Outcome;
use serde_json::{Value, json};
use store::Family;

const FAMILIES: [Family; 2] = [Family::Campaign, Family::Event];

#[derive(Clone, Copy, Debug, PartialEq)]
enum IfMatch {
    Absent,
    Any,
    Current,
}

/// The columns are the asset's state, the change's `If-Match` header, the events applied between the change's
/// read and its write, and the expected error of PATCH and DELETE, or `None` if both succeed.
type Race = (&'static str, IfMatch, &'static [&'static str], Option<(u16, &'static str)>);

const RACES: [Race; 15] = [
    ("queued", IfMatch::Absent, &["started"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Any, &["started"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Current, &["started"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Absent, &["completed"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Any, &["completed"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Current, &["completed"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Absent, &["started", "measured"], Some((409, "STATE_CONFLICT"))),
    ("queued", IfMatch::Absent, &["failed"], None),
    ("queued", IfMatch::Current, &["failed"], Some((412, "PRECONDITION_FAILED"))),
    ("queued", IfMatch::Absent, &["started", "failed"], None),
    ("draft", IfMatch::Absent, &["purchased"], None),
    ("draft", IfMatch::Any, &["purchased"], None),
    ("draft", IfMatch::Current, &["purchased"], Some((412, "PRECONDITION_FAILED"))),
    ("draft", IfMatch::Absent, &["purchased", "started"], Some((409, "STATE_CONFLICT"))),
    ("failed", IfMatch::Absent, &["purchased", "completed"], Some((409, "STATE_CONFLICT"))),
];

#[tokio::test]
async fn edit_after_a_state_change_conflicts_without_changing_the_asset() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for race in RACES {
            let (path, before, answer) = run(&world, &org, family, Method::PATCH, race).await;
            let after = read(&world, &org, &path).await.data();
            match race.3 {
                Some(_) => {
                    assert_eq!(customer_and_names(&after), customer_and_names(&before), "{family} {race:?}")
                }
                None => {
                    assert_eq!(answer.data(), after, "{family} {race:?}");
                    assert_eq!(after["customer"], edited_customer(family), "{family} {race:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn delete_after_a_state_change_conflicts_and_keeps_the_asset() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for race in RACES {
            let (path, before, _) = run(&world, &org, family, Method::DELETE, race).await;
            let after = read(&world, &org, &path).await;
            match race.3 {
                Some(_) => {
                    assert_eq!(customer_and_names(&after.data()), customer_and_names(&before), "{race:?}")
                }
                None => assert_eq!(after.error(), (404, "NOT_FOUND".to_owned()), "{family} {race:?}"),
            }
        }
        let summary =
            world.get(&format!("{}/summary", samples::library(family))).key(&org.key).send().await.data();
        let kept = RACES.iter().filter(|(.., refusal)| refusal.is_some()).count();
        assert_eq!(summary["total"], kept, "{family}");
    }
}

#[tokio::test]
async fn concurrent_edit_is_applied_on_top_of_the_first_one() {
    let (world, org) = World::with_org().await;
    for if_match in [IfMatch::Absent, IfMatch::Current] {
        let path = world.draft(&org, Family::Event).await;
        let theirs = json!({ "description": "theirs", "name": "theirs" });
        patch(&world, &org, &path, theirs).send_before(is_asset_write, 200).await;
        let call = world.patch(&path).key(&org.key).json(&json!({ "name": "mine" }));
        let answer = with_if_match(call, if_match, 1).send().await;
        let after = read(&world, &org, &path).await;
        assert_eq!(after.data()["description"], "theirs");
        if if_match == IfMatch::Current {
            assert_eq!(answer.error(), (412, "PRECONDITION_FAILED".to_owned()));
            assert_eq!((after.data()["name"].clone(), after.header("etag")), (json!("theirs"), "\"2\""));
        } else {
            assert_eq!((answer.data()["name"].clone(), answer.header("etag")), (json!("mine"), "\"3\""));
            assert_eq!(answer.data(), after.data());
        }
    }
}

#[tokio::test]
async fn edit_and_delete_after_a_concurrent_delete_return_404() {
    let (world, org) = World::with_org().await;
    for method in [Method::PATCH, Method::DELETE] {
        let path = world.draft(&org, Family::Campaign).await;
        world.delete(&path).key(&org.key).send_before(is_asset_write, 204).await;
        let call = world.call(method.clone(), &path).key(&org.key);
        let call = if method == Method::PATCH { call.json(&json!({ "campaign": null })) } else { call };
        assert_eq!(call.send().await.error(), (404, "NOT_FOUND".to_owned()), "{method}");
        let summary = world.get("/v2/scenarios/campaigns/summary").key(&org.key).send().await.data();
        assert_eq!(summary["total"], 0, "{method}");
    }
}

#[tokio::test]
async fn delete_after_a_concurrent_edit_succeeds_without_if_match_and_fails_with_it() {
    let (world, org) = World::with_org().await;
    for (if_match, status, left) in [(IfMatch::Absent, 204, 404), (IfMatch::Current, 412, 200)] {
        let path = world.draft(&org, Family::Event).await;
        patch(&world, &org, &path, json!({ "name": "theirs" })).send_before(is_asset_write, 200).await;
        let answer = with_if_match(world.delete(&path).key(&org.key), if_match, 1).send().await;
        assert_eq!(answer.status, status);
        let after = read(&world, &org, &path).await;
        assert_eq!(after.status, left);
        if left == 200 {
            assert_eq!(after.data()["name"], "theirs");
        }
    }
}

#[tokio::test]
async fn event_after_a_concurrent_edit_keeps_the_edit() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Event).await;
    world.bring_to(&org, &path, "queued").await;
    patch(&world, &org, &path, json!({ "name": "theirs" })).send_before(is_asset_write, 200).await;
    assert_eq!(world.measure(&org, &path, "started").await, Outcome::Applied);
    let after = read(&world, &org, &path).await;
    assert_eq!((&after.data()["state"], &after.data()["name"]), (&json!("in_flight"), &json!("theirs")));
    assert_eq!(after.header("etag"), "\"4\"", "expected four versions: created, purchased, edited, started");
}

#[tokio::test]
async fn fifty_concurrent_edits_of_different_members_all_succeed() {
    let (world, org) = World::with_org().await;
    let mut edits = Vec::new();
    let mut paths = Vec::new();
    for number in 0..10 {
        let path = world.draft(&org, Family::Campaign).await;
        for member in ["campaign", "flight", "spots", "cohort", "customer"] {
            edits.push(patch(&world, &org, &path, json!({ member: edited_member(member, number) })).send());
        }
        paths.push(path);
    }
    for answer in join_all(edits).await {
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    for (number, path) in paths.iter().enumerate() {
        let after = read(&world, &org, path).await;
        for member in ["campaign", "flight", "spots", "cohort", "customer"] {
            assert_eq!(after.data()[member], edited_member(member, number), "{member} of asset {number}");
        }
        assert_eq!(after.header("etag"), "\"6\"");
    }
}

#[tokio::test]
async fn fifty_concurrent_edits_of_one_asset_are_serialized() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Event).await;
    let names: Vec<_> = (0..50).map(|number| format!("name {number}")).collect();
    let edit = |name| patch(&world, &org, &path, json!({ "name": name })).send();
    let answers = join_all(names.iter().map(edit)).await;
    for (name, answer) in names.iter().zip(&answers) {
        assert_eq!(answer.data()["name"], **name);
    }
    let versions: BTreeSet<_> = answers.iter().map(version).collect();
    assert_eq!(versions, (2..=51).collect());
    let after = read(&world, &org, &path).await;
    assert_eq!(version(&after), 51);
    let last = answers.iter().find(|answer| version(answer) == 51).expect("one of the edits made version 51");
    assert_eq!(after.data(), last.data());
}

/// Changes an asset and applies measurement events between the change's read and its write. Returns the
/// asset's path, its data before the change, and the response.
async fn run(
    world: &World,
    org: &TestOrg,
    family: Family,
    method: Method,
    (state, if_match, events, refusal): Race,
) -> (String, Value, Answer) {
    let path = world.draft(org, family).await;
    world.bring_to(org, &path, state).await;
    let before = read(world, org, &path).await;
    let app = world.app.clone();
    let sent: Vec<_> = events.iter().map(|event| world.event(org, &path, event, 25)).collect();
    world.wire.before_first(is_asset_write, async move {
        for event in sent {
            assert!(harness::apply(&app, &event).await.expect("a response").is_applied());
        }
    });
    let call = world.call(method.clone(), &path).key(&org.key);
    let is_edit = method == Method::PATCH;
    let call = if is_edit { call.json(&json!({ "customer": edited_customer(family) })) } else { call };
    let answer = with_if_match(call, if_match, version(&before)).send().await;
    let case = format!("{method} {family} {state} {if_match:?} {events:?}");
    match refusal {
        None => assert_eq!(answer.status, if is_edit { 200 } else { 204 }, "{case}: {}", answer.text()),
        Some((status, code)) => {
            assert_eq!(answer.error(), (status, code.to_owned()), "{case}");
        }
    }
    assert_eq!(answer.credits_used(), paid(), "{case}");
    (path, before.data(), answer)
}

fn with_if_match(call: Call<'_>, if_match: IfMatch, version: u64) -> Call<'_> {
    match if_match {
        IfMatch::Absent => call,
        IfMatch::Any => call.header("if-match", "*"),
        IfMatch::Current => call.header("if-match", &format!("\"{version}\"")),
    }
}

fn is_asset_write(sent: &Sent) -> bool {
    sent.operation == "TransactWriteItems" && sent.touches("assets")
}

async fn read(world: &World, org: &TestOrg, path: &str) -> Answer {
    world.get(path).key(&org.key).send().await
}

fn patch<'a>(world: &'a World, org: &TestOrg, path: &str, body: Value) -> Call<'a> {
    world.patch(path).key(&org.key).json(&body)
}

fn customer_and_names(asset: &Value) -> [&Value; 3] {
    [&asset["customer"], &asset["name"], &asset["campaign"]]
}

fn edited_customer(family: Family) -> Value {
    let mut customer = samples::body(family)["customer"].take();
    customer["customer_scenario_info"] = json!("edited");
    customer
}

fn edited_member(member: &str, number: usize) -> Value {
    let mut value = samples::campaign()[member].take();
    match member {
        "campaign" => value["reference"] = json!(format!("PO-{}", 100 + number)),
        "flight" => value["end_date"] = json!(format!("2026-07-{:02}", number + 1)),
        "spots" => value[0]["spot_id"] = json!(number),
        "cohort" => value["measures_release"] = json!(number),
        _ => value["customer_id"] = json!(number),
    }
    value
}
