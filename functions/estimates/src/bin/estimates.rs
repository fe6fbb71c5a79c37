//! The Lambda function for estimates and measurements of campaigns and events.

use std::sync::Arc;

use estimates::{OwnMeasurement, Release};
use gateway::{App, router_of_release, serve};
use release_store::{ReleaseConfig, opener};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let own = OwnMeasurement::read(app.config.measurement_credits, environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config.clone(), &Release::PARTS, Release::open);
        let unready = estimates::routes(&app).into_unready_router();
        let ready = move |app: &App, release: Release| {
            estimates::router(app, Arc::new(release.with_later_parts_from(&config)), own.clone())
        };
        Ok(router_of_release(app, unready, open, ready).await)
    })
}
