//! The Lambda function for place search, place types, place profiles, and place audience reports.

use std::sync::Arc;

use gateway::{App, serve};
use places::Release;
use release_store::{ReleaseConfig, open_as};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(places::router(&app, Arc::new(release)))
    })
}
