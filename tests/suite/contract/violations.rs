//! What is said of every member of every body when it is absent, null, of another type or empty, held to a
//! record.
//!
//! To change the record on purpose, run the test with `RECORD=1` in the environment and read the difference.

use std::fmt::Write;
use std::path::PathBuf;

use harness::{Answer, World, root};
use serde_json::{Value, json};
use shared::types::Family;

use super::bodies::{self, Body};

/// How far apart the calls are, in milliseconds: inventory search takes 20 a minute of one key.
const PACE_MILLIS: i64 = 3_000;

/// What a member is changed to; `None` takes it away.
fn changes() -> [(&'static str, Option<Value>); 13] {
    [
        ("absent", None),
        ("null", Some(Value::Null)),
        ("true", Some(json!(true))),
        ("7", Some(json!(7))),
        ("-1", Some(json!(-1))),
        ("0.5", Some(json!(0.5))),
        ("2^63", Some(json!(1_u64 << 63))),
        ("\"x\"", Some(json!("x"))),
        ("\"\"", Some(json!(""))),
        ("[]", Some(json!([]))),
        ("[null]", Some(json!([null]))),
        ("{}", Some(json!({}))),
        ("{\"a/b\":1}", Some(json!({ "a/b": 1 }))),
    ]
}

#[tokio::test]
async fn each_wrong_member_of_each_body_is_answered_as_recorded() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut record = String::new();
    for body in bodies::all(&world, &org).await {
        for pointer in pointers(&body.valid) {
            for (name, value) in changes() {
                let Some(changed) = changed(&body.valid, &pointer, value) else { continue };
                let answer = send(&world, &body, changed.to_string()).await;
                writeln!(record, "{} {pointer} {name}: {}", body.name(), said(&answer)).expect("text");
            }
        }
    }
    assert_recorded("members.txt", &record);
}

#[tokio::test]
async fn each_body_with_several_violations_is_answered_as_recorded() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut record = String::new();
    for body in bodies::all(&world, &org).await {
        for text in several(&body.name()) {
            let answer = send(&world, &body, (*text).to_owned()).await;
            writeln!(record, "{} {text}: {}", body.name(), said(&answer)).expect("text");
        }
    }
    assert_recorded("several.txt", &record);
}

#[tokio::test]
async fn each_wrong_query_is_answered_as_recorded() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let (campaigns, grants) = ("/v2/scenarios/campaigns", "/v2/places/tiles/grants");
    for _ in 0..2 {
        world.clock.advance(PACE_MILLIS);
        world.draft(&org, Family::Campaign).await;
        let body = json!({ "allowed_origins": ["https://maps.example.com"] });
        world.post(grants).key(&org.key).json(&body).send().await.data();
    }
    let mut record = String::new();
    for (path, filter) in
        [(campaigns, "state=draft"), ("/v2/markets", "geography_type=STATE"), (grants, "limit=1")]
    {
        let first = world.get(&format!("{path}?limit=1&{filter}").replace("limit=1&limit=1", "limit=1"));
        let first = first.key(&org.key).send().await.json();
        let cursor = first["pagination"]["cursor"].as_str().expect("a second page");
        for query in queries() {
            world.clock.advance(PACE_MILLIS);
            let answer =
                world.get(&format!("{path}?{}", query.replace("CURSOR", cursor))).key(&org.key).send().await;
            writeln!(record, "{path} ?{query}: {}", said(&answer)).expect("text");
        }
    }
    assert_recorded("queries.txt", &record);
}

fn queries() -> [&'static str; 29] {
    [
        "",
        "limit",
        "limit=",
        "limit=0",
        "limit=1",
        "limit=100",
        "limit=101",
        "limit=-1",
        "limit=%2B1",
        "limit=1.0",
        "limit=99999999999999999999999",
        "limit=1&limit=2",
        "limit=0&limit=1",
        "state=draft",
        "state=Draft",
        "state=",
        "state=draft&state=queued",
        "geography_type=state",
        "geography_type=",
        "geography_type=x&limit=0",
        "q=%20",
        "cursor=",
        "cursor=x",
        "cursor=CURSOR",
        "cursor=CURSOR&limit=0",
        "cursor=CURSOR&state=draft",
        "cursor=CURSOR&state=x&limit=0&a/b=1&a/b=2",
        "cursor=CURSOR&geography_type=STATE",
        "cursor=CURSOR&geography_type=x&limit=0&limit=0",
    ]
}

