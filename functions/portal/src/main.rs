//! The Lambda function behind the pages of the portal. It reads no table and calls nobody.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::init_logging();
    let settings = portal::Settings::read(&shared::runtime::Environment::Process);
    shared::runtime::serve(portal::router(portal::Pages::built_in()?, settings)).await
}
