//! Routes: openapi.yaml and the functions' routers contain the same operations, with the same access rules
//! and products.

use std::collections::BTreeSet;

use accounting::{AuthRequirement, Product, Scope};
use axum::body::Body;
use harness::{
    Contract, FUNCTIONS, OPERATIONS, Operation, World, as_documented, binary_of, sample, served_by,
};
use http::{Method, Request};
use marquee::serve::{Function, Gateway};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Returns an operation's object in openapi.yaml.
fn documented(operation: &Operation) -> &'static Value {
    let path = operation.path.trim_start_matches("/v2");
    &Contract::get().document()["paths"][path][operation.method.as_str().to_lowercase()]
}

#[tokio::test]
async fn every_route_is_one_documented_operation() {
    let world = World::new().await;
    for (binary, function) in FUNCTIONS {
        let routes = served_by(&world.app, function).into_iter();
        let routes: Vec<_> =
            routes.map(|route| format!("{} {}", route.method, as_documented(route.path))).collect();
        let operations = OPERATIONS.iter().filter(|operation| operation.function == function);
        let operations: BTreeSet<_> = operations.map(Operation::name).collect();
        assert_eq!(routes.iter().cloned().collect::<BTreeSet<_>>(), operations, "{binary}");
        assert_eq!(routes.len(), operations.len(), "{binary} has a duplicate route");
    }
    for operation in OPERATIONS.iter() {
        let takes_a_body = documented(operation)["requestBody"].is_object();
        assert_eq!(operation.body.is_some(), takes_a_body, "{} in tests/src/operations.rs", operation.name());
    }
}

#[test]
fn descriptions_mention_the_correct_price() {
    for operation in OPERATIONS.iter() {
        let name = operation.name();
        let named = prices(documented(operation)["description"].as_str().unwrap_or_default());
        let price = operation.product.credits();
        assert!(named.iter().all(|named| *named == price), "{name} costs {price}, not {named:?}");
        let needs_no_price =
            price == 1 || matches!(operation.auth, AuthRequirement::Open | AuthRequirement::Public);
        assert!(
            needs_no_price || !named.is_empty(),
            "{name} costs {price}, which its description doesn't mention"
        );
    }
}

/// Returns the prices in credits that a description mentions.
fn prices(description: &str) -> Vec<u32> {
    let words: Vec<_> = description.split_whitespace().collect();
    let named = words.windows(2).filter(|words| words[1].starts_with("credit"));
    named.filter_map(|words| words[0].parse().ok()).collect()
}

