//! The streams and queues between functions, and the binaries that use them.

use std::sync::{Arc, Mutex};

use axum::{Json, Router};
use harness::World;
use http::HeaderMap;
use measurement::{EventType, MeasurementEvent};
use serde_json::{Value, json};
use store::STREAM_SORT_KEY_PREFIXES;

use super::events::{asset_for, filled_in};
use super::runtime::{answered, lines_of, start_with};
use super::template::Template;

#[test]
fn stream_filters_have_the_prefixes_that_the_changes_function_reads() {
    let template = Template::read();
    let tables = ["AccountsTable", "CredentialsTable", "AssetsTable"];
    for (table, prefixes) in tables.into_iter().zip(STREAM_SORT_KEY_PREFIXES) {
        let properties = &template.value()["Resources"][table]["Properties"];
        assert_eq!(properties["StreamSpecification"]["StreamViewType"], "NEW_AND_OLD_IMAGES", "{table}");
        let mappings = template.resources("AWS::Lambda::EventSourceMapping");
        let is_of_table = |mapping: &Value| mapping["EventSourceArn"] == format!("{table}.StreamArn");
        let mapping = mappings.iter().map(|(_, mapping)| &mapping["Properties"]).find(|one| is_of_table(one));
        let mapping = mapping.unwrap_or_else(|| panic!("{table} must have a mapping"));
        // The function also receives records that are older than the mapping, and a failed batch is retried
        // until it succeeds.
        assert_eq!(mapping["StartingPosition"], "TRIM_HORIZON", "{table}");
        assert_eq!(mapping.get("MaximumRetryAttempts"), None, "{table}");
        let mut filtered = Vec::new();
        for filter in mapping["FilterCriteria"]["Filters"].as_array().expect("filters") {
            let pattern: Value =
                serde_json::from_str(filter["Pattern"].as_str().expect("a string")).expect("JSON");
            let of_filter = pattern["dynamodb"]["Keys"]["sk"]["S"].as_array().expect("prefixes").clone();
            filtered.extend(
                of_filter.into_iter().map(|one| one["prefix"].as_str().expect("a prefix").to_owned()),
            );
        }
        assert_eq!(filtered, prefixes, "{table}");
    }
}

#[test]
fn only_the_webhooks_function_may_send_messages_to_itself() {
    let template = Template::read();
    for (binary, properties) in template.functions() {
        let expected = (binary == "webhooks").then(|| json!("Allow"));
        assert_eq!(properties.get("RecursiveLoop"), expected.as_ref(), "{binary}");
    }
}

#[test]
fn applied_events_outlive_queue_retention() {
    let template = Template::read();
    let seconds = |queue: &str| {
        let properties = &template.value()["Resources"][queue]["Properties"];
        assert_eq!(properties["FifoQueue"], true, "{queue}");
        properties["MessageRetentionPeriod"].as_u64().expect("seconds")
    };
    let delivered = seconds("MeasurementQueue") + seconds("MeasurementDeadLetterQueue");
    assert!(delivered < 15 * 24 * 60 * 60, "{delivered} s");
}