/// Returns bodies with more than one thing wrong, or with things that contradict each other.
fn several(name: &str) -> &'static [&'static str] {
    match name {
        "create campaign" | "edit campaign" => &[
            r#"{}"#,
            r#"{"flight":{"start_date":"2026-01-02","end_date":"2026-01-01","x":1},"spots":[{},{}],"x":null}"#,
            r#"{"flight":{"start_date":"2026-01-02","end_date":"2026-01-01"},"cohort":{"geography_ids":["x",1,"US2020XDMA999","US2020XDMA501"]},"customer":{}}"#,
            r#"{"cohort":{"geography_ids":["x"],"geography_id":1},"campaign":null,"customer":null,"flight":null}"#,
            r#"{"cohort":{"geography_ids":[["US2020XDMA999"]]},"campaign":{"name":1,"reference":2},"spots":null}"#,
            r#"{"cohort":["geography_ids"],"customer":[]}"#,
            r#"{"campaign":{},"campaign":{}}"#,
        ],
        "create event" | "edit event" => &[
            r#"{}"#,
            r#"{"periods":[{"start_time":"2026-07-03T18:00:00Z","end_time":"2026-07-03T18:00:00Z"},{"period_name":"p","start_time":"2026-07-03T18:00:00Z","end_time":"2026-07-03T17:00:00Z","x":1}]}"#,
            r#"{"name":null,"description":null,"periods":null,"place_ids":null,"cohort":null,"customer":null,"timezone":null}"#,
            r#"{"cohort":{"geography_ids":["US2020XDMA999","us2020xdma501"],"service_segment_id":""},"timezone":"x","place_ids":["",""]}"#,
        ],
        "search inventory" => &[
            r#"{}"#,
            r#"{"filter":null,"filters":null}"#,
            r#"{"filter":{"id_min":2,"id_max":1,"state":1},"filters":{"state":""},"x":1}"#,
            r#"{"filter":{"id_min":2,"id_max":1,"state":1,"x":1}}"#,
            r#"{"filter":{"id_min":"2","id_max":1}}"#,
            r#"{"filters":{"id_min":2,"id_max":1},"sort":{"field":"x","order":"y"}}"#,
            r#"{"filters":{"id_min":-5,"id_max":99999999999},"fieldSet":[],"pagination":{"page_size":1}}"#,
            r#"{"filters":{"id_min":9999999999},"fieldSet":["id"]}"#,
            r#"{"filters":{"id_max":-1},"fieldSet":["id"]}"#,
            r#"{"filter":{"geo_bounding_box":{"top_left":{"lat":1,"lon":1},"bottom_right":{"lat":2,"lon":500}}}}"#,
            r#"{"filter":{"geo_bounding_box":{"top_left":{"lat":1,"lon":1},"bottom_right":{"lat":2,"lon":5}},"search":"!"}}"#,
            r#"{"pagination":{"page":201,"page_size":50},"sort":1}"#,
            r#"{"pagination":{"page":201,"x":1}}"#,
            r#"{"pagination":{"page":201}}"#,
            r#"{"fieldSet":["id","x","location",7]}"#,
        ],
        "look up displays" => {
            &[r#"{}"#, r#"{"spot_ids":[0,"7",7,1.5,4294967296],"x":1}"#, r#"{"display_ids":["7"]}"#]
        }
        "search places" => &[
            r#"{}"#,
            r#"{"filter":{"x":1,"place_ids":[0,"x",1000000000000],"place_type_ids":[-1,4294967296,"x"],"city":" "},"pagination":{"page":0,"page_size":0},"sort":{"active":"x","direction":"x"}}"#,
            r#"{"pagination":{"page":201,"page_size":50}}"#,
            r#"{"pagination":{"page":9223372036854775807,"page_size":10000}}"#,
        ],
        "report places" => &[r#"{}"#, r#"{"place_id":[0,"x",7],"x":1}"#, r#"{"place_ids":[7]}"#],
        "search cohorts" => &[
            r#"{}"#,
            r#"{"service_data_product_name":" population anytime ","search_text":" "}"#,
            r#"{"service_data_product_name":"x","search_text":1,"x":1}"#,
        ],
        "read population at home" => &[
            r#"{}"#,
            r#"{"service_segment_id":"","geography_type":["x"],"pagination":{"page":0,"page_size":10001},"x":1}"#,
            r#"{"service_segment_id":"x","geography_type":["STATE","DMA"]}"#,
            r#"{"service_segment_id":"x","geography_type":["STATE"],"pagination":{"page":9223372036854775807,"page_size":10000}}"#,
        ],
        "sign up" => {
            &[r#"{}"#, r#"{"name":" ","x":1}"#, r#"{"name":"a\u202eb"}"#, r#"{"name":"a","name":"b"}"#]
        }
        "mint key" => &[
            r#"{}"#,
            r#"{"label":" ","scopes":["x",7,"tiles"],"expires_in_days":366,"x":1}"#,
            r#"{"label":"x","scopes":["tiles","billing","tiles"]}"#,
            r#"{"label":"x","scopes":["tiles","tiles","tiles","tiles","tiles","tiles","tiles"]}"#,
        ],
        "edit member" => &[r#"{}"#, r#"{"role":"admin","x":1}"#, r#"{"role":"owner","role":"member"}"#],
        "invite member" => &[
            r#"{}"#,
            r#"{"email":"nobody","role":"Owner","x":1}"#,
            r#"{"email":"a b@example.com","role":"owner"}"#,
        ],
        "accept invitation" => &[r#"{}"#, r#"{"token":"x","x":1}"#, r#"{"token":"x"}"#],
        "mint tile grant" => {
            &[r#"{}"#, r#"{"allowed_origins":["x",7],"label":"","expires_in_days":366,"x":1}"#]
        }
        other => panic!("no bodies for {other}"),
    }
}

async fn send(world: &World, body: &Body, text: String) -> Answer {
    world.clock.advance(PACE_MILLIS);
    body.call(world, text).send().await
}

/// Says what an answer says of its request: the status, or every violation in their order.
fn said(answer: &Answer) -> String {
    let body = answer.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let violations: Vec<String> = match body["error"]["root_cause"].as_array() {
        Some(causes) => {
            causes.iter().map(|cause| text(&cause["type"]) + " " + &text(&cause["reason"])).collect()
        }
        None => answer.violations().into_iter().map(|(pointer, detail)| pointer + " " + &detail).collect(),
    };
    match answer.status.as_u16() {
        400 => violations.join(" | "),
        status => status.to_string(),
    }
}

/// Returns the JSON pointers to everything in a body, the body itself first.
pub(super) fn pointers(body: &Value) -> Vec<String> {
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(pointer) = pointers.get(next).cloned() {
        match body.pointer(&pointer).expect("a value") {
            Value::Object(members) => pointers.extend(members.keys().map(|name| format!("{pointer}/{name}"))),
            Value::Array(items) => {
                pointers.extend((0..items.len()).map(|index| format!("{pointer}/{index}")))
            }
            _ => {}
        }
        next += 1;
    }
    pointers
}

/// Returns a body of which one value is another, or taken away; `None` where the whole body would be.
fn changed(body: &Value, pointer: &str, value: Option<Value>) -> Option<Value> {
    let mut body = body.clone();
    if let Some(value) = value {
        *body.pointer_mut(pointer).expect("a value") = value;
        return Some(body);
    }
    let (parent, name) = pointer.rsplit_once('/')?;
    match body.pointer_mut(parent).expect("a parent") {
        Value::Object(members) => drop(members.remove(name)),
        Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
        _ => panic!("nothing below {pointer}"),
    }
    Some(body)
}

/// Holds a text to its record, line by line.
fn assert_recorded(name: &str, text: &str) {
    let path: PathBuf = root().join("tests/suite/contract/violations").join(name);
    if std::env::var_os("RECORD").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("the record is written");
        panic!("{name} is recorded anew: read the difference, then run the test without RECORD");
    }
    let recorded = std::fs::read_to_string(&path).expect("a record");
    let mut recorded = recorded.lines();
    for (line, said) in (1..).zip(text.lines()) {
        assert_eq!(Some(said), recorded.next(), "{name}, line {line}");
    }
    assert_eq!(recorded.next(), None, "{name} has a line too many");
}
