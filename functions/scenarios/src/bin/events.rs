//! The Lambda function behind `/v2/scenarios/events`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::init_logging();
    let app = shared::App::from_env();
    let folder = shared::release::open(&app.config, &scenarios::PARTS).await?;
    lambda_http::run(scenarios::router::<scenarios::Event>(&app, dataset::Geographies::open(&folder)?)).await
}
