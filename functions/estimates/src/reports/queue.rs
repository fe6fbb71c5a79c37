//! The queue that delivers events to the measurement function.

use aws::{LocalEndpoint, sdk_config};
use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::DisplayErrorContext;
use measurement::MeasurementEvent;

/// A client for the measurement function's FIFO queue.
#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// Creates a client for the queue, which is in the Lambda function's region or on a local stand-in for
    /// SQS. Doesn't send a request.
    pub fn connect(url: String, stand_in: Option<LocalEndpoint>) -> Self {
        Self { client: Client::new(&sdk_config(&stand_in, &None, &None)), url }
    }

    /// Sends an event and returns whether it was sent. Failures are logged. The queue delivers an asset's
    /// events in order, and drops an event that was already sent within the last five minutes.
    pub async fn send(&self, event: &MeasurementEvent) -> bool {
        let sent = self
            .client
            .send_message()
            .queue_url(&self.url)
            .message_group_id(event.asset_id.to_string())
            .message_deduplication_id(event.event_id.to_string())
            .message_body(serde_json::to_string(event).expect("an event serializes to JSON"))
            .send()
            .await;
        let logged = sent.inspect_err(|error| {
            let error = DisplayErrorContext(error);
            tracing::error!(event = "measurement_not_sent", event_id = %event.event_id, %error);
        });
        logged.is_ok()
    }
}
