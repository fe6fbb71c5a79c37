//! An organization in the storm, and the audit of its stored data after each restart.

use std::collections::BTreeMap;

use accounting::OrgId;
use harness::{Body, Delete, Known, assert_summary, samples, text, whole};
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use crate::books::{Book, Sums};
use crate::client::{Client, Create, Request, library};
use crate::service::Access;
use crate::staff::Grant;
use crate::tally::{Lines, Tally, Unanswered};

pub(crate) struct Organization {
    pub(crate) id: OrgId,
    pub(crate) clients: Vec<Client>,
    pub(crate) book: Book,
    rng: fastrand::Rng,
}

/// The results of an audit that found no errors.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    pub(crate) calls: u64,
    pub(crate) unanswered: Vec<Unanswered>,
    /// The number of acknowledged writes and the number of compared assets.
    pub(crate) writes: u64,
    pub(crate) assets: u64,
    /// The charges of unanswered calls, by meter.
    pub(crate) charged: Lines,
    /// The number of ledger entries that don't belong to an answered call.
    pub(crate) unknown_entries: usize,
    /// The number of create calls that were repeated with their idempotency keys, and how many of those had
    /// created the asset on the first attempt.
    pub(crate) sent_again: u64,
    pub(crate) repeats: u64,
    /// The number of create calls that were charged twice because the service was killed between the charge
    /// and the write.
    pub(crate) paid_twice: u64,
    pub(crate) sums: Sums,
}

