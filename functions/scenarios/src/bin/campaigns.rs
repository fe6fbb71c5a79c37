//! The Lambda function for `/v2/scenarios/campaigns`.

use gateway::{App, router_of_release, serve};
use release_store::{ReleaseConfig, opener};
use scenarios::{Release, campaigns};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config, &Release::PARTS, Release::open);
        let unready = campaigns::routes(&app).into_unready_router();
        Ok(router_of_release(app, unready, open, campaigns::router).await)
    })
}
