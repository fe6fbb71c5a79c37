//! The Lambda function that receives measurement events.

use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use measurement::{App, handle};
use runtime::{Environment, init_logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    init_logging();
    let app = App::read(&Environment::Process)?;
    // Without the box, the nested futures exceed the compiler's recursion limit.
    run(service_fn(|event: LambdaEvent<serde_json::Value>| Box::pin(handle(&app, event.payload)))).await
}
