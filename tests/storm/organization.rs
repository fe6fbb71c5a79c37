//! An organization of the storm, and the look at all that is stored of it after a restart.

use std::collections::BTreeMap;

use accounting::OrgId;
use harness::{Body, Delete, Known, assert_summary, samples, text, whole};
use serde_json::Value;
use store::{AssetState, Family};
use strum::IntoEnumIterator;

use crate::books::{Book, Sums};
use crate::client::{Client, Create, Request, library};
use crate::service::Doors;
use crate::staff::Grant;
use crate::tally::{Lines, Tally, Unanswered};

pub(crate) struct Organization {
    pub(crate) id: OrgId,
    pub(crate) clients: Vec<Client>,
    pub(crate) book: Book,
    rng: fastrand::Rng,
}

/// What a look at an organization found, after nothing was wrong.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) calls: u64,
    pub(crate) unanswered: Vec<Unanswered>,
    /// The acknowledged writes that were looked for, and the assets that were compared whole.
    pub(crate) writes: u64,
    pub(crate) assets: u64,
    /// The calls that were charged without an answer, by billing name.
    pub(crate) charged: Lines,
    /// The entries that no answer told of.
    pub(crate) unknown_entries: usize,
    /// The creates that were sent again by their keys, and how many of them had created their asset before.
    pub(crate) sent_again: u64,
    pub(crate) repeats: u64,
    /// The creates that paid twice: killed between their charge and their asset.
    pub(crate) paid_twice: u64,
    pub(crate) sums: Sums,
}

