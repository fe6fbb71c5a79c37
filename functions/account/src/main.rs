//! The Lambda function behind health, credits, the interface description, and every path that no other
//! function has.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let app = shared::App::from_env()?;
    shared::runtime::serve(account::router(&app)).await
}
