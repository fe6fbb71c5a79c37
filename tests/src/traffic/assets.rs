//! Audits assets. Compares lists with the acknowledged changes, and the summary with the lists.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use super::sender::{SHARED, Sender};
use crate::{Answer, Body, Delete, TestOrg, World, assert_summary, samples, text, version, whole};

/// Compares lists with the acknowledged changes, and the summary with the lists. Returns the number of listed
/// assets.
pub(super) async fn audit_assets(
    world: &World,
    org: &TestOrg,
    senders: &mut [Sender],
    shared_path: &str,
) -> usize {
    let mut unacknowledged: BTreeSet<String> = BTreeSet::new();
    let mut listed = BTreeMap::new();
    for family in [Family::Campaign, Family::Event] {
        let assets = list_all(world, &mut senders[0], family, "").await;
        world.clock.advance(61_000);
        let path = format!("{}/summary", samples::library(family));
        let summary = ask(&mut senders[0], &path).await.data();
        assert_summary(&summary, &assets, &format!("{} {family}", org.id));
        for state in AssetState::iter().map(<&str>::from) {
            let in_state: Vec<_> = assets.iter().filter(|asset| asset["state"] == state).cloned().collect();
            let by_index = list_all(world, &mut senders[0], family, &format!("&state={state}")).await;
            assert!(by_index == in_state, "{} {family} {state}", org.id);
        }
        listed.extend(assets.into_iter().map(|asset| (text(&asset["asset_id"]), asset)));
    }
    let compared = listed.len();
    let shared = listed.remove(shared_path.rsplit('/').next().expect("an ID")).expect("valid shared asset");
    audit_shared(&ask(&mut senders[0], shared_path).await, &shared, senders);
    for known in senders.iter().flat_map(|sender| &sender.assets) {
        let Some(id) = &known.id else {
            unacknowledged.insert(known.bodies[0].stamp.clone());
            continue;
        };
        match (listed.remove(id), known.delete) {
            (Some(asset), Delete::NotSent | Delete::Unanswered) => {
                known.assert_may_be(&asset);
            }
            (None, Delete::Done | Delete::Unanswered) => {}
            (Some(_), Delete::Done) => panic!("deleted but still listed: {known:?}"),
            (None, Delete::NotSent) => panic!("created but not listed: {known:?}"),
        }
    }
    for (id, asset) in listed {
        assert!(unacknowledged.remove(&whole(&asset)), "{id} was created twice or by an unknown client");
    }
    compared
}

/// Checks the shared asset. Each acknowledged edit must have created a different version.
fn audit_shared(read: &Answer, listed: &Value, senders: &[Sender]) {
    let edits: Vec<&Body> = senders.iter().flat_map(|sender| &sender.shared).collect();
    let versions: Vec<u64> = edits.iter().filter_map(|edit| edit.version).collect();
    assert_eq!(versions.iter().collect::<BTreeSet<_>>().len(), versions.len());
    let last = versions.iter().max().copied().unwrap_or(1);
    assert!(version(read) >= last && read.data() == *listed);
    let stamp = whole(listed);
    if version(read) == 1 {
        assert_eq!(stamp, SHARED);
        return;
    }
    let is_last = |edit: &&Body| {
        if version(read) == last { edit.version == Some(last) } else { edit.version.is_none() }
    };
    assert!(
        edits.into_iter().filter(is_last).any(|edit| edit.stamp == stamp),
        "{stamp} at {}",
        version(read)
    );
    assert!(version(read) as usize <= 1 + senders.iter().map(|sender| sender.shared.len()).sum::<usize>());
}

/// Reads a path for the audit. Retries, because a slow machine may exceed this world's short timeouts.
async fn ask(sender: &mut Sender, path: &str) -> Answer {
    for _ in 0..5 {
        let answer = sender.send(Method::GET, path, None).await;
        if answer.status == 200 {
            return answer;
        }
    }
    panic!("{path} must be answered on a reliable connection")
}

async fn list_all(world: &World, sender: &mut Sender, family: Family, filter: &str) -> Vec<Value> {
    let mut assets = Vec::new();
    let mut cursor = String::new();
    loop {
        // Advances the clock by a minute, because the lowest rate limit is 10 calls per minute.
        world.clock.advance(61_000);
        let path = format!("{}?limit=100{filter}{cursor}", samples::library(family));
        let answer = ask(sender, &path).await;
        assets.extend(answer.data().as_array().expect("a list").clone());
        let pagination = &answer.json()["pagination"];
        let Some(next) = pagination["cursor"].as_str() else {
            assert_eq!(pagination["total"], assets.len(), "{family} {filter}");
            return assets;
        };
        cursor = format!("&cursor={next}");
    }
}
