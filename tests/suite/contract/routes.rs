//! The golden tables, held to openapi.yaml and to the functions' routers, both ways.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use harness::{
    Contract, DocumentedOperation, FUNCTIONS, OPERATIONS, Operation, PRODUCTS, World, binary_of, product_row,
    sample, served_by,
};
use http::{Method, Request};
use marquee::serve::{Function, Gateway};
use serde_json::{Value, json};
use shared::types::{Audience, Product, Scope};
use strum::IntoEnumIterator;
use tower::ServiceExt;

/// Returns a route as the contract has it: there, what follows a parameter within its part stands beside it.
fn as_documented(path: &str) -> String {
    path.replace("{z}/{x}/{y}", "{z}/{x}/{y}.mvt")
}

/// Returns what openapi.yaml says of an operation.
fn documented(operation: &Operation) -> &'static Value {
    let path = operation.path.trim_start_matches("/v2");
    &Contract::get().document()["paths"][path][operation.method.as_str().to_lowercase()]
}

#[test]
fn the_contract_documents_the_operations_of_the_golden_table_with_their_statuses() {
    let documented: BTreeSet<_> = Contract::get().operations().into_iter().collect();
    let expected: BTreeSet<_> = OPERATIONS
        .iter()
        .map(|operation| DocumentedOperation {
            method: operation.method.to_string(),
            path: operation.path.to_owned(),
            id: operation.id.to_owned(),
            statuses: operation.statuses.iter().copied().collect(),
        })
        .collect();
    let missing: Vec<_> = documented.difference(&expected).collect();
    let other: Vec<_> = expected.difference(&documented).collect();
    assert!(missing.is_empty(), "openapi.yaml has what tests/src/operations.rs has not: {missing:#?}");
    assert!(other.is_empty(), "tests/src/operations.rs has what openapi.yaml has not: {other:#?}");
    assert_eq!(OPERATIONS.len(), expected.len(), "an operation has two rows");
}

#[tokio::test]
async fn each_function_serves_the_operations_of_the_golden_table_and_no_others() {
    let world = World::new().await;
    for (binary, function) in FUNCTIONS {
        let served = served_by(&world.app, function);
        let by_name: BTreeMap<String, (Product, Audience)> = served
            .iter()
            .map(|route| (format!("{} {}", route.method, as_documented(route.path)), route))
            .map(|(name, route)| (name, (route.product, route.audience)))
            .collect();
        let of_function = OPERATIONS.iter().filter(|operation| operation.function == function);
        let expected = of_function
            .map(|operation| (operation.name(), (operation.product, operation.audience())))
            .collect();
        assert_eq!(by_name, expected, "{binary}");
        assert_eq!(by_name.len(), served.len(), "{binary} lists a route twice");
    }
}

#[test]
fn each_product_has_the_price_the_callers_and_the_limit_of_the_golden_table() {
    assert!(PRODUCTS.iter().map(|row| row.product).eq(Product::iter()), "each product has a row, in order");
    for row in &PRODUCTS {
        let product = row.product;
        assert_eq!(product.name(), row.name);
        assert_eq!(product.credits(), row.credits, "{product:?}");
        assert_eq!(product.audience(), row.audience, "{product:?}");
        assert_eq!(product.scope(true), row.scope(true), "{product:?}");
        assert_eq!(product.scope(false), row.scope(false), "{product:?}");
        assert_eq!(product.caller_limit(), row.caller_limit, "{product:?}");
        assert_eq!(product.is_historical(), row.is_historical, "{product:?}");
        assert_eq!(product.max_body_bytes(), row.max_body_bytes, "{product:?}");
    }
}

#[test]
fn the_contract_names_each_price_but_that_of_one_credit_and_none_that_is_not() {
    for operation in &OPERATIONS {
        let name = operation.name();
        let named = prices(documented(operation)["description"].as_str().unwrap_or_default());
        let price = product_row(operation.product).credits;
        assert!(named.iter().all(|named| *named == price), "{name} costs {price}, not {named:?}");
        let is_told = price == 1 || matches!(operation.audience(), Audience::Open | Audience::Public);
        assert!(is_told || !named.is_empty(), "{name} costs {price}: its description should say so");
    }
}

/// Returns the numbers of credits that a description names.
fn prices(description: &str) -> Vec<u32> {
    let words: Vec<_> = description.split_whitespace().collect();
    let named = words.windows(2).filter(|words| words[1].starts_with("credit"));
    named.filter_map(|words| words[0].parse().ok()).collect()
}

#[tokio::test]
async fn a_router_answers_nothing_but_what_it_lists() {
    let world = World::new().await;
    let gateway = Gateway::new(&world.app, sample());
    let mut paths: BTreeSet<String> =
        ["/", "/v2", "/v2/scenarios", "/v2/billing", "/health"].map(str::to_owned).into();
    for path in OPERATIONS.iter().map(Operation::path_of_nothing) {
        paths.extend([format!("{path}/"), format!("{path}/more"), path]);
    }
    for (_, function) in FUNCTIONS {
        for path in &paths {
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
                assert_status(&gateway, function, method, path).await;
            }
        }
    }
}

