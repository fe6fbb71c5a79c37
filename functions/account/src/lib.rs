//! The account function: health, people and their organizations, API keys, credits, usage, bills, and the
//! OpenAPI description. It also handles all paths that don't belong to another function.

mod account;
mod acting_member;
mod bills;
mod credits;
mod grants;
mod health;
mod invitations;
mod key_body;
mod keys;
mod mailer;
mod members;
mod openapi;
mod person_account;
mod sign_up;
mod sign_up_limits;
mod sign_up_refusal;
mod usage;
mod write_probe;

use accounting::Product;
use axum::{Extension, Router};
use gateway::{App, Routes, Terms};
use mailer::Mailer;
use write_probe::WriteProbe;

pub use credits::Balance;
pub use keys::ShownKey;

/// Returns the routes of the account function.
pub fn routes(app: &App) -> Routes<App> {
    Routes::new(app)
        .get("/v2/health", Product::Health, health::read)
        .get("/v2/account", Product::Account, account::read)
        .post("/v2/account/organization", Product::Account, sign_up::create)
        .get("/v2/account/keys", Product::AccountKeys, keys::list)
        .post("/v2/account/keys", Product::AccountKeys, keys::create)
        .delete("/v2/account/keys/{key_id}", Product::AccountKeys, keys::revoke)
        .get("/v2/account/members", Product::AccountMembers, members::list)
        .get("/v2/account/members/{member_id}", Product::AccountMembers, members::read)
        .patch("/v2/account/members/{member_id}", Product::AccountMembers, members::edit)
        .delete("/v2/account/members/{member_id}", Product::AccountMembers, members::remove)
        .get("/v2/account/invitations", Product::AccountMembers, invitations::list)
        .post("/v2/account/invitations", Product::AccountMembers, invitations::create)
        .delete("/v2/account/invitations/{invitation_id}", Product::AccountMembers, invitations::revoke)
        .post("/v2/account/invitations/accept", Product::Account, invitations::accept)
        .get("/v2/billing/credits", Product::BillingCredits, credits::read)
        .get("/v2/billing/bills", Product::BillingUsage, bills::list)
        .get("/v2/billing/grants", Product::BillingUsage, grants::list)
        .get("/v2/billing/usage", Terms::of(Product::BillingUsage).with_table(&usage::TABLE), usage::list)
        .get("/v2/openapi.yaml", Product::Openapi, openapi::read)
}

/// Returns the router of the account function.
pub fn router(app: &App) -> Router {
    let mailer = app.config.mail_sender.as_ref().map(Mailer::connect);
    let router = routes(app).into_router(app.clone());
    router.layer(Extension(WriteProbe::default())).layer(Extension(mailer))
}
