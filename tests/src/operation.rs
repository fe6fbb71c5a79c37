//! API operations and how to call them successfully.

use accounting::{AuthRequirement, Credits, Product};
use axum::Router;
use http::Method;
use marquee::serve::Function;
use serde_json::Value;
use store::{DeliveryState, Family, Role};

use crate::{Call, Contract, PUBLIC_URL, TestOrg, World, price, samples};

#[derive(Debug)]
pub struct Operation {
    /// The operation ID in openapi.yaml. If both gateways serve an operation, there is one entry for each,
    /// with the same ID.
    pub id: &'static str,
    pub method: Method,
    /// The path, with `{name}` for parameters.
    pub path: &'static str,
    pub product: Product,
    /// The kind of credential that the operation requires.
    pub auth: AuthRequirement,
    pub function: Function,
    /// Whether calls that end in an error are refunded.
    pub errors_are_free: bool,
    /// Creates a valid body that sets every member, or `None` if the operation has no body.
    pub body: Option<fn() -> Value>,
    /// The documented statuses, starting with the success status.
    pub statuses: Vec<u16>,
    /// The path of the sample event, relative to events/.
    pub event: String,
}

impl Operation {
    /// Returns the method and the path, such as `GET /v2/health`.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn success(&self) -> u16 {
        self.statuses[0]
    }

    /// Returns the price of a call with an invalid body.
    pub fn price_of_errors(&self) -> Credits {
        if self.errors_are_free { 0 } else { price(self.product) }
    }

    /// Returns the header that carries the API key.
    pub fn key_header(&self) -> &'static str {
        match self.auth {
            AuthRequirement::SearchKey | AuthRequirement::SearchKeyOrBearer => "apikey",
            AuthRequirement::Open
            | AuthRequirement::Public
            | AuthRequirement::KeyOrBearer
            | AuthRequirement::Anyone
            | AuthRequirement::Person
            | AuthRequirement::Member => "x-api-key",
        }
    }

    /// Returns whether the operation rejects API keys because it requires a person.
    pub fn is_for_people(&self) -> bool {
        matches!(self.auth, AuthRequirement::Person | AuthRequirement::Member)
    }

    /// Returns the name and the value of a credential header: usually an API key, or an owner's token if the
    /// operation requires a person. Signing up and accepting an invitation require a new user's token.
    pub async fn credential(&self, world: &World, org: &TestOrg) -> (&'static str, String) {
        if self.id == "accept_invitation" {
            return ("authorization", format!("Bearer {}", world.token(&world.invitee(&org.id))));
        }
        if self.id == "sign_up" {
            return ("authorization", format!("Bearer {}", world.newcomer_token()));
        }
        if self.is_for_people() {
            return ("authorization", format!("Bearer {}", world.owner_token(org).await));
        }
        (self.key_header(), org.key.clone())
    }

    pub fn takes_an_asset_id(&self) -> bool {
        self.path.ends_with("/{asset_id}")
    }

    /// Returns whether the operation's body is a list of operations that have their own results.
    pub fn is_batch(&self) -> bool {
        self.path.ends_with("/batch")
    }

    /// Returns the family of assets that the operation works on, or `None` if it isn't a library operation.
    pub fn family(&self) -> Option<Family> {
        match self.product {
            Product::ScenarioCampaignCrud => Some(Family::Campaign),
            Product::ScenarioEventCrud => Some(Family::Event),
            _ => None,
        }
    }

    /// Returns whether a path matches the operation's path template. Parameters match any non-empty string.
    pub fn is_at(&self, path: &str) -> bool {
        let (own, parts): (Vec<_>, Vec<_>) = (self.path.split('/').collect(), path.split('/').collect());
        own.len() == parts.len()
            && own.iter().zip(&parts).all(|(own, part)| {
                let text =
                    own.starts_with('{').then(|| own.split_once('}').expect("the end of a parameter").1);
                text.map_or(own == part, |end| part.len() > end.len() && part.ends_with(end))
            })
    }

    /// Returns the path with IDs that don't exist. A `customer_scenario_id` matches the one in the example
    /// body.
    pub fn path_of_unknown_ids(&self) -> String {
        let example = Contract::get().request_example(self.id);
        let own = example.and_then(|example| example["customer"]["customer_scenario_id"].as_str());
        self.path
            .replace("{customer_scenario_id}", own.unwrap_or_default())
            .replace("{asset_id}", "01990000-0000-7000-8000-000000000000")
            .replace("{link_id}", &"0".repeat(16))
            .replace("{place_id}", "100000000000")
            .replace("{product}", "places")
            .replace("{grant_id}", &format!("tg_{}", "0".repeat(32)))
            .replace("{key_id}", "00000000")
            .replace("{layer}/{z}/{x}/{y}", "places/0/0/0")
            .replace("{z}/{x}/{y}", "0/0/0")
            .replace("{initial}", "b")
            .replace("{member_id}", &"0".repeat(16))
            .replace("{invitation_id}", &format!("inv_{}", "0".repeat(16)))
            .replace("{webhook_id}", &format!("wh_{}", "0".repeat(16)))
            .replace("{delivery_id}", &format!("msg_{}_0", "0".repeat(15)))
    }

    /// Creates the resource that a call needs, such as a draft, a key, or an invitation, and returns the
    /// call's path. For tile calls, also makes the process cache the grant.
    pub async fn path_for(&self, world: &World, org: &TestOrg, process: &Router) -> String {
        if let Some(body) = self.body.filter(|_| self.path.contains("{customer_scenario_id}")) {
            let own = body()["customer"]["customer_scenario_id"].take();
            return self.path.replace("{customer_scenario_id}", own.as_str().expect("an ID"));
        }
        if let Some(family) = self.family().filter(|_| self.takes_an_asset_id()) {
            return world.draft(org, family).await;
        }
        if self.takes_an_asset_id() {
            let is_event = self.path.contains("/events/");
            let family = if is_event { Family::Event } else { Family::Campaign };
            return self.path.replace("{asset_id}", &world.estimated_draft(org, family).await);
        }
        if [Product::ClientLinks, Product::ClientView].contains(&self.product) {
            let asset = world.estimated_draft(org, Family::Campaign).await;
            let link = world.share(org, &asset).await;
            return self
                .path
                .replace("{asset_id}", &link.asset_id.to_string())
                .replace("{link_id}", link.id().as_str());
        }
        if self.path.contains("{key_id}") {
            return self.path.replace("{key_id}", world.key_to_revoke(org).await.as_str());
        }
        if self.path.contains("{member_id}") {
            let colleague = world.colleague(org).await;
            return self.path.replace("{member_id}", colleague.subject.member_id().as_str());
        }
        if self.path.contains("{invitation_id}") {
            let guest = world.person(&format!("guest-{}", world.app.random.below(u64::MAX)));
            let (invitation, _) = world.invite(org, &guest, Role::Member).await;
            return self.path.replace("{invitation_id}", &invitation.id.to_string());
        }
        if self.path.contains("{webhook_id}") {
            let webhook = world.webhook(org).await;
            let delivery = world.delivery(org, &webhook, DeliveryState::Succeeded).await;
            return self
                .path
                .replace("{webhook_id}", &webhook.to_string())
                .replace("{delivery_id}", &delivery.to_string());
        }
        if self.id == "accept_invitation" {
            world.invite_sample_invitee(org).await;
        }
        let path = self.path.replace("{product}", "places");
        let path = path.replace("{place_id}", &samples::place().to_string());
        if !path.contains("{grant_id}") && !path.contains("{layer}") {
            return path.replace("{z}/{x}/{y}", "0/0/0").replace("{initial}", "b");
        }
        let grants = "/v2/places/tiles/grants";
        let grant = world.post(grants).key(&org.key).json(&samples::tile_grant()).send().await.data();
        let grant_id = grant["grant_id"].as_str().expect("an ID");
        if path.contains("{grant_id}") {
            return path.replace("{grant_id}", grant_id);
        }
        let tilejson =
            world.get(&format!("{grants}/{grant_id}/tilejson")).send_to(process.clone()).await.json();
        let tile = tilejson["tiles"][0].as_str().expect("an address").replace("{z}/{x}/{y}", "0/0/0");
        tile.trim_start_matches(PUBLIC_URL).to_owned()
    }

    /// Creates a request to a path from [`Self::path_for`], without credentials.
    pub fn call<'a>(&self, world: &'a World, path: &str) -> Call<'a> {
        let mut call = world.call(self.method.clone(), path);
        if self.id.starts_with("buy_") {
            call = call.header("idempotency-key", path);
        }
        if self.product == Product::ClientView {
            call = call.header("x-client-link", &samples::client_link_token());
        }
        match self.body {
            Some(body) => call.json(&body()),
            None => call,
        }
    }
}
