//! The Lambda function for `/v2/scenarios/campaigns`.

use gateway::{App, serve};
use release_store::{ReleaseConfig, open_as};
use scenarios::{Campaign, Release};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let release = open_as(&config, &Release::PARTS, Release::open).await?;
        Ok(scenarios::router::<Campaign>(&app, release))
    })
}
