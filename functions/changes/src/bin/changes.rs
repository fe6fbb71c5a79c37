//! The Lambda function that reads the tables' streams, records changes, and creates deliveries.

use changes::{Queue, StreamBatch, record};
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use runtime::{Clock, Environment, Random, init_logging};
use store::{Connection, Dynamo, connect};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    init_logging();
    let environment = &Environment::Process;
    let queue = Queue::read(environment)?;
    let dynamo = connect(&Connection::read(environment), Clock::System, Random::System);
    // Without the box, the nested futures exceed the compiler's recursion limit.
    run(service_fn(|event: LambdaEvent<StreamBatch>| Box::pin(handle(&dynamo, &queue, event.payload)))).await
}

async fn handle(dynamo: &Dynamo, queue: &Queue, batch: StreamBatch) -> Result<(), Error> {
    for message in &record(dynamo, &batch).await? {
        queue.send(message, 0).await?;
    }
    Ok(())
}
