//! The organizations that call: so many that no rate and no balance is ever reached, and a few that have
//! nothing left of theirs.

use accounting::{Credits, Scope, Tier};
use futures_util::{StreamExt, stream};
use harness::{Serving, api_key, organization, samples, text};
use http::Method;
use marquee::administrator::Administrator;
use serde_json::Value;
use store::Family;

/// The keys of each that pays: as many as an organization may have, since each has 20 searches a minute.
const KEYS: usize = 10;

/// How many have no credits, of 1,000 refused calls a minute, and how many are in a sandbox, of ten calls.
const FEW: u64 = 60;

/// How many are made at a time.
const AT_A_TIME: usize = 8;

/// More than any run uses.
const CREDITS: Credits = 100_000_000;

/// The site whose pages show the tiles: one of those that the sample of a grant allows.
pub(crate) const ORIGIN: &str = "http://localhost:5173";

pub(crate) struct Customers {
    pub(crate) paying: Vec<Customer>,
    pub(crate) without_credits: Vec<Customer>,
    pub(crate) sandboxed: Vec<Customer>,
}

/// An organization, as its programs know it.
pub(crate) struct Customer {
    keys: Vec<String>,
    /// The path of a campaign: its own, but of one without credits, which has none.
    pub(crate) campaign: String,
    /// The path of its tiles, with `{z}/{x}/{y}` for their coordinates.
    pub(crate) tiles: String,
}

impl Customers {
    /// Makes all of them, through the operator's commands and through the service.
    pub(crate) async fn join(serving: &Serving, paying: u64) -> Self {
        let operator = &Administrator::new(serving.app());
        let join = async |number: u64| {
            let id = organization(operator, &format!("org_load_{number}"), Tier::Enterprise, CREDITS).await;
            let mut keys = Vec::new();
            for program in 0..KEYS {
                keys.push(api_key(operator, &id, &format!("program {program}"), Scope::all()).await);
            }
            let key = ("X-API-Key", keys[0].as_str());
            let (library, body) = (samples::library(Family::Campaign), samples::campaign());
            let created = serving.call(Method::POST, library, key, Some(&body)).await.data();
            let campaign = format!("{library}/{}", text(&created["asset_id"]));
            Customer { campaign, tiles: tiles(serving, key).await, keys }
        };
        let paying: Vec<_> = stream::iter(0..paying).map(join).buffered(AT_A_TIME).collect().await;
        let campaign = paying.first().expect("a number of organizations").campaign.clone();
        let few = async |name: &str, tier, credits| {
            let mut few = Vec::new();
            for number in 0..FEW {
                let id = organization(operator, &format!("org_{name}_{number}"), tier, credits).await;
                let keys = vec![api_key(operator, &id, "program", Scope::all()).await];
                few.push(Customer { keys, campaign: campaign.clone(), tiles: String::new() });
            }
            few
        };
        let without_credits = few("poor", Tier::Enterprise, 0).await;
        let sandboxed = few("sandbox", Tier::Sandbox, CREDITS).await;
        Self { paying, without_credits, sandboxed }
    }
}

impl Customer {
    /// Returns the key for the next call after so many, so that all are used alike.
    pub(crate) fn key(&self, called: usize) -> &str {
        &self.keys[called % self.keys.len()]
    }
}

/// Mints a tile grant, and returns the path of its tiles.
async fn tiles(serving: &Serving, key: (&str, &str)) -> String {
    let minted =
        serving.call(Method::POST, "/v2/displays/tiles/grants", key, Some(&samples::tile_grant())).await;
    let path = |url: &Value| {
        let url = text(url);
        url[url.find("/v2/").expect("an address of ours")..].to_owned()
    };
    let described = path(&minted.data()["tilejson_url"]);
    let described = serving.call(Method::GET, &described, ("Origin", ORIGIN), None).await;
    path(&described.json()["tiles"][0])
}
