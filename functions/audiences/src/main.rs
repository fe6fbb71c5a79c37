//! The Lambda function for cohort search, population at home, and markets.

use std::sync::Arc;

use audiences::Release;
use gateway::{App, router_of_release, serve};
use release_store::{ReleaseConfig, opener};

fn main() -> Result<(), lambda_http::Error> {
    serve(async |environment| {
        let app = App::read(environment)?;
        let config = ReleaseConfig::read(|name| environment.variable(name));
        let open = opener(config, &Release::PARTS, Release::open);
        let unready = audiences::routes(&app).into_unready_router();
        Ok(router_of_release(app, unready, open, |app, release| audiences::router(app, Arc::new(release)))
            .await)
    })
}
