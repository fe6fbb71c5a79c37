//! The Lambda function for vector tiles and tile grants.

use std::sync::Arc;

use gateway::{App, serve};
use release_store::{ReleaseConfig, open_as};
use tiles::Release;

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(tiles::router(&app, Arc::new(release)))
    })
}