impl Organization {
    pub(crate) fn new(id: OrgId, clients: Vec<Client>, book: Book, seed: u64) -> Self {
        Self { id, clients, book, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Returns whether the organization has only one client. If so, the account still lists the entries of
    /// all unanswered calls.
    fn has_one_client(&self) -> bool {
        self.clients.len() == 1
    }

    /// Compares all stored data with the clients' records.
    pub(crate) async fn audit(&mut self, access: &Access, grants: &mut [Grant]) -> Audit {
        let mut audit = Audit::default();
        self.clients.iter_mut().for_each(Client::enter_unsure_events);
        let mut tally = self.take_tally();
        audit.unknown_entries = self.book.unknown_entries(&access.app, &tally).await;
        for client in &mut self.clients {
            for index in 0..client.assets.len() {
                client.settle_event(access, index).await;
            }
        }
        tally.add(self.take_tally());
        audit.charged = self.book.charged(&access.administrator, &tally).await;
        let calls: i64 = audit.charged.values().map(|line| line.calls).sum();
        if self.has_one_client() && tally.unavailable == 0 {
            let sent = &tally.unanswered;
            // Entries by the administrator and the key owner also count as unknown.
            assert!(
                audit.unknown_entries as i64 >= calls,
                "{}: each charge has an entry: {:?} {sent:?}",
                self.id,
                audit.charged
            );
        }
        audit.sums = self.book.sums(&access.administrator, grants).await;
        let visible = self.audit_assets(access, &mut audit).await;
        for (name, writes) in visible {
            let line = audit.charged.get(name).copied().unwrap_or_default();
            assert!(writes <= line.calls, "{}: {writes} writes of {name} took effect, {line:?}", self.id);
        }
        audit.calls = tally.calls;
        audit.writes = tally.writes;
        audit.unanswered = tally.unanswered;
        audit
    }

    fn take_tally(&mut self) -> Tally {
        let mut sum = Tally::default();
        for client in &mut self.clients {
            sum.add(std::mem::take(&mut client.tally));
        }
        sum
    }

    /// Compares all assets with the clients' records. Returns the number of unanswered writes that took
    /// effect, by meter.
    async fn audit_assets(&mut self, access: &Access, audit: &mut Audit) -> BTreeMap<&'static str, i64> {
        let mut visible = BTreeMap::new();
        let mut without_key = Vec::new();
        let clients = self.clients.len();
        for index in 0..clients {
            for create in std::mem::take(&mut self.clients[index].creates) {
                if create.idempotency_key.is_none() {
                    without_key.push((index, create));
                    continue;
                }
                audit.sent_again += 1;
                let product = library(create.family);
                if self.clients[index].send_again(access, create).await {
                    audit.repeats += 1;
                    *visible.entry(product.name()).or_default() += 1;
                } else if self.has_one_client() && audit.charged.contains_key(product.name()) {
                    audit.paid_twice += 1;
                }
            }
        }
        for family in Family::iter() {
            let mut listed = self.list_family(access, family).await;
            audit.assets += listed.len() as u64;
            let took_effect = visible.entry(library(family).name()).or_default();
            for client in &mut self.clients {
                *took_effect += compare(client, family, &mut listed);
            }
            let stray = without_key.iter().filter(|(_, create)| create.family == family);
            for (index, create) in stray {
                *took_effect += i64::from(adopt(&mut self.clients[*index], create, &mut listed));
            }
            assert!(listed.is_empty(), "{}: created twice or by an unknown client: {listed:?}", self.id);
        }
        visible
    }

    /// Lists a family's assets by ID and checks that the summary and filtered lists match the list.
    async fn list_family(&mut self, access: &Access, family: Family) -> BTreeMap<String, Value> {
        let state = <&str>::from(self.rng.choice(AssetState::iter()).expect("there are states"));
        let client = &mut self.clients[0];
        let assets = list(client, access, family, "").await;
        let path = format!("{}/summary", samples::library(family));
        let summary = ask(client, access, family, &path).await["data"].take();
        assert_summary(&summary, &assets, &format!("{} {family}", self.id));
        let in_state: Vec<_> = assets.iter().filter(|asset| asset["state"] == state).cloned().collect();
        let by_state = list(client, access, family, &format!("&state={state}")).await;
        assert_eq!(by_state, in_state, "{} {family} {state}", self.id);
        if let Some(asset) = self.rng.choice(&assets) {
            let name = text(&asset["customer"]["customer_scenario_id"]);
            let by_name = list(client, access, family, &format!("&customer_scenario_id={name}")).await;
            assert_eq!(by_name, std::slice::from_ref(asset), "{} {family} {name}", self.id);
        }
        assets.into_iter().map(|asset| (text(&asset["asset_id"]), asset)).collect()
    }
}

/// Compares a client's assets in a family with the list and removes them from the list. Returns the number
/// of unanswered writes that took effect.
fn compare(client: &mut Client, family: Family, listed: &mut BTreeMap<String, Value>) -> i64 {
    let mut took_effect = 0;
    client.assets.retain_mut(|known| {
        if known.family != family {
            return true;
        }
        let id = known.id.as_ref().expect("acknowledged assets have an ID");
        let Some(asset) = listed.remove(id) else {
            assert_eq!(known.delete, Delete::Unanswered, "created but not listed: {known:?}");
            took_effect += 1;
            return false;
        };
        let stamp = known.assert_may_be(&asset);
        took_effect += i64::from(known.bodies.len() > 1 && stamp != known.bodies[0].stamp);
        known.bodies = vec![Body { stamp, version: asset["version"].as_u64() }];
        known.delete = Delete::NotSent;
        true
    });
    took_effect
}

/// Looks for the asset of an unanswered create call without an idempotency key and assigns it to the client.
/// Returns whether the asset exists.
fn adopt(client: &mut Client, create: &Create, listed: &mut BTreeMap<String, Value>) -> bool {
    let found = listed.iter().find(|(_, asset)| whole(asset) == create.stamp).map(|(id, _)| id.clone());
    let Some(id) = found else { return false };
    let asset = listed.remove(&id).expect("the asset is in the list");
    assert_eq!(asset["state"], "draft", "{create:?}");
    let body = Body { stamp: create.stamp.clone(), version: asset["version"].as_u64() };
    client.assets.push(Known::made(Some(id), create.family, body));
    true
}

async fn list(client: &mut Client, access: &Access, family: Family, filter: &str) -> Vec<Value> {
    let (mut assets, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("{}?limit=100{filter}{cursor}", samples::library(family));
        let mut page = ask(client, access, family, &path).await;
        assets.extend(page["data"].take().as_array().expect("a list").clone());
        let Some(next) = page["pagination"]["cursor"].as_str() else { return assets };
        cursor = format!("&cursor={next}");
    }
}

/// Repeats a request until the rate limit allows it.
async fn ask(client: &mut Client, access: &Access, family: Family, path: &str) -> Value {
    loop {
        let answer = client.send(access, Request::get(path, library(family))).await;
        // A busy machine occasionally returns a 503.
        let Some(answer) = answer else { continue };
        if answer.status.as_u16() != 429 {
            assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
            return answer.json();
        }
    }
}
