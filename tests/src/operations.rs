//! The list of all operations, combined from openapi.yaml and the functions' routes.
use std::sync::LazyLock;

use gateway::{App, Config};
use marquee::engine::TABLE_PREFIX;
use runtime::{Clock, Random};
use serde_json::Value;
use store::{Connection, Family};

use crate::operation::Operation;
use crate::{Contract, FUNCTIONS, binary_of, samples, served_by};

/// In the order of openapi.yaml.
pub static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let app = App::new(Config::new(Connection::new(TABLE_PREFIX, None)), Clock::System, Random::System);
    let routes: Vec<_> = FUNCTIONS
        .into_iter()
        .flat_map(|(_, function)| served_by(&app, function).into_iter().map(move |route| (function, route)))
        .collect();
    let documented = Contract::get().operations().iter();
    let made = documented.map(|documented| {
        let is_its_own = |path: &str| as_documented(path) == documented.path;
        let route =
            routes.iter().find(|(_, route)| route.method == *documented.method && is_its_own(route.path));
        let (function, route) = route.unwrap_or_else(|| panic!("{documented:?} must have a route"));
        let is_of_two_doors =
            Contract::get().operations().iter().filter(|one| one.id == documented.id).count() > 1;
        let is_second = is_of_two_doors && !documented.path.starts_with("/v2/");
        let door = if is_second { "-at-the-search-gateway" } else { "" };
        Operation {
            event: format!("{}/{}{door}.json", binary_of(*function), documented.id.replace('_', "-")),
            body: body_of(&documented.id),
            id: &documented.id,
            method: route.method.clone(),
            path: &documented.path,
            product: route.terms.product,
            auth: route.terms.auth,
            function: *function,
            errors_are_free: route.terms.errors_are_free,
            statuses: documented.statuses.iter().copied().collect(),
        }
    });
    made.collect()
});

/// Returns the path that the contract documents for a route. Documented tile paths end in `.mvt`.
pub fn as_documented(path: &str) -> String {
    path.replace("{layer}/{z}/{x}/{y}", "{layer}/{z}/{x}/{y}.mvt")
}

/// Returns the function that creates an operation's valid body, with every member set.
fn body_of(id: &str) -> Option<fn() -> Value> {
    Some(match id {
        "create_campaign" => samples::campaign,
        "batch_campaigns" => || samples::batch(Family::Campaign),
        "batch_events" => || samples::batch(Family::Event),
        "put_campaign" => || samples::body_to_put(Family::Campaign),
        "edit_campaign" => samples::edited_campaign,
        "create_event" => samples::event,
        "put_event" => || samples::body_to_put(Family::Event),
        "edit_event" => samples::edited_event,
        "search_places" => samples::place_search,
        "match_places" => samples::place_match,
        "search_inventory" => samples::inventory_search,
        "look_up_displays" => samples::display_lookup,
        "report_places" => samples::place_report,
        "search_cohorts" => samples::cohort_search,
        "read_population_at_home" => samples::population_at_home,
        "estimate_campaign" => samples::estimated_campaign,
        "estimate_event" => samples::estimated_event,
        "create_client_link" => samples::client_link,
        "create_tile_grant" => samples::tile_grant,
        "sign_up" => samples::sign_up,
        "create_key" => samples::api_key,
        "create_webhook" => samples::webhook,
        "edit_webhook" => samples::webhook_edit,
        "edit_member" => samples::member_edit,
        "invite_member" => samples::invitation,
        "accept_invitation" => samples::acceptance,
        _ => return None,
    })
}

/// Finds an operation by name, such as `GET /v2/health`.
pub fn operation(name: &str) -> &'static Operation {
    let found = OPERATIONS.iter().find(|operation| operation.name() == name);
    found.unwrap_or_else(|| panic!("openapi.yaml must have {name}"))
}