/// Holds what a router answers to whether it has the path, and the method there.
async fn assert_status(gateway: &Gateway, function: Function, method: &str, path: &str) {
    let mut here: Vec<_> = OPERATIONS
        .iter()
        .filter(|operation| operation.function == function && is_routed(operation, path))
        .collect();
    // A path without parameters goes before one with.
    if here.iter().any(|operation| operation.path == path) {
        here.retain(|operation| operation.path == path);
    }
    // What answers GET for nothing answers HEAD, without the body.
    let is_listed = |operation: &&&Operation| match method {
        "HEAD" => operation.method == Method::GET && product_row(operation.product).credits == 0,
        _ => operation.method == method,
    };
    let status = status(gateway, function, method, path).await;
    let context = format!("{}: {method} {path} answers {status}", binary_of(function));
    match here.iter().find(is_listed) {
        _ if here.is_empty() => assert_eq!(status, 404, "{context}"),
        None => assert_eq!(status, 405, "{context}"),
        // A grant that there is not, and a tile of another layer.
        Some(operation) if matches!(operation.product, Product::Tilejson | Product::Tile) => {
            assert!([401, 404].contains(&status), "{context}");
        }
        Some(_) => assert!(![404, 405].contains(&status), "{context}"),
    }
}

/// Tells whether a path leads to an operation's route, where the last part may end in anything.
fn is_routed(operation: &Operation, path: &str) -> bool {
    operation.is_at(path) || (operation.product == Product::Tile && operation.is_at(&format!("{path}.mvt")))
}

async fn status(gateway: &Gateway, function: Function, method: &str, path: &str) -> u16 {
    let request = Request::builder()
        .method(method.parse::<Method>().expect("a method"))
        .uri(path)
        .body(Body::empty())
        .expect("a request");
    let response = gateway.function(function).oneshot(request).await;
    response.expect("routers do not fail").status().as_u16()
}

#[test]
fn the_contract_says_of_each_operation_who_may_call_it_and_what_it_is_billed_as() {
    let document = Contract::get().document();
    for operation in &OPERATIONS {
        let name = operation.name();
        let scope = product_row(operation.product).scope(operation.method == Method::GET);
        let at_search =
            OPERATIONS.iter().any(|other| other.id == operation.id && other.key_header() == "apikey");
        let documented = documented(operation);
        assert_security(&documented["security"], operation.audience(), scope, at_search, &name);
        assert_product(document, &documented["responses"], operation.product, &name);
    }
}

/// Holds the documented ways in to a route's audience. An operation that is at the search gateway too lists
/// that one's key beside them.
fn assert_security(
    documented: &Value,
    audience: Audience,
    scope: Option<Scope>,
    at_search: bool,
    context: &str,
) {
    let listed = documented.as_array().unwrap_or_else(|| panic!("{context}: {documented}"));
    let scopes: Vec<_> = scope.into_iter().collect();
    let (by_key, by_search_key) = (json!({ "apiKey": scopes }), json!({ "searchKey": scopes }));
    let (by_token, by_nothing) = (json!({ "bearer": [] }), json!({}));
    let (of_search, of_main): (Vec<_>, Vec<_>) =
        listed.iter().partition(|way| way.get("searchKey").is_some());
    assert_eq!(of_search, at_search.then_some(&by_search_key).into_iter().collect::<Vec<_>>(), "{context}");
    let expected: Vec<&Value> = match audience {
        Audience::Open => vec![],
        // Nothing is required; a credential that comes is checked.
        Audience::Public | Audience::Anyone => vec![&by_nothing, &by_key, &by_token],
        Audience::KeyOrBearer => vec![&by_key, &by_token],
        Audience::Person | Audience::Member | Audience::SearchKeyOrBearer => vec![&by_token],
        Audience::SearchKey => return,
    };
    let names = |ways: Vec<&Value>| -> BTreeSet<String> { ways.into_iter().map(Value::to_string).collect() };
    assert_eq!(of_main.len(), expected.len(), "{context}");
    assert_eq!(names(of_main), names(expected), "{context}");
}

fn assert_product(document: &Value, responses: &Value, product: Product, context: &str) {
    let Some(reference) = responses["200"]["$ref"].as_str() else {
        return;
    };
    let response = document.pointer(reference.trim_start_matches('#')).expect("a response");
    let schema = &response["content"]["application/json"]["schema"];
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a schema"),
        None => schema,
    };
    let meta = &schema["properties"]["meta"];
    if matches!(product, Product::Tilejson | Product::Tile | Product::Health | Product::Openapi) {
        assert!(meta.is_null(), "{context}: an answer without meta");
        return;
    }
    // A schema that both libraries share names no one product.
    let any = &document["components"]["schemas"]["Meta"]["properties"]["product"]["enum"];
    match &meta["properties"]["product"]["const"] {
        Value::Null => {
            assert!(any.as_array().is_some_and(|any| any.contains(&json!(product.name()))), "{context}")
        }
        one => assert_eq!(one, product.name(), "{context}"),
    }
}
