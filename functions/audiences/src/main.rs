//! The Lambda function for cohort search, population at home, and markets.

use std::sync::Arc;

use audiences::Release;
use gateway::{App, serve};
use release_store::{ReleaseConfig, open_as};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(audiences::router(&app, Arc::new(release)))
    })
}
