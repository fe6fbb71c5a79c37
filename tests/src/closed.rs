//! Turns openapi.yaml into a contract whose responses don't allow undocumented members and values.

use serde_json::Value;

/// The keyword for a list of values that later versions may extend.
const EXTENSIBLE: &str = "x-extensible-enum";

/// Disallows undocumented members and values in openapi.yaml's responses.
///
/// The published document allows both, because clients must accept members and values that later versions
/// add. The service itself must return only documented ones. In the closed document, an object that lists its
/// members allows no others, and `x-extensible-enum` becomes `enum`, so anything undocumented fails the
/// check.
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