/// Starts a local stand-in for SQS. Returns its address and the messages that it has received.
async fn queue() -> (String, Arc<Mutex<Vec<Value>>>) {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let keep = sent.clone();
    let queue = Router::new().fallback(move |headers: HeaderMap, message: String| async move {
        assert_eq!(headers["x-amz-target"], "AmazonSQS.SendMessage");
        keep.lock().expect("not poisoned").push(serde_json::from_str::<Value>(&message).expect("JSON"));
        Json(json!({ "MessageId": "1", "MD5OfMessageBody": "" }))
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, queue).await });
    (endpoint, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn sweep_binary_sends_the_events_of_due_steps_to_the_queue() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let buying = "estimates/buy-campaign-measurement.json";
    let asset = asset_for(&world, &org, buying).await;
    let mut process = start_with(&world, "estimates", &[("MEASUREMENT_CREDITS", "25")]).await;
    let bought = answered(process.invoke(&filled_in(buying, &org, &asset)).await);
    assert_eq!(bought["statusCode"], 200, "{bought}");
    process.stop().await;

    let (endpoint, sent) = queue().await;
    let url = format!("{endpoint}/measurement.fifo");
    let variables = [("QUEUE_URL", url.as_str()), ("SQS_ENDPOINT", endpoint.as_str())];
    let mut process = start_with(&world, "sweep", &variables).await;
    let answer = answered(process.invoke(&filled_in("sweep/each-minute.json", &org, &asset)).await);
    assert_eq!(answer, json!({}));
    let lines = process.stop().await;
    let [line]: [Value; 1] = lines_of(&lines, "sweep", &org).try_into().expect("one line");
    assert_eq!((&line["checked"], &line["sent"], &line["failed"]), (&json!(1), &json!(1), &json!(0)));
    let [message]: [Value; 1] = sent.lock().expect("not poisoned").clone().try_into().expect("one message");
    assert_eq!((&message["QueueUrl"], &message["MessageGroupId"]), (&json!(url), &json!(asset)));
    let event: MeasurementEvent =
        serde_json::from_str(message["MessageBody"].as_str().expect("a body")).expect("an event");
    assert_eq!(message["MessageDeduplicationId"], json!(event.event_id));
    assert_eq!(event.event_type, EventType::Started);
    assert!(world.apply(&event).await.is_applied());
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_and_webhooks_binaries_pass_a_change_on_to_its_webhook() {
    let world = World::on_system_clock().await;
    let mut records = world.records();
    let org = world.org("org_a").await;
    let token = world.owner_token(&org).await;
    let body = json!({ "url": "https://hooks.invalid/", "event_types": ["asset.created"] });
    let webhook = world.post("/v2/account/webhooks").bearer(&token).json(&body).send().await.data();
    records.take();
    let (endpoint, sent) = queue().await;
    let url = format!("{endpoint}/deliveries");
    let variables = [("QUEUE_URL", url.as_str()), ("SQS_ENDPOINT", endpoint.as_str())];
    let mut process = start_with(&world, "changes", &variables).await;
    let created = filled_in("changes/asset-created.json", &org, "01990000-0000-7000-8000-000000000000");
    // A current timestamp, because changes are kept for only 30 days.
    let created = created.replace("1773219660", &world.clock.now().unix_seconds().to_string());
    assert_eq!(answered(process.invoke(&created).await), Value::Null);
    let change = world.get("/v2/changes").key(&org.key).send().await.data()["changes"][0].clone();
    assert_eq!(change["type"], "asset.created");
    // The function creates a delivery when it receives the change's record, and sends a message when it
    // receives the delivery's record.
    while let Some(batch) = records.take() {
        assert_eq!(answered(process.invoke(&batch.to_string()).await), Value::Null);
    }
    process.stop().await;
    let messages = std::mem::take(&mut *sent.lock().expect("not poisoned"));
    let [message]: [Value; 1] = messages.try_into().expect("one message");
    assert_eq!((&message["QueueUrl"], &message["DelaySeconds"]), (&json!(url), &json!(0)));
    let file = filled_in("webhooks/delivery.json", &org, "");
    let mut event: Value = serde_json::from_str(&file).expect("JSON");
    event["Records"][0]["body"] = message["MessageBody"].clone();
    let mut process = start_with(&world, "webhooks", &variables).await;
    assert_eq!(answered(process.invoke(&file).await), Value::Null, "unknown deliveries are dropped");
    assert_eq!(answered(process.invoke(&event.to_string()).await), Value::Null);
    process.stop().await;
    let path = format!("/v2/account/webhooks/{}/deliveries", webhook["webhook_id"].as_str().expect("an ID"));
    let deliveries = world.get(&path).bearer(&token).send().await.data();
    let [delivery] = &deliveries.as_array().expect("a list")[..] else { panic!("one delivery") };
    assert_eq!(delivery["delivery_id"], change["change_id"]);
    assert_eq!(delivery["last_error"], "cannot resolve the host name \"hooks.invalid\"");
    let messages = sent.lock().expect("not poisoned").clone();
    let [message]: [Value; 1] = messages.try_into().expect("one message");
    let delay = message["DelaySeconds"].as_i64().expect("seconds");
    assert!((1..=5).contains(&delay), "{message}");
}
