//! People and their organizations, credits, grants, usage, health, and the interface description.

mod bills;
mod credits;
mod grants;
mod health;
mod openapi;
mod person;
mod portal_minute;
pub(crate) mod sign_up;
mod usage;

use harness::{Answer, World};
use serde_json::{Value, json};
use shared::types::Person;

const ACCOUNT: &str = "/v2/account";
pub(crate) const ORGANIZATION: &str = "/v2/account/organization";

/// Reads what a person sees of themselves and their organization.
async fn read(world: &World, person: &Person) -> Value {
    let answer = world.get(ACCOUNT).bearer(&world.token(person)).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()
}

/// Asks for an organization of a person's own.
async fn sign_up(world: &World, person: &Person, name: &str) -> Answer {
    world.post(ORGANIZATION).bearer(&world.token(person)).json(&json!({ "name": name })).send().await
}
