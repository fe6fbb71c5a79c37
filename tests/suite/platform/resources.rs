//! The stack's tables, variables, timeouts, queues, logs, and alarms match the code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use harness::{World, sources};
use serde_json::{Value, json};
use store::create_tables;

use super::template::{Statement, Template};

/// The objects of the release that the stack's `Release` parameter names.
const RELEASE_OBJECTS: &str = "arn:${AWS::Partition}:s3:::${Release}/*";

/// Variables for functions that open a release.
const OF_A_RELEASE: [&str; 3] = ["RELEASE", "RELEASE_CACHE", "S3_ENDPOINT"];

/// Variables for the measurement function only.
const OF_MEASUREMENT: [&str; 1] = ["PURCHASE_NAMES"];

/// The variable for the estimates and MCP functions only.
const OF_ESTIMATES: [&str; 1] = ["MEASUREMENT_CREDITS"];

/// Variables for the functions that send to a queue: sweep, changes, and webhooks.
const OF_SENDERS: [&str; 2] = ["QUEUE_URL", "SQS_ENDPOINT"];

/// Variables for the account function only.
const OF_ACCOUNT: [&str; 3] = ["MAIL_FROM", "SELF_SIGN_UP", "SIGN_UPS_PER_DAY"];

/// Additional variables for the portal function.
const OF_PORTAL: [&str; 5] =
    ["BASEMAP_ORIGINS", "BASEMAP_STYLE_URL", "SELF_SIGN_UP", "SIGN_IN_URL", "SUPPORT_URL"];

/// The functions that open a release.
const READERS: [&str; 8] =
    ["audiences", "campaigns", "estimates", "events", "inventory", "places", "sweep", "tiles"];

#[test]
fn policies_allow_no_scans_and_no_wildcards_except_release_objects() {
    for (binary, _) in Template::read().functions() {
        for statement in Template::read().statements(binary) {
            let of_release = statement.resource == RELEASE_OBJECTS;
            assert!(of_release || !statement.resource.contains('*'), "{binary}: {statement:?}");
            assert!(
                statement.table().is_none() || !statement.leading_keys.is_empty(),
                "{binary}: {statement:?}"
            );
            for action in &statement.actions {
                assert!(!action.contains('*') && !action.contains("Scan"), "{binary}: {action}");
            }
        }
    }
}

#[test]
fn portal_and_mcp_functions_have_no_permissions() {
    let template = Template::read();
    let without = template.functions().into_iter().filter(|(_, function)| function.get("Policies").is_none());
    assert_eq!(without.map(|(binary, _)| binary).collect::<BTreeSet<_>>(), BTreeSet::from(["mcp", "portal"]));
}

#[test]
fn policies_have_no_duplicate_permissions() {
    let template = Template::read();
    for (binary, _) in template.functions() {
        let mut allowed = BTreeSet::new();
        for Statement { actions, resource, leading_keys } in template.statements(binary) {
            for (action, pattern) in
                actions.iter().flat_map(|action| leading_keys.iter().map(move |key| (action, key)))
            {
                let what = (resource.clone(), action.clone(), pattern.clone());
                assert!(allowed.insert(what.clone()), "{binary} is allowed {what:?} twice");
            }
        }
    }
}

#[test]
fn only_release_readers_may_read_release_objects() {
    let template = Template::read();
    for (binary, _) in template.functions() {
        let statements = template.statements(binary);
        let of_buckets = statements.iter().filter(|statement| statement.resource.contains(":s3:"));
        let allowed: Vec<_> =
            of_buckets.map(|statement| (&statement.actions, statement.resource.as_str())).collect();
        let reading = vec!["s3:GetObject".to_owned()];
        let expected = READERS.contains(&binary).then_some((&reading, RELEASE_OBJECTS));
        assert_eq!(allowed, Vec::from_iter(expected), "{binary}");
    }
}

#[test]
fn stack_without_a_release_grants_no_access_to_objects() {
    let template = Template::read();
    assert_eq!(template.value()["Parameters"]["Release"]["Default"], "");
    assert_eq!(template.value()["Parameters"]["PreviousRelease"]["Default"], "");
    let functions = template.functions();
    for (binary, properties) in functions.iter().filter(|(binary, _)| READERS.contains(binary)) {
        let variables = &properties["Environment"]["Variables"];
        assert_eq!(variables["RELEASE"], json!(["HasRelease", "s3://${Release}", ""]), "{binary}");
        let policies = properties["Policies"].as_array().into_iter().flatten();
        let mut statements = policies.filter_map(|policy| policy["Statement"].as_array()).flatten();
        let fetching = statements.find(|statement| statement["Sid"] == "FetchRelease").expect("a statement");
        // The bucket's ARN doesn't match any object, so it doesn't grant access to objects.
        let expected = json!(["HasRelease", RELEASE_OBJECTS, "ReleaseBucket.Arn"]);
        assert_eq!(fetching["Resource"], expected, "{binary}");
    }
}

