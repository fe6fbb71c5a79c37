//! Tests of the account function: people, organizations, members, invitations, API keys, credits, grants,
//! bills, usage, health, and the OpenAPI document.

mod account_api_limit;
mod bills;
mod credits;
mod grants;
mod health;
mod invitations;
mod invitations_at_once;
mod invitations_mailed;
mod invitations_refused;
mod keys;
mod members;
mod members_at_once;
mod members_left_behind;
mod openapi;
mod people_under_faults;
mod person;
pub(crate) mod sign_up;
mod sign_up_limits;
mod usage;

use harness::{Answer, Sent, StoredItem, TestOrg, World};
use serde_json::{Value, json};
use store::{MemberId, Person, Role};

const ACCOUNT: &str = "/v2/account";
pub(crate) const ORGANIZATION: &str = "/v2/account/organization";

/// Reads a person's account.
async fn read(world: &World, person: &Person) -> Value {
    let answer = world.get(ACCOUNT).bearer(&world.token(person)).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()
}

/// Creates an organization with the given name by signing a person up.
async fn sign_up(world: &World, person: &Person, name: &str) -> Answer {
    world.post(ORGANIZATION).bearer(&world.token(person)).json(&json!({ "name": name })).send().await
}

const MEMBERS: &str = "/v2/account/members";
const INVITATIONS: &str = "/v2/account/invitations";
const ACCEPT: &str = "/v2/account/invitations/accept";

/// How long memberships are cached, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

fn member_path(id: &MemberId) -> String {
    format!("{MEMBERS}/{id}")
}

fn is_change(sent: &Sent) -> bool {
    sent.operation == "TransactWriteItems"
}

/// Asserts that an organization's member list matches the memberships stored by subject. Returns the members'
/// roles.
async fn assert_consistent(world: &World, org: &TestOrg) -> Vec<Role> {
    let stored = world.stored("credentials").await;
    let text = |item: &StoredItem, name: &str| item.get(name).and_then(|value| value.as_s().ok().cloned());
    let organization = format!("org#{}", org.id);
    let mut by_subject: Vec<_> = stored
        .iter()
        .filter(|item| text(item, "sk").as_deref() == Some("subject"))
        .filter(|item| text(item, "org").as_deref() == Some(org.id.as_str()))
        .map(|item| (text(item, "pk"), text(item, "role")))
        .collect();
    let in_list = stored.iter().filter(|item| text(item, "pk").as_ref() == Some(&organization));
    let mut in_list: Vec<_> = in_list
        .filter(|item| text(item, "sk").is_some_and(|sk| sk.starts_with("subject#")))
        .map(|item| (text(item, "sk"), text(item, "role")))
        .collect();
    by_subject.sort();
    in_list.sort();
    assert_eq!(by_subject, in_list, "{}", org.id);
    in_list
        .into_iter()
        .map(|(_, role)| role.and_then(|role| role.parse().ok()).expect("a valid role"))
        .collect()
}
