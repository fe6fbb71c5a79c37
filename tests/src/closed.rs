//! The contract with closed responses, which don't allow the additions of later versions.

use serde_json::Value;

/// The keyword of a list of values that later versions can extend.
const EXTENSIBLE: &str = "x-extensible-enum";

/// Closes the objects and the lists of values in openapi.yaml.
///
/// The document leaves both open in responses, because clients must accept the members and values of later
/// versions. The service itself must return only documented members and values. In the closed document, an
/// object that lists its members allows no other members, and `x-extensible-enum` becomes `enum`. An
/// undocumented member or value then fails the check.
pub(crate) fn closed(document: &Value) -> Value {
    match document {
        Value::Object(members) => {
            let is_example = |name: &str| ["example", "examples"].contains(&name);
            let close = |(name, member): (&String, &Value)| match name.as_str() {
                EXTENSIBLE => ("enum".to_owned(), member.clone()),
                name if is_example(name) => (name.to_owned(), member.clone()),
                name => (name.to_owned(), closed(member)),
            };
            let mut closed: serde_json::Map<_, _> = members.iter().map(close).collect();
            if is_object(&document["type"]) && members.contains_key("properties") {
                closed.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            Value::Object(closed)
        }
        Value::Array(items) => items.iter().map(closed).collect(),
        other => other.clone(),
    }
}

fn is_object(kind: &Value) -> bool {
    kind == "object" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "object"))
}
