//! The Lambda function that measurement products send their events to.

use lambda_http::lambda_runtime::{LambdaEvent, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    // Boxed, or the nested futures are deeper than the compiler looks.
    run(service_fn(|event: LambdaEvent<serde_json::Value>| Box::pin(measurement::handle(&app, event.payload)))).await
}
