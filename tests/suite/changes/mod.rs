//! Tests of recorded changes and their deliveries to webhooks.

mod attempts;
mod delivered;
mod feed;
mod recording;
mod webhooks;

use changes::{DeliveryMessage, Later};
use harness::{Receiver, TestOrg, World, as_function};
use marquee::engine::Records;
use marquee::webhooks::{local_deliverer, record_batch};
use serde_json::{Value, json};

const WEBHOOKS: &str = "/v2/account/webhooks";

/// The types that a webhook can subscribe to.
const TYPES: [&str; 7] = [
    "asset.created",
    "asset.updated",
    "asset.state_changed",
    "asset.deleted",
    "key.created",
    "key.revoked",
    "credits.low",
];

/// A world in which changes are recorded and delivered only when a test calls these methods.
struct Flow {
    world: World,
    records: Records,
}

impl Flow {
    async fn with_org() -> (Self, TestOrg) {
        let world = World::new().await;
        let records = world.records();
        let org = world.org("org_a").await;
        let mut flow = Self { world, records };
        flow.record().await;
        (flow, org)
    }

    /// Records the changes that all writes so far have made, including writes made by the recording itself.
    /// Returns the messages for the deliveries.
    async fn record(&mut self) -> Vec<DeliveryMessage> {
        let mut messages = Vec::new();
        while let Some(batch) = self.records.take() {
            let recording = as_function("changes", record_batch(&self.world.app, batch));
            messages.extend(recording.await.expect("the database responds"));
        }
        messages
    }

    /// Attempts a delivery. Returns the message for the next attempt, if there is one.
    async fn deliver(&self, message: &DeliveryMessage) -> Option<Later> {
        let deliverer = local_deliverer(&self.world.app);
        as_function("webhooks", deliverer.deliver(message)).await.expect("the database responds")
    }

    /// Records all changes and makes each delivery's first attempt. Returns the messages for the retries.
    async fn deliver_all(&mut self) -> Vec<Later> {
        let mut later = Vec::new();
        for message in self.record().await {
            later.extend(self.deliver(&message).await);
        }
        later
    }

    /// Advances the clock to the next attempt and makes it. Returns the message for the attempt after it, if
    /// there is one.
    async fn retry(&self, later: Later) -> Option<Later> {
        self.world.clock.advance(later.at.unix_millis() - self.world.clock.now().unix_millis());
        self.deliver(&later.message).await
    }

    async fn page(&self, org: &TestOrg, query: &str) -> Value {
        let answer = self.world.get(&format!("/v2/changes{query}")).key(&org.key).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.data()
    }

    /// Creates a webhook that subscribes to the given types of changes.
    async fn webhook(&self, token: &str, url: &str, types: &[&str]) -> Value {
        let body = json!({ "url": url, "event_types": types });
        let answer = self.world.post(WEBHOOKS).bearer(token).json(&body).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.data()
    }

    /// Lists the newest deliveries to a webhook.
    async fn deliveries(&self, token: &str, webhook: &Value) -> Vec<Value> {
        let answer = self.world.get(&format!("{}/deliveries", path_of(webhook))).bearer(token).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.data().as_array().expect("a list").clone()
    }

    /// Finds a webhook in the list.
    async fn read(&self, token: &str, webhook: &Value) -> Value {
        let listed = self.world.get(WEBHOOKS).bearer(token).send().await.data();
        let listed = listed.as_array().expect("a list").iter();
        listed.clone().find(|listed| listed["webhook_id"] == webhook["webhook_id"]).expect("listed").clone()
    }
}

/// Creates a flow, an organization, its owner's token, a receiver, and a webhook that sends the given types
/// of changes to the receiver.
async fn receiving(types: &[&str]) -> (Flow, TestOrg, String, Receiver, Value) {
    let (flow, org) = Flow::with_org().await;
    let token = flow.world.owner_token(&org).await;
    let receiver = Receiver::start().await;
    let webhook = flow.webhook(&token, &receiver.url, types).await;
    (flow, org, token, receiver, webhook)
}

fn path_of(webhook: &Value) -> String {
    format!("{WEBHOOKS}/{}", webhook["webhook_id"].as_str().expect("an ID"))
}

/// Returns the types of changes or messages.
fn types_of(changes: &Value) -> Vec<&str> {
    let changes = changes.as_array().expect("a list").iter();
    changes.map(|change| change["type"].as_str().expect("a type")).collect()
}
