//! The portal client's tables of operations and prices match openapi.yaml and the price list.

use accounting::Product;
use harness::{OPERATIONS, price};
use strum::IntoEnumIterator;

use super::web;

/// Returns the rows in one of the client's source code tables, as names and values.
fn rows(table: &str) -> Vec<(String, String)> {
    let source = std::fs::read_to_string(web().join("api/operations.js")).expect("the table");
    let (_, after) = source.split_once(&format!("const {table} = ")).expect("the table");
    let (body, _) = after.split_once("};").expect("the end of the table");
    let pairs = body.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn operations_match_the_api() {
    let rows = rows("OPERATIONS");
    assert!(rows.len() > 30, "{rows:?}");
    for (id, row) in rows {
        let operation = OPERATIONS.iter().find(|operation| operation.id == id);
        let operation = operation.unwrap_or_else(|| panic!("openapi.yaml must have the operation {id}"));
        // The search gateway serves inventory search at a path without a version.
        let path = operation.path.strip_prefix("/v2").unwrap_or(operation.path);
        let expected = format!("['{}', '{path}', '{}']", operation.method, operation.product.name());
        assert_eq!(row, expected, "{id}");
    }
}

#[test]
fn prices_match_the_price_list() {
    for (name, credits) in rows("PRICES") {
        let product = Product::iter().find(|product| product.name() == name);
        let product = product.unwrap_or_else(|| panic!("the price list must have the product {name}"));
        assert_eq!(credits, price(product).to_string(), "{name}");
    }
}
