//! The Lambda function that measurement products send their events to.

use lambda_runtime::{Error, LambdaEvent, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    // Boxed, or the nested futures are deeper than the compiler looks.
    run(service_fn(|event: LambdaEvent<serde_json::Value>| {
        Box::pin(measurement::handle(&app, event.payload))
    }))
    .await
}
