//! Extensibility: responses in openapi.yaml allow members and values that later versions add, but requests
//! don't. The test suite's own checks reject undocumented ones in responses, too.

use std::collections::HashSet;

use harness::Contract;
use serde_json::{Value, json};

/// Response constants that never change: GeoJSON types, the published search format's statuses, and the
/// values of `Idempotency-Replayed`.
const CONSTANTS: [&str; 6] = ["Point", "Feature", "FeatureCollection", "success", "error", "true"];

/// Calls `check` with every schema below a value, following references, and with the schema's pointer.
fn visit(value: &Value, place: &str, seen: &mut HashSet<String>, check: &mut impl FnMut(&Value, &str)) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = value["$ref"].as_str()
                && seen.insert(reference.to_owned())
            {
                let pointer = reference.trim_start_matches('#');
                let target = Contract::get().document().pointer(pointer).expect("a reference");
                visit(target, pointer, seen, check);
            }
            check(value, place);
            for (name, member) in members {
                if !["example", "examples"].contains(&name.as_str()) {
                    visit(member, &format!("{place}/{name}"), seen, check);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, place, seen, check)),
        _ => {}
    }
}

/// Returns the problems that `complain` finds in the operations' schemas, for the given parts of each
/// operation.
fn complaints(parts: &[&str], complain: impl Fn(&Value) -> Option<&'static str>) -> Vec<String> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut check = |schema: &Value, place: &str| {
        found.extend(complain(schema).map(|keyword| format!("{place}: {keyword}")));
    };
    for (path, item) in Contract::get().document()["paths"].as_object().expect("paths") {
        // Parameters can belong to one operation or to all operations on a path.
        for holder in item.as_object().expect("a path item").values().chain([item]) {
            for part in parts {
                visit(&holder[*part], &format!("{path}/{part}"), &mut seen, &mut check);
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
    found
}

#[test]
fn responses_allow_new_members_and_values_except_asset_states() {
    let states = &Contract::get().document()["components"]["schemas"]["AssetState"];
    let is_fixed =
        |value: &Value| value.is_number() || value.as_str().is_some_and(|text| CONSTANTS.contains(&text));
    let found = complaints(&["responses"], |schema| {
        if schema["additionalProperties"] == false {
            Some("additionalProperties")
        } else if schema["enum"].is_array() && schema != states {
            Some("enum")
        } else {
            schema.get("const").filter(|value| !is_fixed(value)).map(|_| "const")
        }
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn requests_allow_only_documented_members_and_values() {
    let found = complaints(&["parameters", "requestBody"], |schema| {
        let is_object = schema["type"].to_string().contains("object") && schema["properties"].is_object();
        if is_object && schema["additionalProperties"] != false {
            Some("additionalProperties")
        } else {
            schema.get("x-extensible-enum").map(|_| "x-extensible-enum")
        }
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn checks_of_this_suite_reject_undocumented_members_and_values() {
    let contract = Contract::get();
    let example = &contract.document()["components"]["examples"]["MarketListReply"]["value"];
    assert!(contract.accepts("MarketListReply", example));
    for (pointer, value) in [
        ("/new", json!(1)),
        ("/data/0/new", json!(1)),
        ("/data/0/geography_type", json!("BOROUGH")),
        ("/meta/new", json!(1)),
        ("/meta/product", json!("place_search")),
        ("/meta/provenance/data_maturity", json!("estimated")),
    ] {
        let mut changed = example.clone();
        let (object, member) = pointer.rsplit_once('/').expect("a pointer");
        changed.pointer_mut(object).expect("an object")[member] = value;
        assert!(!contract.accepts("MarketListReply", &changed), "{pointer}");
    }
}
