//! The Lambda function behind inventory search and the lookup of displays.

use std::sync::Arc;

use inventory::Release;

use release_store::ReleaseConfig;
use shared::runtime::Environment;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    let release =
        release_store::open_as(&ReleaseConfig::read(&Environment::Process), &Release::PARTS, Release::open)
            .await?;
    shared::runtime::serve(inventory::router(&app, Arc::new(release))).await
}
