//! CSV of each table, parsed with Python's `csv` module and compared with the JSON from the same call.

use gateway::Table;
use harness::{Answer, TestOrg, World};
use serde_json::{Value, json};
use store::Family;

use super::formulas::{TEXTS, store_texts};
use super::{A_MINUTE, CSV, JSON, TableCall, answer_of, assert_field, at, calls, read_csv, rows_of};

/// Asserts that a call returns the same rows as CSV and as JSON, and returns the number of rows.
async fn assert_same(world: &World, org: &TestOrg, call: &TableCall, columns: &[&str]) -> usize {
    world.clock.advance(A_MINUTE);
    let name = format!("{}{}", call.operation.name(), call.query);
    let (json, csv) = (call.answer(world, org, JSON).await, call.answer(world, org, CSV).await);
    assert_eq!((json.status.as_u16(), csv.status.as_u16()), (200, 200), "{name}: {}", csv.text());
    assert_eq!(csv.credits_used(), json.credits_used(), "{name}");
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8; header=present", "{name}");
    let (answer, table, text) = (json.json(), call.table(world), csv.text());
    assert!(text.ends_with("\r\n"), "{name}");
    let has_line_breaks = answer.to_string().contains("\\n");
    assert!(has_line_breaks || !text.replace("\r\n", "").contains('\n'), "{name}: lines end in CRLF");
    let lines = read_csv(&csv.body);
    let constants = provenance_columns(&csv, columns);
    let names: Vec<&str> = columns.iter().copied().chain(constants.iter().map(|one| one.0)).collect();
    assert_eq!(lines[0], names, "{name}");
    let rows = rows_of(&answer, table);
    assert_eq!(lines.len(), 1 + rows.len(), "{name}");
    for (line, row) in lines[1..].iter().zip(rows) {
        assert_eq!(line.len(), names.len(), "{name}: {line:?}");
        for (field, column) in line.iter().zip(columns) {
            assert_field(field, at(row, column), &format!("{name}: {column} of {row}"));
        }
        for (field, (column, value)) in line[columns.len()..].iter().zip(&constants) {
            assert_field(field, value, &format!("{name}: {column}"));
        }
    }
    let total = table.total.map_or(rows.len().into(), |path| at(&answer, path).clone());
    assert_eq!(csv.header("x-total-count"), total.to_string(), "{name}");
    rows.len()
}

/// Returns the provenance columns that label each row, unless the table has its own column of the same name.
/// Their values come from the file's header.
fn provenance_columns(csv: &Answer, columns: &[&str]) -> Vec<(&'static str, Value)> {
    let said: Value = serde_json::from_str(csv.header("x-provenance")).expect("JSON");
    if said["source"] == "the organization's own records" {
        return Vec::new();
    }
    let source = said["source"].as_str().expect("a text");
    let parts = (0..=source.matches("; ").count()).rev().map(|end| {
        let parts: Vec<&str> = source.split("; ").take(end + 1).collect();
        parts.join("; ")
    });
    let cut = || source[..source.floor_char_boundary(160.min(source.len()))].to_owned();
    let whole = parts.into_iter().find(|part| part.len() <= 158).unwrap_or_else(cut);
    let source = if source.len() <= 160 { source.to_owned() } else { format!("{whole}; …") };
    let all = [
        ("maturity", said["data_maturity"].clone()),
        ("data_vintage", said["data_vintage"].clone()),
        ("source", json!(source)),
    ];
    all.into_iter().filter(|(name, _)| !columns.contains(name)).collect()
}

#[tokio::test]
async fn csv_matches_json_for_each_table() {
    let (world, org) = World::with_org().await;
    for call in calls(&world, &org).await {
        let rows = assert_same(&world, &org, &call, &(call.table(&world).columns)()).await;
        assert!(rows > 0, "{}", call.operation.name());
    }
}

#[tokio::test]
async fn table_without_rows_has_a_header_line() {
    let (world, org) = World::with_org().await;
    for call in [
        TableCall::get("GET /v2/scenarios/campaigns", ""),
        TableCall::get("GET /v2/scenarios/events", "?state=failed"),
        TableCall::get("GET /v2/markets", "?q=nowhere"),
        TableCall::post("POST /v2/msearch", json!({ "filter": { "city": "nowhere" } })),
        TableCall::post("POST /msearch/inventory", json!({ "filter": { "zip_code": "00000" } })),
    ] {
        assert_eq!(assert_same(&world, &org, &call, &(call.table(&world).columns)()).await, 0);
    }
}

