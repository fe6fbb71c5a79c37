//! The Lambda function that measurement products send their events to.

use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use measurement::{App, handle};
use runtime::{Environment, init_logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    init_logging();
    let app = App::read(&Environment::Process)?;
    // Boxed, or the nested futures are deeper than the compiler looks.
    run(service_fn(|event: LambdaEvent<serde_json::Value>| Box::pin(handle(&app, event.payload)))).await
}
