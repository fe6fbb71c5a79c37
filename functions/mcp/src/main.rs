//! The Lambda function for AI agents. It forwards calls to the API, and uses neither the database nor a data
//! release.

use gateway::{Config, serve};
use mcp::Settings;

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| Ok(mcp::router(Settings::of(&Config::read(environment)?))))
}