#[test]
fn release_alarms_are_disabled_without_a_release() {
    let template = Template::read();
    let functions = template.resources("AWS::Serverless::Function");
    let reads = |name: &str| {
        let (_, function) = functions.iter().find(|(known, _)| *known == name)?;
        let binary = function["Metadata"]["BuildProperties"]["Binary"].as_str()?;
        Some(READERS.contains(&binary))
    };
    let mut silent = 0;
    for (name, alarm) in template.resources("AWS::CloudWatch::Alarm") {
        let errors_of = name.strip_suffix("ErrorsAlarm").unwrap_or_default();
        let of_gateway = ["ApiServer", "SearchServer"].contains(&errors_of);
        let of_release = name == "ReleaseRefusedAlarm";
        let waits = of_gateway || of_release || reads(&format!("{errors_of}Function")).unwrap_or_default();
        let expected = waits.then(|| json!(["HasRelease", true, false]));
        assert_eq!(alarm["Properties"].get("ActionsEnabled"), expected.as_ref(), "{name}");
        silent += usize::from(waits);
    }
    assert_eq!(silent, READERS.len() + 3);
}

#[test]
fn release_that_a_function_refuses_raises_an_alarm() {
    let template = Template::read();
    let filters = template.resources("AWS::Logs::MetricFilter");
    let refusals = filters.iter().filter(|(name, _)| name.ends_with("ReleaseRefused"));
    let mut groups = BTreeSet::new();
    for (name, filter) in refusals {
        let properties = &filter["Properties"];
        assert_eq!(properties["FilterPattern"], "{ $.event = \"release_refused\" }", "{name}");
        assert_watched(&template, properties);
        groups.insert(properties["LogGroupName"].as_str().expect("a group").to_lowercase());
    }
    assert_eq!(groups, READERS.iter().map(|binary| format!("{binary}loggroup")).collect());
}