#[tokio::test]
async fn requested_members_are_the_columns_in_schema_order() {
    let (world, org) = World::with_org().await;
    world.draft(&org, Family::Campaign).await;
    let near = json!({ "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "1km" } });
    let places =
        |paths: Value| TableCall::post("POST /v2/msearch", json!({ "filter": near, "fieldSet": paths }));
    let spots = |paths: Value| {
        TableCall::post("POST /msearch/inventory", json!({ "filter": near, "fieldSet": paths }))
    };
    let cases: [(TableCall, &[&str]); 7] = [
        (
            TableCall::get("GET /v2/scenarios/campaigns", "?fields=campaign,state,spots"),
            &["state", "campaign.name", "campaign.reference", "spots"],
        ),
        (TableCall::get("GET /v2/scenarios/events", "?fields=asset_id"), &["asset_id"]),
        (places(json!(["distance", "place_id"])), &["place_id", "distance"]),
        (places(json!(["location.lon", "maturity"])), &["location.lon", "maturity"]),
        (spots(json!(["maturity", "id"])), &["spot_id", "maturity"]),
        (spots(json!(["location.geometry"])), &["location.geometry.type", "location.geometry.coordinates"]),
        (spots(json!(["distance", "layouts.faces.width"])), &["distance", "layouts"]),
    ];
    for (call, columns) in cases {
        assert_same(&world, &org, &call, columns).await;
    }
}

#[tokio::test]
async fn asset_texts_with_special_characters_survive_csv() {
    let (world, org) = World::with_org().await;
    store_texts(&world, &org).await;
    let call = TableCall::get("GET /v2/scenarios/campaigns", "?limit=100");
    assert_eq!(assert_same(&world, &org, &call, &(call.table(&world).columns)()).await, TEXTS.len());
}

#[tokio::test]
async fn random_values_survive_csv() {
    static TABLE: Table = Table {
        name: "rows",
        rows: "rows",
        total: None,
        columns: || vec!["a", "b.c", "b.d.e", "b.f", "g"],
        feature: None,
    };
    let world = World::new().await;
    let mut random = fastrand::Rng::with_seed(11);
    let rows: Vec<Value> = (0..2_000).map(|_| row(&mut random)).collect();
    let answer = json!({ "rows": rows });
    let csv = answer_of(&world, &TABLE, answer, CSV).await;
    let lines = read_csv(&csv.body);
    assert_eq!(lines.len(), 1 + rows.len());
    assert_eq!((csv.header("x-total-count"), csv.header("link")), ("2000", ""), "there is only one page");
    for (line, row) in lines[1..].iter().zip(&rows) {
        for (field, column) in line.iter().zip((TABLE.columns)()) {
            assert_field(field, at(row, column), &format!("{column} of {row}"));
        }
    }
}

#[tokio::test]
async fn data_that_does_not_match_its_table_returns_500() {
    static TABLE: Table =
        Table { name: "rows", rows: "data.rows", total: Some("total"), columns: || vec!["a"], feature: None };
    let world = World::new().await;
    let valid = json!({ "data": { "rows": [{ "a": 1 }] }, "total": 1 });
    assert_eq!(answer_of(&world, &TABLE, valid, CSV).await.text(), "a\r\n1\r\n");
    for broken in [
        json!({ "total": 0 }),
        json!({ "data": { "rows": 1 }, "total": 0 }),
        json!({ "data": { "rows": [] } }),
    ] {
        assert_eq!(answer_of(&world, &TABLE, broken.clone(), JSON).await.status, 200);
        let answer = answer_of(&world, &TABLE, broken.clone(), CSV).await;
        assert_eq!(answer.error(), (500, "INTERNAL_ERROR".to_owned()), "{broken}");
    }
}

/// Returns a random row, in which any member may be missing.
fn row(random: &mut fastrand::Rng) -> Value {
    let mut row = json!({});
    for pointer in ["a", "b.c", "b.d.e", "b.f", "g"] {
        if random.u8(..8) > 0 {
            let value = value(random);
            let place = pointer.split('.').fold(&mut row, |place, name| &mut place[name]);
            *place = value;
        }
    }
    row
}

fn value(random: &mut fastrand::Rng) -> Value {
    match random.u8(..9) {
        0 => Value::Null,
        1 => json!(random.bool()),
        2 => json!(random.i64(..)),
        3 => json!(random.f64() - 0.5),
        4 => json!([text(random), [random.i64(..)], { "x": text(random) }]),
        _ => json!(text(random)),
    }
}

fn text(random: &mut fastrand::Rng) -> String {
    const CHARACTERS: [char; 22] = [
        '=', '+', '-', '@', '\t', '\r', '\n', '"', '\'', ',', ';', ' ', '\\', '\u{0}', 'é', '中', '😀',
        '\u{2028}', '0', '9', 'x', '\u{feff}',
    ];
    (0..random.usize(..6)).map(|_| CHARACTERS[random.usize(..CHARACTERS.len())]).collect()
}
