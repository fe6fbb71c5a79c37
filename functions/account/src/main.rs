//! The Lambda function for health, credits, the OpenAPI description, and all paths without a function of
//! their own.

use gateway::{App, serve};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(account::router(&App::read(environment)?)))
}
