//! The Lambda function for accounts, credits, health, and all paths that don't belong to another function.

use gateway::{App, serve};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(account::router(&App::read(environment)?)))
}
