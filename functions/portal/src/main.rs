//! The Lambda function that serves the portal's pages. It uses no database and calls no other service.

use gateway::serve;
use portal::{Pages, Settings};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(portal::router(Pages::built_in()?, Settings::read(environment))))
}
