//! The Lambda function for inventory search and display lookup.

use std::sync::Arc;

use gateway::{App, serve};
use inventory::Release;
use release_store::{ReleaseConfig, open_as};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(inventory::router(&app, Arc::new(release)))
    })
}
