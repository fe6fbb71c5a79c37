//! The queue that delivers messages to the webhooks function.

use aws::{LocalEndpoint, sdk_config};
use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::DisplayErrorContext;
use lambda_runtime::Error;
use runtime::Environment;

use crate::message::DeliveryMessage;

/// The maximum delay for a message, in seconds. See
/// <https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-delay-queues.html>.
const MAX_DELAY_SECONDS: i64 = 900;

/// A client for the SQS queue of delivery messages.
#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// Connects to the queue that `QUEUE_URL` names.
    ///
    /// # Errors
    ///
    /// Returns an error if `QUEUE_URL` isn't set.
    pub fn read(environment: &Environment) -> Result<Self, Error> {
        let url =
            environment.variable("QUEUE_URL").ok_or("QUEUE_URL must be the URL of the delivery queue")?;
        let stand_in = environment.variable("SQS_ENDPOINT").map(LocalEndpoint::at);
        Ok(Self { client: Client::new(&sdk_config(&stand_in, &None, &None)), url })
    }

    /// Sends a message that arrives after `delay_seconds`, or after the queue's maximum delay if that's
    /// shorter. If a message arrives too early, its receiver must resend it.
    pub async fn send(&self, message: &DeliveryMessage, delay_seconds: i64) -> Result<(), Error> {
        let delay = delay_seconds.clamp(0, MAX_DELAY_SECONDS) as i32;
        let body = serde_json::to_string(message).expect("a message serializes to JSON");
        let request = self.client.send_message().queue_url(&self.url).delay_seconds(delay).message_body(body);
        // If one organization has many messages, the queue delivers other organizations' messages first. See
        // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html.
        let request = request.message_group_id(message.org_id.as_str());
        request.send().await.inspect_err(|error| {
            let reason = DisplayErrorContext(error).to_string();
            tracing::error!(event = "delivery_not_queued", delivery_id = %message.delivery_id, reason);
        })?;
        Ok(())
    }
}
