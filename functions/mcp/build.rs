//! Combines `tools.yaml` with openapi.yaml and writes the list of tools as JSON for the function to embed.

use std::path::PathBuf;
use std::{env, fs};

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The list of tools, relative to this crate.
const TOOLS: &str = "tools.yaml";

/// The API description, relative to this crate.
const DESCRIPTION: &str = "../../openapi.yaml";

/// The headers that tools accept as arguments, each with the argument's name.
const HEADERS: [(&str, &str); 2] = [("Idempotency-Key", IDEMPOTENCY_KEY), ("If-Match", "if_match")];

/// The argument that every tool requires if its operation accepts it.
const IDEMPOTENCY_KEY: &str = "idempotency_key";

/// A tool in `tools.yaml`. A comment in that file explains the members.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    operation: String,
    product: String,
    effect: String,
    advice: Option<String>,
    #[serde(default)]
    without: Vec<String>,
}

#[derive(Default)]
struct Arguments {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// The names of the query parameters.
    query: Vec<String>,
    /// The names of the arguments that are sent as headers, each with the header's name.
    headers: Vec<(&'static str, &'static str)>,
    has_body: bool,
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let rows: Vec<Row> = serde_saphyr::from_str(&read(TOOLS)).expect("the list of tools is valid");
    let api: Value = serde_saphyr::from_str(&read(DESCRIPTION)).expect("the API description is YAML");
    let tools: Vec<_> = rows.iter().map(|row| tool(row, &api)).collect();
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("tools.json");
    fs::write(target, Value::from(tools).to_string()).expect("OUT_DIR is writable");
}

fn read(file: &str) -> String {
    println!("cargo:rerun-if-changed={file}");
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns a tool as JSON, in the form that `Definition` in `src/tools.rs` deserializes.
fn tool(row: &Row, api: &Value) -> Value {
    let (path, method, item) = find(&row.operation, api);
    let operation = &item[method];
    let mut arguments = Arguments::default();
    let shared = item["parameters"].as_array().into_iter().flatten();
    for parameter in shared.chain(operation["parameters"].as_array().into_iter().flatten()) {
        arguments.add_parameter(&resolved(parameter, api));
    }
    let body = resolved(&operation["requestBody"], api);
    let schema = &body["content"]["application/json"]["schema"];
    arguments.add_body(schema);
    for omitted in &row.without {
        arguments.omit(omitted, &row.operation);
    }
    let advice = row.advice.iter().map(String::as_str);
    let description: Vec<_> =
        operation["description"].as_str().into_iter().chain(advice).map(str::trim).collect();
    json!({
        "name": row.operation,
        "title": operation["summary"],
        "description": description.join("\n\n"),
        "product": row.product,
        "effect": row.effect,
        "method": method.to_uppercase(),
        "path": path,
        "is_on_search_gateway": !item["servers"].is_null(),
        "query": arguments.query,
        "headers": arguments.headers,
        "has_body": arguments.has_body,
        "properties": arguments.properties,
        "required": arguments.required,
    })
}

/// Returns the path, the method, and the path item of an operation.
fn find<'a>(id: &str, api: &'a Value) -> (&'a str, &'a str, &'a Value) {
    let paths = api["paths"].as_object().expect("the API has paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, item, operation))
    });
    let found = operations.into_iter().find(|(_, _, _, operation)| operation["operationId"] == id);
    let (path, method, item, _) =
        found.unwrap_or_else(|| panic!("{TOOLS}: openapi.yaml has no operation {id}"));
    (path, method, item)
}

impl Arguments {
    fn add_parameter(&mut self, parameter: &Value) {
        let name = parameter["name"].as_str().expect("a parameter has a name");
        let place = parameter["in"].as_str().expect("a parameter has a place");
        let argument = match place {
            "header" => match HEADERS.into_iter().find(|(header, _)| *header == name) {
                Some((header, argument)) => {
                    self.headers.push((argument, header));
                    argument
                }
                // Agents don't cache responses, so they don't need `If-None-Match`.
                None => return,
            },
            _ => name,
        };
        if place == "query" {
            self.query.push(name.to_owned());
        }
        // An agent that repeats a call must not be charged twice.
        if parameter["required"] == true || argument == IDEMPOTENCY_KEY {
            self.required.push(argument.to_owned());
        }
        let mut schema = parameter["schema"].clone();
        schema["description"] = parameter["description"].clone();
        self.properties.insert(argument.to_owned(), schema);
    }

    fn add_body(&mut self, schema: &Value) {
        let Some(properties) = schema["properties"].as_object() else { return };
        self.has_body = true;
        for (name, schema) in properties {
            // A member that is also a path parameter has the same value.
            self.properties.entry(name).or_insert_with(|| schema.clone());
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        self.required.extend(required.map(str::to_owned));
    }

    /// Removes an argument, such as `filters`, or a member of an argument, such as `filter/digital`.
    fn omit(&mut self, path: &str, operation: &str) {
        let (parents, name) =
            path.rsplit_once('/').map_or((None, path), |(parents, name)| (Some(parents), name));
        let members = parents
            .into_iter()
            .flat_map(|parents| parents.split('/'))
            .try_fold(&mut self.properties, |members, parent| {
                members.get_mut(parent)?.get_mut("properties")?.as_object_mut()
            });
        let removed = members.and_then(|members| members.remove(name));
        assert!(removed.is_some(), "{TOOLS}: {operation} has no argument {path}");
    }
}

/// Resolves all references. Also removes the examples, because tool schemas don't contain any.
fn resolved(value: &Value, api: &Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let pointer = reference.strip_prefix('#').expect("references are in the same document");
                resolved(api.pointer(pointer).unwrap_or_else(|| panic!("{reference} doesn't exist")), api)
            }
            None => members
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "example" | "examples"))
                .map(|(name, value)| (name.clone(), resolved(value, api)))
                .collect(),
        },
        Value::Array(items) => items.iter().map(|item| resolved(item, api)).collect(),
        other => other.clone(),
    }
}
