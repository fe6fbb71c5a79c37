//! The Lambda function behind vector tiles and the grants to see them.

use std::sync::Arc;

use tiles::Release;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let release = shared::release::open_as(&app.config, &Release::PARTS, Release::open).await?;
    lambda_http::run(tiles::router(&app, Arc::new(release))).await
}