impl Organization {
    pub(crate) fn new(id: OrgId, clients: Vec<Client>, book: Book, seed: u64) -> Self {
        Self { id, clients, book, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Tells whether one program sends all its calls, so that no entry of a call without an answer can have
    /// left.
    fn is_of_one_program(&self) -> bool {
        self.clients.len() == 1
    }

    /// Holds all that is stored to what its programs were told.
    pub(crate) async fn look(&mut self, doors: &Doors, grants: &mut [Grant]) -> Look {
        let mut look = Look::default();
        self.clients.iter_mut().for_each(Client::enter_unsure_events);
        let mut tally = self.take_tally();
        look.unknown_entries = self.book.unknown_entries(&doors.app, &tally).await;
        for client in &mut self.clients {
            for index in 0..client.assets.len() {
                client.settle_event(doors, index).await;
            }
        }
        tally.add(self.take_tally());
        look.charged = self.book.charged(&doors.operator, &tally).await;
        let calls: i64 = look.charged.values().map(|line| line.calls).sum();
        if self.is_of_one_program() && tally.unavailable == 0 {
            let sent = &tally.unanswered;
            // What the staff posts to the account has entries too, which nobody is told of.
            assert!(
                look.unknown_entries as i64 >= calls,
                "{}: an entry for each charge: {:?} {sent:?}",
                self.id,
                look.charged
            );
        }
        look.sums = self.book.sums(&doors.operator, grants).await;
        let visible = self.look_at_assets(doors, &mut look).await;
        for (name, writes) in visible {
            let line = look.charged.get(name).copied().unwrap_or_default();
            assert!(writes <= line.calls, "{}: {writes} of {name} were carried out, {line:?}", self.id);
        }
        look.calls = tally.calls;
        look.writes = tally.writes;
        look.unanswered = tally.unanswered;
        look
    }

    fn take_tally(&mut self) -> Tally {
        let mut sum = Tally::default();
        for client in &mut self.clients {
            sum.add(std::mem::take(&mut client.tally));
        }
        sum
    }

    /// Returns how many writes without an answer were carried out, by billing name.
    async fn look_at_assets(&mut self, doors: &Doors, look: &mut Look) -> BTreeMap<&'static str, i64> {
        let mut visible = BTreeMap::new();
        let mut without_key = Vec::new();
        let clients = self.clients.len();
        for index in 0..clients {
            for create in std::mem::take(&mut self.clients[index].creates) {
                if create.idempotency_key.is_none() {
                    without_key.push((index, create));
                    continue;
                }
                look.sent_again += 1;
                let product = library(create.family);
                if self.clients[index].send_again(doors, create).await {
                    look.repeats += 1;
                    *visible.entry(product.name()).or_default() += 1;
                } else if self.is_of_one_program() && look.charged.contains_key(product.name()) {
                    look.paid_twice += 1;
                }
            }
        }
        for family in Family::iter() {
            let mut listed = self.list_family(doors, family).await;
            look.assets += listed.len() as u64;
            let carried_out = visible.entry(library(family).name()).or_default();
            for client in &mut self.clients {
                *carried_out += hold(client, family, &mut listed);
            }
            let stray = without_key.iter().filter(|(_, create)| create.family == family);
            for (index, create) in stray {
                *carried_out += i64::from(adopt(&mut self.clients[*index], create, &mut listed));
            }
            assert!(listed.is_empty(), "{}: created twice or by nobody: {listed:?}", self.id);
        }
        visible
    }

    /// Lists a family's assets by their ids, and holds the summary and the indexes to the list.
    async fn list_family(&mut self, doors: &Doors, family: Family) -> BTreeMap<String, Value> {
        let state = <&str>::from(self.rng.choice(AssetState::iter()).expect("there are states"));
        let client = &mut self.clients[0];
        let assets = list(client, doors, family, "").await;
        let path = format!("{}/summary", samples::library(family));
        let summary = ask(client, doors, family, &path).await["data"].take();
        assert_summary(&summary, &assets, &format!("{} {family}", self.id));
        let in_state: Vec<_> = assets.iter().filter(|asset| asset["state"] == state).cloned().collect();
        let by_state = list(client, doors, family, &format!("&state={state}")).await;
        assert_eq!(by_state, in_state, "{} {family} {state}", self.id);
        if let Some(asset) = self.rng.choice(&assets) {
            let name = text(&asset["customer"]["customer_scenario_id"]);
            let by_name = list(client, doors, family, &format!("&customer_scenario_id={name}")).await;
            assert_eq!(by_name, std::slice::from_ref(asset), "{} {family} {name}", self.id);
        }
        assets.into_iter().map(|asset| (text(&asset["asset_id"]), asset)).collect()
    }
}

/// Holds a program's assets of a family to the list, takes them off it, and returns how many writes without
/// an answer were carried out.
fn hold(client: &mut Client, family: Family, listed: &mut BTreeMap<String, Value>) -> i64 {
    let mut carried_out = 0;
    client.assets.retain_mut(|known| {
        if known.family != family {
            return true;
        }
        let id = known.id.as_ref().expect("it was acknowledged");
        let Some(asset) = listed.remove(id) else {
            assert_eq!(known.delete, Delete::Unanswered, "created and not there: {known:?}");
            carried_out += 1;
            return false;
        };
        let stamp = known.assert_may_be(&asset);
        carried_out += i64::from(known.bodies.len() > 1 && stamp != known.bodies[0].stamp);
        known.bodies = vec![Body { stamp, version: asset["version"].as_u64() }];
        known.delete = Delete::NotSent;
        true
    });
    carried_out
}

/// Finds the asset of a create without a key that was not answered: it is the program's then.
fn adopt(client: &mut Client, create: &Create, listed: &mut BTreeMap<String, Value>) -> bool {
    let found = listed.iter().find(|(_, asset)| whole(asset) == create.stamp).map(|(id, _)| id.clone());
    let Some(id) = found else { return false };
    let asset = listed.remove(&id).expect("it was found");
    assert_eq!(asset["state"], "draft", "{create:?}");
    let body = Body { stamp: create.stamp.clone(), version: asset["version"].as_u64() };
    client.assets.push(Known::made(Some(id), create.family, body));
    true
}

async fn list(client: &mut Client, doors: &Doors, family: Family, filter: &str) -> Vec<Value> {
    let (mut assets, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("{}?limit=100{filter}{cursor}", samples::library(family));
        let mut page = ask(client, doors, family, &path).await;
        assets.extend(page["data"].take().as_array().expect("a list").clone());
        let Some(next) = page["pagination"]["cursor"].as_str() else { return assets };
        cursor = format!("&cursor={next}");
    }
}

/// Asks until the rate lets it.
async fn ask(client: &mut Client, doors: &Doors, family: Family, path: &str) -> Value {
    loop {
        let answer = client.send(doors, Request::get(path, library(family))).await;
        // A busy machine has a 503 now and then.
        let Some(answer) = answer else { continue };
        if answer.status.as_u16() != 429 {
            assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
            return answer.json();
        }
    }
}
