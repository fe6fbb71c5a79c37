//! The Lambda function for place search, place matching, place types, brands, place profiles, and place
//! audience reports.

use std::sync::Arc;

use gateway::{App, router_of_release, serve};
use places::Release;
use release_store::{ReleaseConfig, opener};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config.clone(), &Release::PARTS, Release::open);
        let unready = places::routes(&app).into_unready_router();
        let ready = move |app: &App, release: Release| {
            places::router(app, Arc::new(release.with_later_parts_from(&config)))
        };
        Ok(router_of_release(app, unready, open, ready).await)
    })
}
