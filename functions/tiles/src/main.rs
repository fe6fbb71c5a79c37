//! The Lambda function behind vector tiles and the grants to see them.

use std::sync::Arc;

use tiles::Release;

use release_store::ReleaseConfig;
use shared::runtime::Environment;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    let release =
        release_store::open_as(&ReleaseConfig::read(&Environment::Process), &Release::PARTS, Release::open)
            .await?;
    shared::runtime::serve(tiles::router(&app, Arc::new(release))).await
}
