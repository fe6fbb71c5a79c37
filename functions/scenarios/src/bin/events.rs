//! The Lambda function behind `/v2/scenarios/events`.

use release_store::ReleaseConfig;
use shared::runtime::Environment;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    let release = release_store::open_as(
        &ReleaseConfig::read(&Environment::Process),
        &scenarios::Release::PARTS,
        scenarios::Release::open,
    )
    .await?;
    shared::runtime::serve(scenarios::router::<scenarios::Event>(&app, release)).await
}
