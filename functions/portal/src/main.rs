//! The Lambda function that serves the portal. It uses neither the database nor other services.

use gateway::serve;
use portal::{Pages, Settings};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(portal::router(Pages::built_in()?, Settings::read(environment)?)))
}
