//! The Lambda function behind health, credits, the interface description, and every path that no other
//! function has.

use gateway::{App, serve};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(account::router(&App::read(environment)?)))
}
