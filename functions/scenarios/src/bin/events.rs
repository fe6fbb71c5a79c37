//! The Lambda function for `/v2/scenarios/events`.

use gateway::{App, serve};
use release_store::{ReleaseConfig, open_as};
use scenarios::{Event, Release};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(scenarios::router::<Event>(&app, release))
    })
}
