//! The Lambda function for vector tiles, tile grants, and the base map.

use std::sync::Arc;

use gateway::{App, router_of_release, serve};
use release_store::{ReleaseConfig, opener};
use tiles::Release;

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config, &Release::PARTS, Release::open);
        let unready = tiles::routes(&app).into_unready_router();
        Ok(router_of_release(app, unready, open, |app, release| tiles::router(app, Arc::new(release))).await)
    })
}
