//! The Lambda function behind place search, place profiles and place audience reports.

use std::sync::Arc;

use places::Release;

use release_store::ReleaseConfig;
use shared::runtime::Environment;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    let release =
        release_store::open_as(&ReleaseConfig::read(&Environment::Process), &Release::PARTS, Release::open)
            .await?;
    shared::runtime::serve(places::router(&app, Arc::new(release))).await
}
