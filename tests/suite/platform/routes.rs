//! The template, the local gateway, and `cargo lambda watch` route each path to the same function.

use std::collections::BTreeSet;

use accounting::AuthRequirement;
use harness::{FUNCTIONS, OPERATIONS, Operation, binary_of, function_of};
use marquee::serve::{Function, PORTAL_PATHS, PREFIXES};

use super::template::{Route, Template, Throttling};

#[test]
fn template_routes_operations_to_their_functions() {
    let template = Template::read();
    let mut reached = BTreeSet::new();
    for operation in OPERATIONS.iter() {
        let binary = template.route_of(&operation.path_of_unknown_ids()).binary;
        assert_eq!(binary, binary_of(operation.function), "{}", operation.name());
        reached.insert(binary);
    }
    assert_eq!(reached, FUNCTIONS.map(|(binary, _)| binary).into(), "each API function has an operation");
}

#[test]
fn local_gateway_routes_match_the_template() {
    let template = Template::read();
    let single = PORTAL_PATHS.map(|path| (path.to_owned(), binary_of(Function::Portal)));
    let mut expected = BTreeSet::from(single);
    for (prefix, function) in PREFIXES {
        expected.insert((prefix.to_owned(), binary_of(function)));
        expected.insert((format!("{prefix}/{{proxy+}}"), binary_of(function)));
    }
    let routes = template.routes().into_iter();
    let mut of_others: BTreeSet<_> = routes
        .filter(|route| route.binary != "account")
        .map(|route| (route.path.expect("a path").to_owned(), route.binary))
        .collect();
    // A more specific route with its own limits leads to the same function as its prefix.
    of_others.retain(|route| {
        let prefix = PREFIXES.into_iter().find(|(prefix, _)| route.0.starts_with(&format!("{prefix}/")));
        expected.contains(route) || prefix.is_none_or(|(_, function)| binary_of(function) != route.1)
    });
    assert_eq!(of_others, expected);

    let mut paths = [
        "/",
        "/llms.txt",
        "/openapi.json",
        "/openapi.jsonX",
        "/portalX",
        "/portal/planner",
        "/v2/scenarios/campaignsX",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(OPERATIONS.iter().map(Operation::path_of_unknown_ids));
    for path in paths {
        let binary = template.route_of(&path).binary;
        assert_eq!(Function::of_path(&path), function_of(binary), "{path}");
    }
}

#[test]
fn cargo_lambda_watch_routes_match_the_template() {
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
    for Route { path, binary, .. } in Template::read().routes() {
        let path = path.unwrap_or("/unknown/path");
        let covers = |watched: &str| match watched.strip_suffix("{proxy+}") {
            Some(prefix) => path.starts_with(prefix),
            None => watched == path,
        };
        let covering = watched.iter().filter(|(watched, _)| covers(watched));
        // An exact path takes precedence over a prefix, and a longer prefix over a shorter one. The default
        // route leads to the account function.
        let found = covering.max_by_key(|(watched, _)| {
            let prefix = watched.trim_end_matches("{proxy+}");
            (prefix.len(), prefix.len() == watched.len())
        });
        assert_eq!(found.map(|(_, binary)| binary.as_str()), Some(binary), "{path} in {watched:?}");
    }
}

/// Returns whether an operation's calls are metered.
fn is_metered(operation: &Operation) -> bool {
    match operation.auth {
        AuthRequirement::Open | AuthRequirement::Public => false,
        AuthRequirement::SearchKey
        | AuthRequirement::SearchKeyOrBearer
        | AuthRequirement::KeyOrBearer
        | AuthRequirement::Anyone
        | AuthRequirement::Person
        | AuthRequirement::Member => true,
    }
}

#[test]
fn unmetered_routes_have_separate_throttling() {
    let template = Template::read();
    let taken = |is_wanted: fn(&Operation) -> bool| -> BTreeSet<(&str, Option<&str>)> {
        let paths = OPERATIONS.iter().filter(|operation| is_wanted(operation)).flat_map(|operation| {
            ["places", "displays"].map(|product| {
                operation.path_of_unknown_ids().replace("/places/tiles", &format!("/{product}/tiles"))
            })
        });
        paths.map(|path| template.route_of(&path).key()).collect()
    };
    let metered = taken(is_metered);
    let free = taken(|operation| !is_metered(operation));
    assert!(metered.is_disjoint(&free), "{free:?} share a route with {metered:?}");
    for route in template.routes() {
        let default =
            Throttling::of(&template.value()["Resources"][route.api]["Properties"]["DefaultRouteSettings"]);
        if metered.contains(&route.key()) {
            assert_eq!(route.throttling, None, "{route:?} uses the gateway's default throttling");
            continue;
        }
        // The other routes serve tiles, public operations, the portal, the MCP server, and unknown paths.
        let own = route.throttling.unwrap_or_else(|| panic!("{route:?} must have its own throttling"));
        assert!(own.a_second <= default.a_second && own.at_once <= default.at_once, "{route:?}");
        assert!(own.a_second <= own.at_once, "{route:?}");
    }
}
