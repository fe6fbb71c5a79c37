//! The Lambda function behind `/v2/scenarios/events`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let geographies = shared::release::open_as(&app.config, &scenarios::PARTS, dataset::Geographies::open).await?;
    lambda_http::run(scenarios::router::<scenarios::Event>(&app, geographies)).await
}
