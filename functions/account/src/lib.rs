//! The account function: health, people and their organizations, API keys, webhooks, changes, credits, usage,
//! bills, and the OpenAPI description. It also handles all paths that don't belong to another function.

mod account;
mod acting_member;
mod bills;
mod changes;
mod credits;
mod distinct;
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
mod webhook_body;
mod webhook_deliveries;
mod webhooks;
mod write_probe;

use accounting::Product;
use axum::{Extension, Router};
use gateway::{App, Routes, Terms};
use mailer::Mailer;
use write_probe::WriteProbe;

pub use credits::Balance;
pub use keys::ShownKey;

/// Returns the function's routes. [`router`] adds the state and the layers.
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
        .get("/v2/account/webhooks", Product::AccountWebhooks, webhooks::list)
        .post("/v2/account/webhooks", Product::AccountWebhooks, webhooks::create)
        .patch("/v2/account/webhooks/{webhook_id}", Product::AccountWebhooks, webhooks::edit)
        .delete("/v2/account/webhooks/{webhook_id}", Product::AccountWebhooks, webhooks::delete)
        .post("/v2/account/webhooks/{webhook_id}/secret", Product::AccountWebhooks, webhooks::rotate)
        .post("/v2/account/webhooks/{webhook_id}/test", Product::AccountWebhooks, webhook_deliveries::test)
        .get(
            "/v2/account/webhooks/{webhook_id}/deliveries",
            Product::AccountWebhooks,
            webhook_deliveries::list,
        )
        .post(
            "/v2/account/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
            Product::AccountWebhooks,
            webhook_deliveries::redeliver,
        )
        .get("/v2/changes", Product::Changes, changes::list)
        .get("/v2/billing/credits", Product::BillingCredits, credits::read)
        .get("/v2/billing/bills", Product::BillingUsage, bills::list)
        .get("/v2/billing/grants", Product::BillingUsage, grants::list)
        .get("/v2/billing/usage", Terms::of(Product::BillingUsage).with_table(&usage::TABLE), usage::list)
        .get("/v2/openapi.yaml", Product::Openapi, openapi::read)
}

/// Returns the function's router with its state, write probe, and mailer.
pub fn router(app: &App) -> Router {
    let mailer = app.config.mail_sender.as_ref().map(Mailer::connect);
    let router = routes(app).into_router(app.clone());
    router.layer(Extension(WriteProbe::default())).layer(Extension(mailer))
}
