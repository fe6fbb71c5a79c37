//! The Lambda function behind the pages of the portal. It reads no table and calls nobody.

use gateway::serve;
use portal::{Pages, Settings};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(portal::router(Pages::built_in()?, Settings::read(environment))))
}
