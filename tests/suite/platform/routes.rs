//! The template, the local gateway and `cargo lambda watch` send each path to the same function.

use std::collections::BTreeSet;

use harness::{FUNCTIONS, OPERATIONS, Operation, binary_of, function_of};
use marquee::serve::{Function, PREFIXES};

use super::template::Template;

#[test]
fn the_template_sends_each_operation_to_the_function_that_serves_it() {
    let template = Template::read();
    let mut reached = BTreeSet::new();
    for operation in &OPERATIONS {
        let (_, binary) = template.route_of(&operation.path_of_nothing());
        assert_eq!(binary, binary_of(operation.function), "{}", operation.name());
        reached.insert(binary);
    }
    assert_eq!(reached, FUNCTIONS.map(|(binary, _)| binary).into(), "each function has an operation");
}

#[test]
fn the_local_gateway_sends_paths_where_the_template_sends_them() {
    let template = Template::read();
    let mut expected = BTreeSet::new();
    for (prefix, function) in PREFIXES {
        expected.insert((prefix.to_owned(), binary_of(function)));
        expected.insert((format!("{prefix}/{{proxy+}}"), binary_of(function)));
    }
    let routes = template.routes().into_iter();
    let of_others: BTreeSet<_> = routes
        .filter(|(_, binary)| *binary != "account")
        .map(|(path, binary)| (path.expect("a path").to_owned(), binary))
        .collect();
    assert_eq!(of_others, expected);

    let mut paths = vec!["/".to_owned(), "/v2/scenarios/campaignsX".to_owned()];
    paths.extend(OPERATIONS.iter().map(Operation::path_of_nothing));
    for path in paths {
        let (_, binary) = template.route_of(&path);
        assert_eq!(Function::of_path(&path), function_of(binary), "{path}");
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
