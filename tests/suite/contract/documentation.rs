//! The errors page, openapi.yaml, the alarms guide, and the template's alarms match the code.

use std::collections::BTreeSet;

use gateway::Code;
use harness::{Contract, sources};
use serde_json::Value;
use strum::IntoEnumIterator;

const ERRORS: &str = include_str!("../../../docs/reference/errors.md");
const ALARMS: &str = include_str!("../../../docs/how-to/alarms.md");

/// Returns the names of all log events in the source code.
fn logged() -> BTreeSet<String> {
    let sources = sources(&["shared", "functions"]);
    let named = sources.iter().flat_map(|(_, source)| source.split("event = \"").skip(1));
    named.map(|rest| rest.split('"').next().expect("a name").to_owned()).collect()
}

#[test]
fn errors_page_has_exactly_one_section_per_error_code() {
    let sections: Vec<_> = ERRORS.split("\n## ").skip(1).collect();
    let headings: BTreeSet<_> = sections.iter().filter_map(|section| section.lines().next()).collect();
    let anchors: BTreeSet<_> = Code::iter().map(|code| code.anchor()).collect();
    assert_eq!(headings, anchors.iter().map(String::as_str).collect());
    assert_eq!(sections.len(), Code::iter().count());
    for code in Code::iter() {
        let section = sections.iter().find(|section| section.starts_with(&format!("{}\n", code.anchor())));
        let text = section
            .and_then(|section| section.split_once("\n\n"))
            .map(|(_, text)| text)
            .expect("the section has text");
        assert!(text.starts_with(&format!("HTTP {}", code.status().as_u16())), "{code:?}: {text}");
    }
}

#[test]
fn openapi_lists_every_error_code() {
    let documented = &Contract::get().document()["components"]["schemas"]["Error"]["properties"]["error"];
    let documented = documented["properties"]["code"]["x-extensible-enum"].as_array().expect("a list");
    let documented: BTreeSet<_> = documented.iter().filter_map(Value::as_str).collect();
    assert_eq!(documented, Code::iter().map(|code| code.as_str()).collect());
}

#[test]
fn alarms_guide_explains_every_log_event() {
    let logged = logged();
    assert!(logged.contains("request") && logged.contains("refund_lost"), "{logged:?}");
    for name in &logged {
        assert!(ALARMS.contains(&format!("`{name}`")), "docs/how-to/alarms.md doesn't explain {name}");
    }
}

#[test]
fn every_charging_function_has_an_alarm_for_owed_credits() {
    let template: Value = serde_saphyr::from_str(include_str!("../../../template.yaml")).expect("valid YAML");
    let resources = template["Resources"].as_object().expect("an object");
    for function in
        ["Campaigns", "Events", "Places", "Audiences", "Estimates", "Inventory", "Tiles", "Account"]
    {
        let metric = format!("{function}MoneyEvents");
        let filter = &resources[&metric]["Properties"];
        assert_eq!(filter["LogGroupName"], format!("{function}LogGroup"));
        let pattern = filter["FilterPattern"].as_str().expect("a pattern");
        let mut named: Vec<_> = pattern.split('"').skip(1).step_by(2).collect();
        named.sort_unstable();
        assert_eq!(named, ["charge_in_doubt", "charge_unanswered", "refund_lost"], "{function}");
        assert!(named.iter().all(|name| logged().contains(*name)), "{function}");
        let transformation = &filter["MetricTransformations"][0];
        let alarm = &resources[&format!("{metric}Alarm")]["Properties"];
        assert_eq!(transformation["MetricName"], metric.as_str());
        assert_eq!(transformation["MetricName"], alarm["MetricName"]);
        assert_eq!(transformation["MetricNamespace"], alarm["Namespace"]);
    }
}
