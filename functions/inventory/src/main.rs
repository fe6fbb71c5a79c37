//! The Lambda function behind inventory search.

use std::sync::Arc;

use inventory::Release;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let release = shared::release::open_as(&app.config, &Release::PARTS, Release::open).await?;
    lambda_http::run(inventory::router(&app, Arc::new(release))).await
}
