//! The Lambda function behind cohort search, population at home, and markets.

use std::sync::Arc;

use audiences::Release;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let release = shared::release::open_as(&app.config, &Release::PARTS, Release::open).await?;
    lambda_http::run(audiences::router(&app, Arc::new(release))).await
}
