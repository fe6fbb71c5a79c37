use std::collections::BTreeSet;

use harness::World;
use serde_json::{Value, json};
use shared::dynamo::create_tables;

use super::template::Template;

#[test]
fn no_policy_allows_a_scan_or_anything_by_wildcard() {
    for (binary, _) in Template::read().functions() {
        for statement in Template::read().statements(binary) {
            assert!(!statement.resource.contains('*'), "{binary}: {statement:?}");
            assert!(statement.table().is_none() || !statement.leading_keys.is_empty(), "{binary}: {statement:?}");
            for action in &statement.actions {
                assert!(!action.contains('*') && !action.contains("Scan"), "{binary}: {action}");
            }
        }
    }
}

#[test]
fn every_table_is_kept_protected_recoverable_encrypted_and_billed_by_request() {
    let template = Template::read();
    let tables = template.resources("AWS::DynamoDB::Table");
    assert_eq!(tables.len(), 3);
    for (name, table) in tables {
        assert_eq!(table["DeletionPolicy"], "Retain", "{name}");
        assert_eq!(table["UpdateReplacePolicy"], "Retain", "{name}");
        let properties = &table["Properties"];
        let expected = [
            ("/BillingMode", json!("PAY_PER_REQUEST")),
            ("/DeletionProtectionEnabled", json!(true)),
            ("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled", json!(true)),
            ("/SSESpecification/SSEEnabled", json!(true)),
            ("/TimeToLiveSpecification", json!({ "AttributeName": "ttl", "Enabled": true })),
        ];
        for (pointer, value) in expected {
            assert_eq!(properties.pointer(pointer), Some(&value), "{name}{pointer}");
        }
    }
}

#[tokio::test]
async fn the_local_engine_gets_the_tables_of_the_template() {
    let world = World::new().await;
    world.wire.record();
    create_tables(&world.app.dynamo).await.expect("the engine answers");
    let created = world.wire.take();
    let template = Template::read();
    let tables = template.resources("AWS::DynamoDB::Table");
    assert_eq!(created.len(), tables.len());
    for (_, table) in tables {
        let wanted = &table["Properties"];
        let name = wanted["TableName"].as_str().expect("a name").replace("${TablePrefix}", "marquee-");
        let made = created.iter().find(|sent| sent.body["TableName"] == name.as_str());
        let made = &made.unwrap_or_else(|| panic!("{name} is not created locally")).body;
        for member in ["KeySchema", "GlobalSecondaryIndexes", "BillingMode"] {
            assert_eq!(made.get(member), wanted.get(member), "{name}: {member}");
        }
        let names = |table: &Value| -> BTreeSet<String> {
            let attributes = table["AttributeDefinitions"].as_array().expect("attributes");
            attributes.iter().map(Value::to_string).collect()
        };
        assert_eq!(names(made), names(wanted), "{name}");
    }
}

/// Returns the names of the variables that the configuration reads.
fn variables_read() -> BTreeSet<String> {
    let source = include_str!("../../../shared/src/config.rs");
    let (code, _tests) = source.split_once("#[cfg(test)]").expect("code before tests");
    let called = code.split("variable(\"").skip(1);
    called.map(|rest| rest.split('"').next().expect("a name").to_owned()).collect()
}

#[test]
fn every_variable_that_is_read_is_declared_for_every_function() {
    let template = Template::read();
    let globals = &template.value()["Globals"]["Function"]["Environment"]["Variables"];
    let declared: BTreeSet<String> = globals.as_object().expect("variables").keys().cloned().collect();
    let mut expected = variables_read();
    assert!(expected.contains("TABLE_PREFIX"), "{expected:?}");
    // Read by the event adapter: the default stage's name is no part of the path.
    expected.insert("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH".to_owned());
    assert_eq!(declared, expected);
    for (binary, properties) in template.functions() {
        assert_eq!(properties.get("Environment"), None, "{binary} has the variables of all");
    }
    let script = include_str!("../../../scripts/lambda-local");
    for name in &declared {
        assert!(script.contains(&format!("\"{name}\": ")), "scripts/lambda-local gives no {name}");
    }
}

