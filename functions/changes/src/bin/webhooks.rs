//! The Lambda function that sends deliveries to webhooks.

use aws_lambda_events::event::sqs::SqsEvent;
use changes::{Deliverer, DeliveryMessage, Destinations, Later, Lookup, Queue, Sender};
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use runtime::{Clock, Environment, Random, init_logging};
use store::{Connection, connect};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    init_logging();
    let environment = &Environment::Process;
    let queue = Queue::read(environment)?;
    let dynamo = connect(&Connection::read(environment), Clock::System, Random::System);
    let sender = Sender::new(Destinations::Public(Lookup::System));
    let deliverer = Deliverer { dynamo, clock: Clock::System, sender };
    // Without the box, the nested futures exceed the compiler's recursion limit.
    run(service_fn(|event: LambdaEvent<SqsEvent>| Box::pin(handle(&deliverer, &queue, event.payload)))).await
}

/// Makes the delivery attempts that a batch of messages requests, and queues the follow-up messages. If this
/// returns an error, the queue redelivers the batch.
async fn handle(deliverer: &Deliverer, queue: &Queue, batch: SqsEvent) -> Result<(), Error> {
    for message in batch.records {
        let message: DeliveryMessage = serde_json::from_str(&message.body.unwrap_or_default())?;
        if let Some(Later { message, at }) = deliverer.deliver(&message).await? {
            let millis = at.unix_millis() - deliverer.clock.now().unix_millis();
            queue.send(&message, (millis + 999) / 1000).await?;
        }
    }
    Ok(())
}
