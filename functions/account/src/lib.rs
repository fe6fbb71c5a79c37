//! Health, credits, bills, the interface description, and the default route.

mod bills;
mod credits;
mod health;
mod openapi;

use axum::Router;
use shared::App;
use shared::http::Routes;
use shared::types::Product;

pub use credits::Balance;

/// Lists the account's operations.
pub fn routes(app: &App) -> Routes<App> {
    Routes::new(app)
        .get("/v2/health", Product::Health, health::read)
        .get("/v2/billing/credits", Product::BillingCredits, credits::read)
        .get("/v2/billing/bills", Product::BillingCredits, bills::list)
        .get("/v2/openapi.yaml", Product::Openapi, openapi::read)
}

/// Makes the account's router.
pub fn router(app: &App) -> Router {
    routes(app).into_router(app.clone())
}