#[test]
fn a_handler_is_stopped_five_seconds_before_its_function_is() {
    let template = Template::read();
    let function = &template.value()["Globals"]["Function"];
    let timeout = function["Timeout"].as_u64().expect("seconds");
    let deadline = &function["Environment"]["Variables"]["HANDLER_DEADLINE_SECONDS"];
    let deadline: u64 = deadline.as_str().expect("a text").parse().expect("seconds");
    assert_eq!(deadline + 5, timeout);
    for (binary, properties) in template.functions() {
        assert_eq!(properties.get("Timeout"), None, "{binary} has the timeout of all");
    }
    let queue = &template.value()["Resources"]["MeasurementQueue"]["Properties"];
    assert!(queue["VisibilityTimeout"].as_u64() >= Some(6 * timeout), "a message stays hidden while it is tried");
}

#[test]
fn an_event_is_remembered_for_longer_than_the_queues_can_deliver_it() {
    let template = Template::read();
    let seconds = |queue: &str| {
        let properties = &template.value()["Resources"][queue]["Properties"];
        assert_eq!(properties["FifoQueue"], true, "{queue}");
        properties["MessageRetentionPeriod"].as_u64().expect("seconds")
    };
    let delivered = seconds("MeasurementQueue") + seconds("MeasurementDeadLetterQueue");
    assert!(delivered < 15 * 24 * 60 * 60, "{delivered} s");
}

#[test]
fn every_function_has_a_log_that_ends_and_alarms_for_errors_and_throttles() {
    let template = Template::read();
    let groups = template.resources("AWS::Logs::LogGroup");
    for (name, group) in &groups {
        assert_eq!(group["Properties"]["RetentionInDays"], "LogRetentionDays", "{name}");
    }
    let functions = template.resources("AWS::Serverless::Function");
    assert_eq!(functions.len(), 4);
    for (name, function) in functions {
        let group = function["Properties"]["LoggingConfig"]["LogGroup"].as_str().expect("a log group");
        assert!(groups.iter().any(|(known, _)| *known == group), "{name}");
        for metric in ["Errors", "Throttles"] {
            assert!(has_alarm(&template, "AWS/Lambda", metric, name), "{name}: {metric}");
        }
    }
    for (name, _) in template.resources("AWS::DynamoDB::Table") {
        assert!(has_alarm(&template, "AWS/DynamoDB", "ReadThrottleEvents", name), "{name}");
        assert!(has_alarm(&template, "AWS/DynamoDB", "WriteThrottleEvents", name), "{name}");
    }
    assert!(has_alarm(&template, "AWS/ApiGateway", "5xx", "HttpApi"));
    let dead_letters = "MeasurementDeadLetterQueue.QueueName";
    assert!(has_alarm(&template, "AWS/SQS", "ApproximateNumberOfMessagesVisible", dead_letters));
}

/// Tells whether an alarm that is sent to somebody watches a metric of a resource.
fn has_alarm(template: &Template, namespace: &str, metric: &str, resource: &str) -> bool {
    let is_of = |watched: &Value| {
        let dimensions = watched["Dimensions"].as_array();
        let of_resource = dimensions.is_some_and(|all| all.iter().any(|dimension| dimension["Value"] == resource));
        watched["Namespace"] == namespace && watched["MetricName"] == metric && of_resource
    };
    template.resources("AWS::CloudWatch::Alarm").iter().any(|(name, alarm)| {
        let properties = &alarm["Properties"];
        assert_eq!(properties["AlarmActions"], json!(["AlarmTopic"]), "{name}");
        let parts = properties["Metrics"].as_array().into_iter().flatten();
        is_of(properties) || parts.map(|part| &part["MetricStat"]["Metric"]).any(is_of)
    })
}
