//! Tests of measurement events: when they are applied, how they change an asset, and how they are charged.

mod applied_events;
mod malformed;
mod once;
mod purchases;
mod queue;
mod tombstones;
mod transitions;

use std::collections::BTreeMap;

use accounting::Account;
use harness::{TestOrg, World, samples};
use measurement::{MeasurementEvent, Outcome};
use serde_json::Value;
use store::Family;

const FAMILIES: [Family; 2] = [Family::Campaign, Family::Event];

/// The asset members that measurement events can change.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    state: String,
    last_measured_at: Value,
    updated_at: String,
    version: u64,
}

async fn seen(world: &World, org: &TestOrg, path: &str) -> Seen {
    let answer = world.get(path).key(&org.key).send().await;
    let data = answer.data();
    let text = |name: &str| data[name].as_str().expect("a string").to_owned();
    Seen {
        state: text("state"),
        last_measured_at: data["last_measured_at"].clone(),
        updated_at: text("updated_at"),
        version: answer.header("etag").trim_matches('"').parse().expect("a version"),
    }
}

/// Returns the number of assets in each state according to the summary.
async fn counted(world: &World, org: &TestOrg, family: Family) -> BTreeMap<String, i64> {
    let path = format!("{}/summary", samples::library(family));
    let summary = world.get(&path).key(&org.key).send().await.data();
    let counts: BTreeMap<String, i64> = serde_json::from_value(summary["by_state"].clone()).expect("counts");
    assert_eq!(counts.values().sum::<i64>(), summary["total"]);
    counts
}

async fn apply(world: &World, event: &MeasurementEvent) -> Outcome {
    world.apply(event).await
}

fn altered(event: &MeasurementEvent, alter: impl FnOnce(&mut Value)) -> MeasurementEvent {
    let mut value = serde_json::to_value(event).expect("an event");
    alter(&mut value);
    serde_json::from_value(value).expect("an event")
}

fn reason(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused { reason } => reason.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Checks that the account's credits add up, and returns the account.
async fn balanced(world: &World, org: &TestOrg) -> Account {
    let account = world.account(org).await;
    let totals = account.totals;
    assert_eq!(totals.granted, account.left() + totals.used + totals.expired, "{totals:?}");
    account
}

/// Returns the calls and the credits booked today for a meter.
fn booked(account: &Account, product: &str) -> (i64, i64) {
    let line = account.today.usage.iter().find(|(name, _)| name.as_str() == product);
    line.map_or((0, 0), |(_, line)| (line.calls, line.credits))
}
