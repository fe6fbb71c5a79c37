//! Texts have a form that openapi.yaml says: it takes and refuses just what the service does.

use std::collections::BTreeSet;

use dataset::inventory::Field;
use harness::{Contract, World};
use http::StatusCode;
use serde_json::{Value, json};

use super::bodies;

/// How far apart the calls are, in milliseconds: inventory search takes 20 a minute of one key.
const PACE_MILLIS: i64 = 3_000;

/// What a member of an operation's body may be, and what it may not.
struct Form {
    operation: &'static str,
    member: &'static str,
    taken: Vec<Value>,
    refused: Vec<Value>,
}

fn form(
    operation: &'static str,
    member: &'static str,
    taken: impl IntoIterator<Item = Value>,
    refused: impl IntoIterator<Item = Value>,
) -> Form {
    let (taken, refused) = (taken.into_iter().collect(), refused.into_iter().collect());
    Form { operation, member, taken, refused }
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<Value> {
    texts.map(Value::from).to_vec()
}

/// Returns texts as the only item of a list.
fn lists<const N: usize>(texts: [&str; N]) -> Vec<Value> {
    texts.map(|text| json!([text])).to_vec()
}

fn forms() -> Vec<Form> {
    let geographies = ["", "0", "501", "us2020xdma501", "US2020XDMA50", "US2020XDMA5010", "XX2020XDMA501"];
    let with_u32 = lists(["0", "00012", "4294967295", "04294967295"]).into_iter();
    let past_u32 = lists(["4294967296", "9999999999", "-1", "1.0", ""]).into_iter();
    vec![
        form("create_campaign", "/cohort/geography_ids", lists(["US2020XDMA501"]), lists(geographies)),
        form("create_event", "/cohort/geography_ids", lists(["XX2020NATNUS"]), lists(geographies)),
        form("read_population_at_home", "/geography_ids", lists(["US2020XXST06"]), lists(geographies)),
        form(
            "read_population_at_home",
            "/geography_type",
            lists(["STATE", "state", "State"]),
            lists(["", "STATES", " STATE"]),
        ),
        form(
            "search_places",
            "/filter/place_type_ids",
            with_u32.chain([json!([4_294_967_295_u64])]),
            past_u32.chain([json!([4_294_967_296_u64])]),
        ),
        form("search_places", "/filter/city", texts(["Seattle", " Seattle "]), texts(["", " ", "\r"])),
        form(
            "invite_member",
            "/email",
            texts(["a@b", "Colleague@Example.com", "x+y@b\u{fc}cher.example"]),
            texts(["a", "a@", "@b", "a@b@c", "a b@c", "a@b\u{0}", "a\u{9e}@b", "a@b\u{7f}"]),
        ),
        form("mint_key", "/label", texts(["x", " nightly import\n"]), texts(["", " ", "\u{b}"])),
        form(
            "sign_up",
            "/name",
            [json!("x"), json!("  Example Coffee \n"), json!("x".repeat(100))],
            [
                json!(""),
                json!(" \n"),
                json!("a\u{1d}b"),
                json!("a\u{202e}b"),
                json!("a\u{2066}"),
                json!("x".repeat(101)),
            ],
        ),
        form(
            "mint_tile_grant",
            "/allowed_origins",
            lists([
                "https://maps.example.com",
                "HTTPS://Maps.Example.COM:0443/",
                "https://my_app.3com",
                "https://203.0.113.9:65535",
                "https://[2001:DB8::1]:8443",
                "http://localhost:5173",
                "http://LOCALHOST",
                "http://127.255.0.1/",
                "http://[::1]",
            ]),
            lists([
                "HTTP://0",
                "http://maps.example.com",
                "http://128.0.0.1",
                "https://1.2.3",
                "https://1.2.3.256",
                "https://1.2.3.04",
                "https://b\u{fc}cher.example",
                "https://maps..example.com",
                "https://maps.example.com:0",
                "https://maps.example.com:65536",
                "https://user@maps.example.com",
                "https://maps.example.com//",
            ]),
        ),
        form(
            "search_inventory",
            "/fieldSet",
            lists([
                "id",
                "spot_id",
                "location",
                "location.geometry.coordinates",
                "layouts.faces.spots.measures",
            ]),
            lists(["", "location.", "ids", "Digital", "layouts.faces.spots.measures.x"]),
        ),
    ]
}

#[tokio::test]
async fn the_contract_takes_the_texts_that_the_service_takes_and_no_others() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let bodies = bodies::all(&world, &org).await;
    for Form { operation, member, taken, refused } in forms() {
        let body = bodies.iter().find(|body| body.operation.id == operation).expect("an operation");
        let success = StatusCode::from_u16(body.operation.success()).expect("a status");
        let values = taken.into_iter().map(|value| (value, success));
        for (value, status) in values.chain(refused.into_iter().map(|value| (value, StatusCode::BAD_REQUEST)))
        {
            let mut sent = body.valid.clone();
            *sent.pointer_mut(member).expect("a member") = value;
            world.clock.advance(PACE_MILLIS);
            let answer = body.call(&world, sent.to_string()).send().await;
            assert_eq!(answer.status, status, "{operation} {sent}: {}", answer.text());
            let documented = Contract::get().accepts_request(operation, &sent);
            assert_eq!(documented, status == success, "{operation} {sent}");
        }
    }
}

/// Returns a path and those of the members that hold it.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.').map(|(end, _)| &path[..end]).chain([path])
}

#[test]
fn the_contract_lists_every_path_of_an_inventory_record() {
    let request = &Contract::get().document()["components"]["schemas"]["InventorySearchRequest"];
    let listed = request["properties"]["fieldSet"]["items"]["enum"].as_array().expect("paths");
    let listed: BTreeSet<&str> = listed.iter().filter_map(Value::as_str).collect();
    let paths = Field::ALL.map(Field::path);
    assert_eq!(listed, paths.iter().flat_map(|path| with_parents(path)).chain(["id", "distance"]).collect());
}
