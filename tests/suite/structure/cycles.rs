//! No two modules depend on each other, and the top modules of large crates know only those listed.

use std::collections::{BTreeMap, BTreeSet};

use harness::root;

use super::modules::{ModulePath, Modules};

const CRATES: [&str; 14] = [
    "json",
    "shared",
    "dataset",
    "release-store",
    "builder",
    "functions/account",
    "functions/audiences",
    "functions/inventory",
    "functions/measurement",
    "functions/places",
    "functions/scenarios",
    "functions/tiles",
    "marquee",
    "tests",
];

/// A module, and those beside it that it knows.
type Known = (&'static str, &'static [&'static str]);

/// The modules right below the roots of the larger crates, and which of those each knows. One that is not
/// here knows none.
const KNOWN: [(&str, &[Known]); 4] = [
    (
        "shared",
        &[
            ("runtime", &["aws", "types"]),
            ("dynamo", &["aws", "runtime", "types"]),
            ("admission", &["aws", "dynamo", "runtime", "types"]),
            ("app", &["admission", "dynamo", "runtime"]),
            ("http", &["admission", "app", "dynamo", "input", "runtime", "types"]),
        ],
    ),
    (
        "dataset",
        &[
            ("index", &["position", "release"]),
            ("record_sources", &["index", "release"]),
            ("geographies", &["position", "release"]),
            ("cohorts", &["release"]),
            ("population", &["cohorts", "geographies", "release"]),
            ("places", &["derived_id", "geographies", "index", "position", "record_sources", "release"]),
            ("measures", &["geographies", "places", "population", "release"]),
            ("inventory", &["geographies", "index", "position", "record_sources", "release"]),
            ("tiles", &["index", "inventory", "measures", "places", "position", "release"]),
            ("known_ids", &["inventory", "places", "population", "release"]),
            (
                "check",
                &[
                    "geographies",
                    "inventory",
                    "known_ids",
                    "measures",
                    "places",
                    "population",
                    "release",
                    "tiles",
                ],
            ),
        ],
    ),
    (
        "builder",
        &[
            ("displays", &["random_stream"]),
            ("model", &["nearest"]),
            ("import", &["dates", "displays", "nearest", "packing", "rows"]),
            ("sample", &["cohorts", "import", "model", "nearest", "packing", "rows"]),
            ("synthesize", &["displays", "packing", "random_stream"]),
        ],
    ),
    (
        "marquee",
        &[
            ("engine", &["hosts"]),
            ("commands", &["engine", "operator", "output", "release"]),
            ("serve", &["engine", "hosts", "operator", "output", "release"]),
            ("run", &["commands", "serve"]),
        ],
    ),
];

type Arrows<Node> = BTreeMap<Node, BTreeSet<Node>>;

#[test]
fn no_module_knows_one_that_knows_it() {
    let mut seen = 0;
    for name in CRATES {
        let modules = Modules::of_crate(&root().join(name).join("src/lib.rs"));
        seen += modules.len();
        let mut arrows: Arrows<ModulePath> = BTreeMap::new();
        for (from, to) in modules.arrows() {
            arrows.entry(from).or_default().insert(to);
        }
        assert_eq!(cycle(&arrows), None, "{name}");
    }
    assert!(seen > 250, "{seen} modules were looked at");
}

#[test]
fn no_module_with_all_below_it_knows_one_beside_it_that_knows_it() {
    for name in CRATES {
        let modules = Modules::of_crate(&root().join(name).join("src/lib.rs"));
        for (parent, arrows) in arrows_beside(&modules.arrows()) {
            assert_eq!(cycle(&arrows), None, "{name}: {}", parent.join("::"));
        }
    }
}

#[test]
fn each_module_right_below_a_root_knows_those_that_are_listed_and_no_others() {
    for (name, expected) in KNOWN {
        let modules = Modules::of_crate(&root().join(name).join("src/lib.rs"));
        let known = arrows_beside(&modules.arrows()).remove(&Vec::new()).expect("modules");
        let known: BTreeMap<&str, Vec<&str>> = known
            .iter()
            .map(|(module, known)| (module.as_str(), known.iter().map(String::as_str).collect()))
            .collect();
        let expected = expected.iter().map(|(module, known)| (*module, known.to_vec())).collect();
        assert_eq!(known, expected, "{name}");
    }
}

/// Returns for each module the arrows between those right below it, with all that each holds.
fn arrows_beside(arrows: &BTreeSet<(ModulePath, ModulePath)>) -> BTreeMap<ModulePath, Arrows<String>> {
    let mut beside: BTreeMap<ModulePath, Arrows<String>> = BTreeMap::new();
    for (from, to) in arrows {
        let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
        if let (Some(module), Some(known)) = (from.get(shared), to.get(shared)) {
            let arrows = beside.entry(from[..shared].to_vec()).or_default();
            arrows.entry(module.clone()).or_default().insert(known.clone());
        }
    }
    beside
}

/// Finds a way from a node back to itself.
fn cycle<Node: Ord + Clone>(arrows: &Arrows<Node>) -> Option<Vec<Node>> {
    arrows.keys().find_map(|start| {
        let mut ways: Vec<Vec<Node>> = vec![vec![start.clone()]];
        let mut reached = BTreeSet::new();
        while let Some(way) = ways.pop() {
            for next in arrows.get(way.last().expect("a start")).into_iter().flatten() {
                let longer = [way.as_slice(), std::slice::from_ref(next)].concat();
                if next == start {
                    return Some(longer);
                }
                if reached.insert(next.clone()) {
                    ways.push(longer);
                }
            }
        }
        None
    })
}
