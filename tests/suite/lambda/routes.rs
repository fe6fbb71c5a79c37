use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use harness::{Contract, World, sample};
use http::{Method, Request};
use marquee::serve::{Function, Gateway, PREFIXES};
use scenarios::{Campaign, Event};
use serde_json::{Value, json};
use shared::App;
use shared::http::Operation;
use shared::types::{Audience, Product, Scope};
use tower::ServiceExt;

use super::template::Template;

const FUNCTIONS: [(&str, Function); 7] = [
    ("campaigns", Function::Campaigns),
    ("events", Function::Events),
    ("places", Function::Places),
    ("audiences", Function::Audiences),
    ("inventory", Function::Inventory),
    ("tiles", Function::Tiles),
    ("account", Function::Account),
];

fn operations(app: &App, function: Function) -> Vec<Operation> {
    match function {
        Function::Campaigns => scenarios::routes::<Campaign>(app).operations().to_vec(),
        Function::Events => scenarios::routes::<Event>(app).operations().to_vec(),
        Function::Places => places::routes(app).operations().to_vec(),
        Function::Audiences => audiences::routes(app).operations().to_vec(),
        Function::Inventory => inventory::routes(app).operations().to_vec(),
        Function::Tiles => tiles::routes(app).operations().to_vec(),
        Function::Account => account::routes(app).operations().to_vec(),
    }
}

fn concrete(path: &str) -> String {
    path.replace("{asset_id}", "01990000-0000-7000-8000-000000000000")
        .replace("{place_id}", "100000000000")
        .replace("{product}", "places")
        .replace("{grant_id}", &format!("tg_{}", "0".repeat(32)))
        .replace("{layer}/{z}/{x}/{y}", "places/0/0/0")
}

/// Returns a route as the contract has it: there, what follows a parameter within its part stands beside it.
fn as_documented(path: &str) -> String {
    path.replace("{z}/{x}/{y}", "{z}/{x}/{y}.mvt")
}

#[tokio::test]
async fn the_function_behind_each_path_lists_the_documented_operations_and_no_others() {
    let world = World::new().await;
    let template = Template::read();
    let mut documented: BTreeMap<&str, BTreeSet<(String, String)>> = BTreeMap::new();
    for operation in Contract::get().operations() {
        let (_, binary) = template.route_of(&concrete(&operation.path));
        let of_function = documented.entry(binary).or_default();
        of_function.insert((operation.method, operation.path));
    }
    for (binary, function) in FUNCTIONS {
        let served = operations(&world.app, function)
            .into_iter()
            .map(|operation| (operation.method.to_string(), as_documented(operation.path)))
            .collect();
        assert_eq!(documented.remove(binary), Some(served), "{binary}");
    }
    assert_eq!(documented, BTreeMap::new(), "functions without a router");
}

