//! Each table has one column per member of its row schema, and openapi.yaml documents each table's media
//! types.

use std::collections::BTreeSet;

use harness::{Contract, OPERATIONS, Operation, World};
use serde::Deserialize;
use serde_json::Value;
use serde_with::{Map, serde_as};

use super::{CSV, GEO_JSON, JSON, table_of, tables};

/// A node of openapi.yaml that keeps its members in order.
#[serde_as]
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Node {
    Object(#[serde_as(as = "Map<_, _>")] Vec<(String, Node)>),
    List(Vec<Node>),
    Value(Value),
}

impl Node {
    fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(own, _)| own == name).map(|(_, node)| node)
    }

    fn at(&self, pointer: &str) -> &Self {
        let names = pointer.split('/').filter(|name| !name.is_empty() && *name != "#");
        names.fold(self, |node, name| {
            let name = name.replace("~1", "/");
            node.get(&name).unwrap_or_else(|| panic!("{pointer}: no {name}"))
        })
    }

    fn list(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// Returns the schemas that can define members: the reference's target, the alternatives, and the schema
    /// itself.
    fn schemas<'a>(&'a self, document: &'a Self) -> Vec<&'a Self> {
        let mut schemas = match self.get("$ref") {
            Some(Self::Value(Value::String(reference))) => document.at(reference).schemas(document),
            _ => Vec::new(),
        };
        schemas.extend(
            self.get("anyOf")
                .map(Self::list)
                .unwrap_or_default()
                .iter()
                .flat_map(|one| one.schemas(document)),
        );
        schemas.push(self);
        schemas
    }

    /// Returns an object's members in document order, or an empty list for other types.
    fn members<'a>(&'a self, document: &'a Self) -> Vec<(&'a str, &'a Self)> {
        let mut found: Vec<(&str, &Self)> = Vec::new();
        for schema in self.schemas(document) {
            let Some(Self::Object(members)) = schema.get("properties") else { continue };
            for (name, member) in members {
                match found.iter_mut().find(|(other, _)| other == name) {
                    // A later schema for the same member only restricts the earlier one.
                    Some(_) => {}
                    None => found.push((name, member)),
                }
            }
        }
        found
    }

    /// Returns the paths of a row's members. Splits nested objects into their members, but doesn't split
    /// lists.
    fn paths(&self, document: &Self) -> Vec<String> {
        let member_paths = |(name, member): (&str, &Self)| {
            let below = member.paths(document);
            if below.is_empty() {
                return vec![name.to_owned()];
            }
            below.iter().map(|path| format!("{name}.{path}")).collect()
        };
        self.members(document).into_iter().flat_map(member_paths).collect()
    }

    /// Returns the schema of the member at a dotted path.
    fn member<'a>(&'a self, path: &str, document: &'a Self) -> &'a Self {
        path.split('.').fold(self, |schema, name| {
            let mut members = schema.members(document).into_iter();
            members.find(|(own, _)| *own == name).unwrap_or_else(|| panic!("{path}: no {name}")).1
        })
    }
}

fn document() -> Node {
    serde_saphyr::from_str(include_str!("../../../../openapi.yaml")).expect("valid YAML")
}

/// Returns an operation's object in openapi.yaml.
fn documented(operation: &Operation) -> &'static Value {
    let path = operation.path.trim_start_matches("/v2");
    &Contract::get().document()["paths"][path][operation.method.as_str().to_lowercase()]
}

fn resolved(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            Contract::get().document().pointer(reference.trim_start_matches('#')).expect("a reference")
        }
        None => value,
    }
}

#[tokio::test]
async fn each_table_has_the_columns_of_its_schema_in_order() {
    let (world, document) = (World::new().await, document());
    let tables = tables(&world);
    assert!(tables.len() >= 7, "{tables:?}");
    for (operation, table) in tables {
        let name = operation.name();
        let response = documented(operation)["responses"]["200"]["$ref"].as_str().expect("a reference");
        let answer = document.at(response).at("/content/application~1json/schema");
        let rows = answer.member(table.rows, &document);
        let rows = rows.get("items").unwrap_or_else(|| panic!("{name}: no items"));
        let columns = (table.columns)();
        assert_eq!(rows.paths(&document), columns, "{name}");
        if let Some(total) = table.total {
            answer.member(total, &document);
        }
        if let Some(feature) = table.feature {
            assert!(columns.contains(&feature.id), "{name}");
            let is_there = |path: &&str| {
                columns.iter().any(|column| column == path || column.starts_with(&format!("{path}.")))
            };
            assert!(feature.position.iter().all(is_there), "{name}: {feature:?}");
        }
    }
}

#[tokio::test]
async fn openapi_documents_files_for_exactly_the_operations_with_tables() {
    let world = World::new().await;
    for operation in OPERATIONS.iter() {
        let (name, responses) = (operation.name(), &documented(operation)["responses"]);
        let answer = resolved(&responses[operation.success().to_string()]);
        let offered: BTreeSet<&str> =
            answer["content"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let Some(table) = table_of(&world, operation) else {
            assert!(!offered.contains(CSV) && !offered.contains(GEO_JSON), "{name}: {offered:?}");
            assert!(responses["406"].is_null() && answer["headers"]["X-Total-Count"].is_null(), "{name}");
            continue;
        };
        let map = table.feature.is_some().then_some(GEO_JSON);
        assert_eq!(offered, [JSON, CSV].into_iter().chain(map).collect(), "{name}");
        for header in ["Content-Disposition", "X-Total-Count", "Link", "X-Data-Maturity", "X-Provenance"] {
            assert!(answer["headers"][header].is_object(), "{name}: no {header}");
        }
        assert!(responses["406"].is_object(), "{name}");
    }
}

#[tokio::test]
async fn file_names_are_unique() {
    let world = World::new().await;
    let mut names: Vec<_> =
        tables(&world).iter().map(|(operation, table)| (table.name, operation.id)).collect();
    // Place search has two routes, so its name occurs twice.
    names.sort_unstable();
    names.dedup();
    assert!(names.is_sorted_by(|one, other| one.0 < other.0), "{names:?}");
}
