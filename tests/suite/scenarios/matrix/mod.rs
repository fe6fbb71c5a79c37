//! Every operation with every status: what openapi.yaml documents is driven, and what the specification names is documented.

mod account;
mod analytics;
mod assets;
mod tiles;

use std::collections::BTreeSet;

use harness::{Answer, Contract, DocumentedOperation, TestOrg, World, samples};
use serde_json::json;
use shared::types::{Family, Tier};

use super::{engine, summary};
use account::AccountOperation;
use analytics::AnalyticsOperation;
use assets::AssetOperation;
use tiles::TileOperation;

/// An operation of the contract, as the matrix drives it.
enum Operation {
    Asset(AssetOperation),
    Analytics(AnalyticsOperation),
    Tile(TileOperation),
    Account(AccountOperation),
}

impl Operation {
    fn of(documented: &DocumentedOperation) -> Self {
        let asset = || AssetOperation::of(documented).map(Self::Asset);
        let analytics = || AnalyticsOperation::of(documented).map(Self::Analytics);
        let tile = || TileOperation::of(documented).map(Self::Tile);
        let account = || AccountOperation::of(documented).map(Self::Account);
        let found = asset().or_else(analytics).or_else(tile).or_else(account);
        found.unwrap_or_else(|| panic!("the matrix knows no {}", name(documented)))
    }
}

fn name(documented: &DocumentedOperation) -> String {
    format!("{} {}", documented.method, documented.path)
}

/// Creates an organization that has made all calls of its minute.
async fn busy(world: &World) -> TestOrg {
    let busy = world.org_with("org_busy", Tier::Sandbox, 0).await;
    for _ in 0..10 {
        summary(world, &busy, Family::Campaign).await;
    }
    busy
}

async fn drop_table(world: &World, table: &str) {
    let deletion = engine(world).delete_table().table_name(format!("marquee-{table}"));
    deletion.send().await.expect("the engine answers");
}

/// Returns the statuses that the specification names for an operation.
fn specified(documented: &DocumentedOperation) -> BTreeSet<u16> {
    match Operation::of(documented) {
        Operation::Asset(operation) => operation.specified(),
        Operation::Analytics(operation) => operation.specified(),
        Operation::Tile(operation) => operation.specified(),
        Operation::Account(operation) => operation.specified(),
    }
}

async fn drive(documented: &DocumentedOperation, status: u16) -> Option<Answer> {
    match Operation::of(documented) {
        Operation::Asset(operation) => operation.drive(status).await,
        Operation::Analytics(operation) => operation.drive(status).await,
        Operation::Tile(operation) => operation.drive(status).await,
        Operation::Account(operation) => operation.drive(status).await,
    }
}

#[tokio::test]
async fn drives_every_operation_to_every_documented_status() {
    let (mut driven, mut gaps) = (BTreeSet::new(), Vec::new());
    for documented in Contract::get().operations() {
        for status in &documented.statuses {
            match drive(&documented, *status).await {
                Some(answer) if answer.status == *status => drop(driven.insert(name(&documented))),
                Some(answer) => gaps.push(format!("{} {status} gave {}", name(&documented), answer.status)),
                None => gaps.push(format!("{} {status} has no case", name(&documented))),
            }
        }
    }
    assert!(gaps.is_empty(), "{gaps:#?}");
    assert_eq!(driven.len(), 29, "{driven:?}");
}

#[test]
fn documents_every_status_of_the_specification() {
    let mut gaps = Vec::new();
    for documented in Contract::get().operations() {
        let missing =
            specified(&documented).difference(&documented.statuses).map(u16::to_string).collect::<Vec<_>>();
        gaps.extend(missing.into_iter().map(|status| format!("{} {status}", name(&documented))));
    }
    assert!(gaps.is_empty(), "{gaps:#?}");
}

#[tokio::test]
async fn answers_500_and_says_nothing_of_the_inside_when_an_item_is_unreadable() {
    for family in [Family::Campaign, Family::Event] {
        let world = World::new().await;
        let org = world.org("org_a").await;
        let path = world.draft(&org, family).await;
        super::corrupt(&world, &org, family, &path).await;
        let library = samples::library(family);
        let patch = json!({ "cohort": samples::body(family)["cohort"] });
        for call in [world.get(&path), world.patch(&path).json(&patch), world.get(library)] {
            let answer = call.key(&org.key).send().await;
            assert_eq!(answer.error(), (500, "INTERNAL_ERROR".to_owned()));
            assert_eq!(answer.number("x-credits-used"), 0);
            for inside in ["body", "zstd", "attribute", "marquee-", "org_a"] {
                assert!(!answer.text().contains(inside), "{}", answer.text());
            }
        }
    }
}
