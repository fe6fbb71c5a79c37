//! The Lambda function for `/v2/scenarios/events`.

use gateway::{App, router_of_release, serve};
use release_store::{ReleaseConfig, opener};
use scenarios::{Release, events};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config, &Release::PARTS, Release::open);
        let unready = events::routes(&app).into_unready_router();
        Ok(router_of_release(app, unready, open, events::router).await)
    })
}