#[tokio::test]
async fn the_contract_names_each_price_but_that_of_one_credit_and_none_that_is_not() {
    let world = World::new().await;
    let paths = &Contract::get().document()["paths"];
    for (_, function) in FUNCTIONS {
        for Operation { method, path, product, .. } in operations(&world.app, function) {
            let path = as_documented(path);
            let documented = &paths[path.trim_start_matches("/v2")][method.as_str().to_lowercase()];
            let description = documented["description"].as_str().unwrap_or_default();
            let named = prices(description);
            let price = product.credits();
            assert!(
                named.iter().all(|named| *named == price),
                "{method} {path} costs {price}, not {named:?}"
            );
            let is_told = price == 1 || matches!(product.audience(), Audience::Open | Audience::Public);
            assert!(
                is_told || !named.is_empty(),
                "{method} {path} costs {price}: its description should say so"
            );
        }
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
    let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
    let mut paths: BTreeSet<String> =
        ["/", "/v2", "/v2/scenarios", "/v2/billing", "/health"].map(str::to_owned).into();
    for (_, function) in FUNCTIONS {
        for operation in operations(&world.app, function) {
            let path = concrete(&as_documented(operation.path));
            paths.extend([format!("{path}/"), format!("{path}/more"), path]);
        }
    }
    for (binary, function) in FUNCTIONS {
        let listed = operations(&world.app, function);
        for path in &paths {
            // A path without parameters goes before one with.
            let exact = listed.iter().find(|operation| operation.path == path.as_str());
            let route = exact.or_else(|| listed.iter().find(|operation| is_under(operation.path, path)));
            for method in methods {
                // Whatever answers GET answers HEAD, without the body.
                let as_listed = if method == "HEAD" { "GET" } else { method };
                let takes = |operation: &Operation| {
                    route.is_some_and(|route| route.path == operation.path) && operation.method == as_listed
                };
                let status = status(&gateway, function, method, path).await;
                let context = format!("{binary}: {method} {path} answers {status}");
                match route {
                    // A grant that there is not, and a tile of another layer.
                    Some(route) if is_shown_by_a_grant(route) && as_listed == "GET" => {
                        assert!([401, 404].contains(&status), "{context}");
                    }
                    Some(_) if listed.iter().any(takes) => {
                        assert!(![404, 405].contains(&status), "{context}")
                    }
                    Some(_) => assert_eq!(status, 405, "{context}"),
                    None => assert_eq!(status, 404, "{context}"),
                }
            }
        }
    }
}

fn is_shown_by_a_grant(route: &Operation) -> bool {
    matches!(route.product, Product::Tilejson | Product::Tile)
}

/// Tells whether a path is one of a route's, each parameter being a part that is not empty.
fn is_under(route: &str, path: &str) -> bool {
    let (route, path): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
    let fits =
        |(wanted, part): (&&str, &&str)| wanted == part || (wanted.starts_with('{') && !part.is_empty());
    route.len() == path.len() && route.iter().zip(&path).all(fits)
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
fn the_local_gateway_sends_paths_where_the_template_sends_them() {
    let template = Template::read();
    let mut expected = BTreeSet::new();
    for (prefix, function) in PREFIXES {
        let binary = FUNCTIONS.iter().find(|(_, known)| *known == function);
        let (binary, _) = binary.expect("a function");
        expected.insert((prefix.to_owned(), *binary));
        expected.insert((format!("{prefix}/{{proxy+}}"), *binary));
    }
    let routes = template.routes().into_iter();
    let of_others: BTreeSet<_> = routes
        .filter(|(_, binary)| *binary != "account")
        .map(|(path, binary)| (path.expect("a path").to_owned(), binary))
        .collect();
    assert_eq!(of_others, expected);

    let mut paths = vec!["/".to_owned(), "/v2/scenarios/campaignsX".to_owned()];
    paths.extend(Contract::get().operations().into_iter().map(|operation| concrete(&operation.path)));
    for path in paths {
        let (_, binary) = template.route_of(&path);
        let function = FUNCTIONS.iter().find(|(known, _)| *known == binary);
        let (_, function) = function.expect("a function with a router");
        assert_eq!(Function::of_path(&path), *function, "{path}");
    }
}

#[test]
fn every_function_behind_the_gateway_is_watched_on_the_paths_of_the_template() {
    let manifest = include_str!("../../../Cargo.toml");
    let (_, router) =
        manifest.split_once("[workspace.metadata.lambda.watch.router]").expect("routes to watch");
    let watched: BTreeSet<(String, String)> = router
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(path, binary)| {
            let path = path.trim_matches('"').replace("{*proxy}", "{proxy+}");
            (path, binary.trim_matches('"').to_owned())
        })
        .collect();
    for (path, binary) in Template::read().routes() {
        let watched_by = |path: &str| watched.contains(&(path.to_owned(), binary.to_owned()));
        // What goes to the account function is caught by the default route.
        let found = match path {
            Some(path) if binary != "account" => watched_by(path),
            _ => watched_by("/{proxy+}"),
        };
        assert!(found, "{path:?} to {binary} in {watched:?}");
    }
}

#[tokio::test]
async fn every_route_has_a_product_and_the_contract_says_the_same_of_it() {
    let world = World::new().await;
    let document = Contract::get().document();
    println!("method  path                                  product                 credits  scope");
    let operations: Vec<_> =
        FUNCTIONS.iter().flat_map(|(_, function)| operations(&world.app, *function)).collect();
    for Operation { method, path, product, audience } in &operations {
        let scope = product.scope(*method == Method::GET);
        println!(
            "{method:<7} {path:<37} {:<23} {:>7}  {}",
            product.name(),
            product.credits(),
            scope.map_or("", |scope| scope.as_str()),
        );
        let item = as_documented(path.trim_start_matches("/v2"));
        let documented = &document["paths"][&item][method.as_str().to_lowercase()];
        let context = format!("{method} {path}");
        let at_both_doors = operations
            .iter()
            .filter(|other| other.path.trim_start_matches("/v2") == path.trim_start_matches("/v2"));
        let at_search = at_both_doors.filter(|other| other.method == *method).any(is_at_the_search_gateway);
        assert_security(&documented["security"], *audience, scope, at_search, &context);
        assert_product(document, &documented["responses"], *product, &context);
    }
}

fn is_at_the_search_gateway(operation: &Operation) -> bool {
    operation.audience == Audience::SearchKey
}

/// Holds the documented ways in to a route's audience. An operation that is at the search gateway too lists that one's
/// key beside them.
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
        Audience::Key => vec![&by_key],
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
