//! Compares the reference page's table of stack parameters with template.yaml.

use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../docs/reference/parameters.md");

#[test]
fn table_lists_every_parameter_with_default_and_allowed_values() {
    let template: Value = serde_saphyr::from_str(include_str!("../../../../template.yaml")).expect("YAML");
    let parameters = template["Parameters"].as_object().expect("parameters");
    let rows: Vec<_> = DOCUMENT.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), parameters.len());
    for (name, parameter) in parameters {
        let row = format!("| `{name}` | {} | {} | ", shown(&parameter["Default"]), allowed(parameter));
        assert!(rows.iter().any(|own| own.starts_with(&row)), "docs/reference/parameters.md must have {row}");
    }
}

/// Formats a parameter's allowed values, or its minimum and maximum.
fn allowed(parameter: &Value) -> String {
    if let Some(values) = parameter["AllowedValues"].as_array() {
        return values.iter().map(shown).collect::<Vec<_>>().join(", ");
    }
    match (&parameter["MinValue"], &parameter["MaxValue"]) {
        (Value::Null, _) => String::new(),
        (least, most) => format!("{least} to {most}"),
    }
}

fn shown(value: &Value) -> String {
    match value.as_str() {
        Some("") => String::new(),
        Some(text) => format!("`{text}`"),
        None => format!("`{value}`"),
    }
}
