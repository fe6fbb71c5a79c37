//! Records changes and sends webhook deliveries in the local process. In the cloud, two functions and a queue
//! do this.

use std::collections::BTreeMap;
use std::time::Duration;

use accounting::Timestamp;
use changes::{Deliverer, DeliveryMessage, Destinations, Later, Sender, StreamBatch, record};
use gateway::App;
use serde_json::Value;
use store::StoreError;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::engine::Records;

/// How often to check for due deliveries.
const EVERY: Duration = Duration::from_millis(500);

/// How long to wait before retrying a delivery that was interrupted by a database failure, in seconds.
const FAILED_SECONDS: i64 = 5;

/// Returns the local process's deliverer, which can also deliver to webhooks on this machine.
pub fn local_deliverer(app: &App) -> Deliverer {
    let sender = Sender::new(Destinations::Local);
    Deliverer { dynamo: app.dynamo.clone(), clock: app.clock.clone(), sender }
}

/// Records the changes in a batch of stream records and returns the messages for the delivery queue.
pub async fn record_batch(app: &App, batch: Value) -> Result<Vec<DeliveryMessage>, StoreError> {
    let batch: StreamBatch = serde_json::from_value(batch).expect("the engine's records have Lambda's form");
    record(&app.dynamo, &batch).await
}

/// Records changes and sends deliveries until the engine stops. Pending deliveries are lost when the process
/// ends.
pub(crate) async fn deliver_changes(app: App, mut records: Records) {
    let deliverer = local_deliverer(&app);
    let (queue, mut queued) = unbounded_channel();
    let mut waiting: BTreeMap<Timestamp, Vec<DeliveryMessage>> = BTreeMap::new();
    let mut tick = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            batch = records.next() => match batch {
                Some(batch) => waiting.entry(app.clock.now()).or_default().extend(recorded(&app, batch).await),
                None => return,
            },
            Some(Later { message, at }) = queued.recv() => waiting.entry(at).or_default().push(message),
            _ = tick.tick() => {}
        }
        let later = waiting.split_off(&app.clock.now());
        for message in std::mem::replace(&mut waiting, later).into_values().flatten() {
            tokio::spawn(deliver(deliverer.clone(), message, queue.clone()));
        }
    }
}

/// Records a batch. Retries until the database responds.
async fn recorded(app: &App, batch: Value) -> Vec<DeliveryMessage> {
    loop {
        if let Ok(messages) = record_batch(app, batch.clone()).await {
            return messages;
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn deliver(deliverer: Deliverer, message: DeliveryMessage, queue: UnboundedSender<Later>) {
    let later = deliverer.deliver(&message).await.unwrap_or_else(|_failed| {
        let at = deliverer.clock.now().plus_seconds(FAILED_SECONDS);
        Some(Later { message, at })
    });
    if let Some(later) = later {
        // Ignore errors, because the receiver only stops when the process does.
        let _ = queue.send(later);
    }
}
