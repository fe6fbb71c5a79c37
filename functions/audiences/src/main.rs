//! The Lambda function behind cohort search, population at home, and markets.

use std::sync::Arc;

use audiences::Release;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let folder = shared::release::open(&app.config, &Release::PARTS).await?;
    lambda_http::run(audiences::router(&app, Arc::new(Release::open(&folder)?))).await
}