#[tokio::test]
async fn router_serves_only_its_listed_routes() {
    let world = World::new().await;
    let gateway = Gateway::new(&world.app, sample());
    let mut paths: BTreeSet<String> =
        ["/", "/v2", "/v2/scenarios", "/v2/billing", "/health"].map(str::to_owned).into();
    for path in OPERATIONS.iter().map(Operation::path_of_unknown_ids) {
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

/// Asserts that a router returns a 404 for an unknown path, a 405 for an unsupported method, and another
/// status for a known route.
async fn assert_status(gateway: &Gateway, function: Function, method: &str, path: &str) {
    let mut here: Vec<_> = OPERATIONS
        .iter()
        .filter(|operation| operation.function == function && is_routed(operation, path))
        .collect();
    // A path without parameters takes precedence over a path with parameters.
    if here.iter().any(|operation| operation.path == path) {
        here.retain(|operation| operation.path == path);
    }
    // Free operations with GET also support HEAD.
    let is_listed = |operation: &&&Operation| match method {
        "HEAD" => operation.method == Method::GET && operation.product.credits() == 0,
        _ => operation.method == method,
    };
    let status = status(gateway, function, method, path).await;
    let context = format!("{}: {method} {path} returns {status}", binary_of(function));
    match here.iter().find(is_listed) {
        _ if here.is_empty() => assert_eq!(status, 404, "{context}"),
        None => assert_eq!(status, 405, "{context}"),
        // These calls have an unknown grant, an unknown layer, or no client link token, so a known route
        // returns a 401 or a 404.
        Some(operation)
            if matches!(operation.product, Product::Tilejson | Product::Tile | Product::ClientView) =>
        {
            assert!([401, 404].contains(&status), "{context}");
        }
        Some(_) => assert!(![404, 405].contains(&status), "{context}"),
    }
}

/// Returns whether a path matches an operation's route. A tile's path may have any extension.
fn is_routed(operation: &Operation, path: &str) -> bool {
    operation.is_at(path) || (operation.product == Product::Tile && operation.is_at(&format!("{path}.mvt")))
}

async fn status(gateway: &Gateway, function: Function, method: &str, path: &str) -> u16 {
    let request = Request::builder()
        .method(method.parse::<Method>().expect("valid method"))
        .uri(path)
        .body(Body::empty())
        .expect("valid request");
    let response = gateway.function(function).oneshot(request).await;
    response.expect("infallible").status().as_u16()
}

#[test]
fn openapi_documents_the_security_and_product_of_every_operation() {
    let document = Contract::get().document();
    for operation in OPERATIONS.iter() {
        let name = operation.name();
        let scope = operation.product.scope(operation.method == Method::GET);
        let at_search =
            OPERATIONS.iter().any(|other| other.id == operation.id && other.key_header() == "apikey");
        let is_on_main_gateway = operation.path.starts_with("/v2/");
        let is_default = operation.auth == operation.product.auth();
        assert!(
            is_default || (!is_on_main_gateway && operation.auth == AuthRequirement::SearchKey),
            "{name}"
        );
        let documented = documented(operation);
        assert_security(&documented["security"], operation.auth, scope, at_search, &name);
        assert_product(document, &documented["responses"], operation.product, &name);
    }
}

/// Asserts that the documented security matches a route's authentication requirement. Operations on the
/// search gateway must also list that gateway's key.
fn assert_security(
    documented: &Value,
    audience: AuthRequirement,
    scope: Option<Scope>,
    at_search: bool,
    context: &str,
) {
    let listed = documented.as_array().unwrap_or_else(|| panic!("{context}: {documented}"));
    let scopes: Vec<_> = scope.into_iter().collect();
    let (by_key, by_search_key) = (json!({ "apiKey": scopes }), json!({ "searchKey": scopes }));
    let (by_token, by_nothing) = (json!({ "bearer": [] }), json!({}));
    let (search_security, main_security): (Vec<_>, Vec<_>) =
        listed.iter().partition(|way| way.get("searchKey").is_some());
    assert_eq!(
        search_security,
        at_search.then_some(&by_search_key).into_iter().collect::<Vec<_>>(),
        "{context}"
    );
    let expected: Vec<&Value> = match audience {
        AuthRequirement::Open => vec![],
        // Credentials are optional, but must be valid if they are sent.
        AuthRequirement::Public | AuthRequirement::Anyone => vec![&by_nothing, &by_key, &by_token],
        AuthRequirement::KeyOrBearer => vec![&by_key, &by_token],
        AuthRequirement::Person | AuthRequirement::Member | AuthRequirement::SearchKeyOrBearer => {
            vec![&by_token]
        }
        AuthRequirement::SearchKey => return,
    };
    let names = |ways: Vec<&Value>| -> BTreeSet<String> { ways.into_iter().map(Value::to_string).collect() };
    assert_eq!(main_security.len(), expected.len(), "{context}");
    assert_eq!(names(main_security), names(expected), "{context}");
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
    if matches!(
        product,
        Product::Tilejson | Product::Tile | Product::BaseMap | Product::Health | Product::Openapi
    ) {
        assert!(meta.is_null(), "{context}: the response has no meta");
        return;
    }
    // A schema that both libraries share can't name a single product.
    let any = &document["components"]["schemas"]["Meta"]["properties"]["product"]["x-extensible-enum"];
    match &meta["properties"]["product"]["x-extensible-enum"] {
        Value::Null => {
            assert!(any.as_array().is_some_and(|any| any.contains(&json!(product.name()))), "{context}")
        }
        one => assert_eq!(*one, json!([product.name()]), "{context}"),
    }
}