#[test]
fn tables_are_retained_protected_recoverable_encrypted_and_on_demand() {
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
async fn local_engine_creates_the_tables_of_the_template() {
    let world = World::new().await;
    world.wire.record();
    create_tables(&world.app.dynamo).await.expect("a response");
    let mut created = world.wire.take();
    created.retain(|sent| sent.operation == "CreateTable");
    let template = Template::read();
    let tables = template.resources("AWS::DynamoDB::Table");
    assert_eq!(created.len(), tables.len());
    for (_, table) in tables {
        let wanted = &table["Properties"];
        let name = wanted["TableName"].as_str().expect("a name").replace("${TablePrefix}", "marquee-");
        let made = created.iter().find(|sent| sent.body["TableName"] == name.as_str());
        let made = &made.unwrap_or_else(|| panic!("{name} must be created locally")).body;
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

/// Returns the environment variables that the configuration code reads.
fn variables_read() -> BTreeSet<String> {
    let of_all = include_str!("../../../shared/gateway/src/config.rs");
    let of_a_connection = include_str!("../../../shared/store/src/connection.rs");
    let of_a_process = include_str!("../../../shared/runtime/src/environment.rs");
    let of_a_release = include_str!("../../../shared/release-store/src/config.rs");
    let of_measurement = include_str!("../../../functions/measurement/src/app.rs");
    let of_the_portal = include_str!("../../../functions/portal/src/settings.rs");
    let of_estimates = include_str!("../../../functions/estimates/src/reports/purchase.rs");
    let of_senders = include_str!("../../../functions/changes/src/queue.rs");
    let read_by = |source: &'static str| {
        let code = source.split("#[cfg(test)]").next().expect("code");
        code.split("variable(\"").skip(1).map(|rest| rest.split('"').next().expect("a name").to_owned())
    };
    [
        of_all,
        of_a_connection,
        of_a_process,
        of_a_release,
        of_measurement,
        of_the_portal,
        of_estimates,
        of_senders,
    ]
    .into_iter()
    .flat_map(read_by)
    .collect()
}

/// Returns the binaries whose source code opens a release.
fn readers() -> BTreeSet<String> {
    let sources = sources(&["functions"]).into_iter();
    let is_binary = |path: &Path| {
        path.ends_with("src/main.rs") || path.parent().is_some_and(|folder| folder.ends_with("src/bin"))
    };
    let opening = sources.filter(|(path, source)| is_binary(path) && source.contains("opener("));
    let binary = |(path, _): (PathBuf, String)| {
        // `src/main.rs` belongs to a package's only binary, and `src/bin/NAME.rs` to one of several.
        let name = if path.ends_with("src/main.rs") { path.ancestors().nth(2) } else { Some(path.as_path()) };
        name.and_then(|path| path.file_stem()).expect("a name").to_string_lossy().into_owned()
    };
    opening.map(binary).collect()
}

#[test]
fn environment_variables_are_declared_for_their_functions() {
    let names = |variables: &Value| -> BTreeSet<String> {
        variables.as_object().into_iter().flat_map(|variables| variables.keys().cloned()).collect()
    };
    let template = Template::read();
    let of_all = names(&template.value()["Globals"]["Function"]["Environment"]["Variables"]);
    let of_a_release = BTreeSet::from(OF_A_RELEASE.map(str::to_owned));
    let of_measurement = BTreeSet::from(OF_MEASUREMENT.map(str::to_owned));
    let of_account = BTreeSet::from(OF_ACCOUNT.map(str::to_owned));
    let of_portal = BTreeSet::from(OF_PORTAL.map(str::to_owned));
    let of_estimates = BTreeSet::from(OF_ESTIMATES.map(str::to_owned));
    let of_senders = BTreeSet::from(OF_SENDERS.map(str::to_owned));
    let of_measuring = &(&of_measurement | &of_estimates) | &of_senders;
    let of_some = &(&of_a_release | &of_measuring) | &(&of_account | &of_portal);
    assert!(of_all.is_disjoint(&of_some), "{of_all:?}");
    let mut expected = variables_read();
    assert!(expected.contains("TABLE_PREFIX"), "{expected:?}");
    for of_lambda in ["AWS_ACCESS_KEY_ID", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"] {
        assert!(expected.remove(of_lambda), "{expected:?}");
    }
    // The event adapter reads this variable, which removes the default stage's name from the path.
    expected.insert("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH".to_owned());
    assert_eq!(&of_all | &of_some, expected);

    assert_eq!(readers(), READERS.map(str::to_owned).into());
    for (binary, properties) in template.functions() {
        let own = names(&properties["Environment"]["Variables"]);
        let expected = match binary {
            "account" => of_account.clone(),
            "measurement" => of_measurement.clone(),
            "portal" => of_portal.clone(),
            "estimates" => &of_a_release | &of_estimates,
            "mcp" => of_estimates.clone(),
            "changes" | "webhooks" => of_senders.clone(),
            "sweep" => {
                &(&of_a_release | &of_senders) | &BTreeSet::from(["HANDLER_DEADLINE_SECONDS".to_owned()])
            }
            reader if READERS.contains(&reader) => of_a_release.clone(),
            _ => BTreeSet::new(),
        };
        assert_eq!(own, expected, "{binary}");
    }
    let script = include_str!("../../../scripts/lambda-local");
    for name in expected.iter().map(String::as_str).chain(["AWS_ACCESS_KEY_ID"]) {
        assert!(script.contains(&format!("\"{name}\": ")), "scripts/lambda-local must set {name}");
    }
}

#[test]
fn handler_deadline_is_six_seconds_before_the_function_timeout() {
    let template = Template::read();
    let function = &template.value()["Globals"]["Function"];
    let timeout = function["Timeout"].as_u64().expect("seconds");
    let deadline = &function["Environment"]["Variables"]["HANDLER_DEADLINE_SECONDS"];
    let deadline: u64 = deadline.as_str().expect("a string").parse().expect("seconds");
    assert_eq!(deadline + 6, timeout);
    for (binary, properties) in template.functions().into_iter().filter(|(binary, _)| *binary != "sweep") {
        assert_eq!(properties.get("Timeout"), None, "{binary} uses the global timeout");
    }
    for queue in ["MeasurementQueue", "DeliveryQueue"] {
        let properties = &template.value()["Resources"][queue]["Properties"];
        // AWS recommends a visibility timeout of at least six times the function's timeout.
        assert!(properties["VisibilityTimeout"].as_u64() >= Some(6 * timeout), "{queue}");
    }
}

#[test]
fn functions_have_log_retention_and_error_and_throttle_alarms() {
    let template = Template::read();
    let groups = template.resources("AWS::Logs::LogGroup");
    for (name, group) in &groups {
        assert_eq!(group["Properties"]["RetentionInDays"], "LogRetentionDays", "{name}");
    }
    let functions = template.resources("AWS::Serverless::Function");
    assert_eq!(functions.len(), 14);
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
    for (name, _) in template.resources("AWS::Serverless::HttpApi") {
        assert!(has_alarm(&template, "AWS/ApiGateway", "5xx", name), "{name}");
    }
    for queue in ["MeasurementDeadLetterQueue.QueueName", "DeliveryDeadLetterQueue.QueueName"] {
        assert!(has_alarm(&template, "AWS/SQS", "ApproximateNumberOfMessagesVisible", queue), "{queue}");
    }
    assert!(has_alarm(&template, "AWS/Lambda", "IteratorAge", "ChangesFunction"));
}

#[test]
fn throttle_alarm_counts_only_gateway_throttles() {
    let template = Template::read();
    let filters = template.resources("AWS::Logs::MetricFilter");
    let (_, filter) = filters.iter().find(|(name, _)| *name == "GatewayThrottles").expect("a filter");
    let filter = &filter["Properties"];
    assert_eq!(filter["LogGroupName"], "AccessLogGroup");
    let pattern = filter["FilterPattern"].as_str().expect("a pattern");
    assert_eq!(pattern, "{ ($.status = \"429\") && ($.integrationStatus = \"-\") }");
    for (name, api) in template.resources("AWS::Serverless::HttpApi") {
        let log = &api["Properties"]["AccessLogSettings"];
        assert_eq!(log["DestinationArn"], "AccessLogGroup.Arn", "{name}");
        let format: Value = serde_json::from_str(log["Format"].as_str().expect("a string")).expect("JSON");
        assert_eq!(format["status"], "$context.status", "{name}");
        assert_eq!(format["integrationStatus"], "$context.integrationStatus", "{name}");
    }
    assert_watched(&template, filter);
}

#[test]
fn sign_up_alarm_counts_refusals_by_the_daily_limit() {
    let template = Template::read();
    let filters = template.resources("AWS::Logs::MetricFilter");
    let (_, filter) = filters.iter().find(|(name, _)| *name == "SignUpsExhausted").expect("a filter");
    let filter = &filter["Properties"];
    assert_eq!(filter["LogGroupName"], "AccountLogGroup");
    assert_eq!(filter["FilterPattern"], "{ $.event = \"sign_ups_exhausted\" }");
    assert_watched(&template, filter);
}

/// Checks that an alarm with an action monitors a filter's metric.
fn assert_watched(template: &Template, filter: &Value) {
    let metric = &filter["MetricTransformations"][0];
    let alarms = template.resources("AWS::CloudWatch::Alarm");
    let watches = |alarm: &Value| {
        ["MetricName", "Namespace"]
            .iter()
            .zip(["MetricName", "MetricNamespace"])
            .all(|(ours, theirs)| alarm["Properties"][ours] == metric[theirs])
    };
    let (_, alarm) = alarms.iter().find(|(_, alarm)| watches(alarm)).expect("an alarm");
    assert_eq!(alarm["Properties"]["AlarmActions"], json!(["AlarmTopic"]));
}

#[test]
fn measurement_concurrency_is_reserved_only_on_request() {
    let template = Template::read();
    for (binary, properties) in template.functions() {
        let expected = (binary == "measurement")
            .then(|| json!(["ReserveMeasurement", "MeasurementConcurrency", "AWS::NoValue"]));
        assert_eq!(properties.get("ReservedConcurrentExecutions"), expected.as_ref(), "{binary}");
    }
    assert_eq!(template.value()["Parameters"]["MeasurementConcurrency"]["Default"], "");
}

/// Returns whether an alarm with an action monitors a resource's metric.
fn has_alarm(template: &Template, namespace: &str, metric: &str, resource: &str) -> bool {
    let is_of = |watched: &Value| {
        let dimensions = watched["Dimensions"].as_array();
        let of_resource =
            dimensions.is_some_and(|all| all.iter().any(|dimension| dimension["Value"] == resource));
        watched["Namespace"] == namespace && watched["MetricName"] == metric && of_resource
    };
    template.resources("AWS::CloudWatch::Alarm").iter().any(|(name, alarm)| {
        let properties = &alarm["Properties"];
        assert_eq!(properties["AlarmActions"], json!(["AlarmTopic"]), "{name}");
        let parts = properties["Metrics"].as_array().into_iter().flatten();
        is_of(properties) || parts.map(|part| &part["MetricStat"]["Metric"]).any(is_of)
    })
}
