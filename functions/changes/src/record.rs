//! Records writes from the tables' streams as changes and creates the deliveries of recorded changes.
//!
//! A stream reports each write at least once and reports the writes to one partition in order. Each write
//! triggers the next step: when an asset is written, a change is recorded; when the change is written, its
//! deliveries are created; and when a delivery is written, a message is sent to the queue. Repeating a step
//! has no effect, so a process can stop at any time.

use std::collections::HashMap;
use std::error::Error;

use accounting::OrgId;
use futures_util::stream::{self, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    ChangeDetails, ChangeType, Changes, Deliveries, Delivery, Dynamo, NewChange, Observed, RecordedChange,
    StoreError, StreamEvent, StreamRecord, Webhook, WebhookId, Webhooks,
};

use crate::message::DeliveryMessage;

/// The maximum number of deliveries that are created concurrently.
const AT_ONCE: usize = 16;

/// A batch of records, as Lambda receives it from a stream.
#[derive(Debug, Deserialize)]
pub struct StreamBatch {
    #[serde(rename = "Records")]
    records: Vec<Value>,
}

/// Handles a batch of records from the stream of any table. Returns the messages to send to the delivery
/// queue. If the database fails, logs and returns the error. The whole batch must then be handled again.
///
/// A record that can't be read is logged and skipped, because it would block all later records.
pub async fn record(dynamo: &Dynamo, batch: &StreamBatch) -> Result<Vec<DeliveryMessage>, StoreError> {
    let (mut changes, mut recorded, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for record in &batch.records {
        match event(record) {
            Ok(StreamEvent::Changed(observed)) => changes.push(observed),
            Ok(StreamEvent::Recorded(org, change)) => recorded.push((org, change)),
            Ok(StreamEvent::DeliveryRequested { org, webhook, delivery }) => {
                messages.push(DeliveryMessage::new(org, webhook, &delivery));
            }
            Ok(StreamEvent::Nothing) => {}
            Err(error) => tracing::error!(event = "stream_record_unreadable", %error),
        }
    }
    let recording = async {
        record_changes(dynamo, changes).await?;
        request_deliveries(dynamo, recorded).await
    };
    recording.await.inspect_err(|error| tracing::error!(event = "changes_not_recorded", %error))?;
    Ok(messages)
}

async fn record_changes(dynamo: &Dynamo, observed: Vec<Observed>) -> Result<(), StoreError> {
    let mut by_org: HashMap<OrgId, Vec<(Observed, NewChange)>> = HashMap::new();
    for observed in observed {
        let change = described(&observed.details);
        by_org.entry(observed.org.clone()).or_default().push((observed, change));
    }
    let changes = Changes::new(dynamo.clone());
    for (org, observed) in &by_org {
        changes.record(org, observed).await?;
    }
    Ok(())
}

async fn request_deliveries(
    dynamo: &Dynamo,
    recorded: Vec<(OrgId, RecordedChange)>,
) -> Result<(), StoreError> {
    let (webhooks, deliveries) = (&Webhooks::new(dynamo.clone()), &Deliveries::new(dynamo.clone()));
    let mut of_orgs: HashMap<OrgId, Vec<Webhook>> = HashMap::new();
    let mut requests = Vec::new();
    for (org, change) in &recorded {
        if !of_orgs.contains_key(org) {
            of_orgs.insert(org.clone(), webhooks.list(org).await?);
        }
        let receiving = of_orgs[org].iter().filter(|webhook| webhook.receives(change));
        requests.extend(receiving.map(|webhook| (org, webhook.id.clone(), delivery(change))));
    }
    let request = |(org, webhook, delivery): (_, WebhookId, Delivery)| async move {
        deliveries.request(org, &webhook, &delivery).await
    };
    stream::iter(requests.into_iter().map(Ok)).try_for_each_concurrent(AT_ONCE, request).await
}

fn event(record: &Value) -> Result<StreamEvent, Box<dyn Error>> {
    Ok(StreamRecord::deserialize(record)?.event()?)
}

fn described(details: &ChangeDetails) -> NewChange {
    let (change_type, data) = match details {
        ChangeDetails::Asset { family, id, version, before, after } => {
            let change_type = match (before, after) {
                (None, _) => ChangeType::AssetCreated,
                (Some(_), None) => ChangeType::AssetDeleted,
                (Some(before), Some(after)) if before == after => ChangeType::AssetUpdated,
                (Some(_), Some(_)) => ChangeType::AssetStateChanged,
            };
            let mut data = json!({"family": family, "asset_id": id, "version": version});
            if let Some(state) = after {
                data["state"] = json!(state);
            }
            if change_type == ChangeType::AssetStateChanged {
                data["previous_state"] = json!(before);
            }
            (change_type, data)
        }
        ChangeDetails::KeyCreated(key) => (ChangeType::KeyCreated, key_data(key)),
        ChangeDetails::KeyRevoked(key) => (ChangeType::KeyRevoked, key_data(key)),
        ChangeDetails::CreditsLow { percent_left, balance } => {
            (ChangeType::CreditsLow, json!({"percent_left": percent_left, "balance": balance}))
        }
    };
    NewChange { change_type, data: data.to_string() }
}

fn key_data(key: &store::Key) -> Value {
    json!({"key_id": key.id, "label": key.label, "last_four": key.last_four})
}

fn delivery(change: &RecordedChange) -> Delivery {
    let RecordedChange { change_type, at, data, .. } = change;
    Delivery::new(change.id(), change_type.to_string(), data.clone(), *at)
}
