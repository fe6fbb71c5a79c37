//! The organizations in the load test. There are enough paying organizations to stay within all rate limits
//! and balances, and a few organizations with no credits or a low rate limit.

use accounting::{Credits, Scope, Tier};
use futures_util::{StreamExt, stream};
use harness::{Serving, api_key, organization, samples, text};
use http::Method;
use marquee::administrator::Administrator;
use serde_json::Value;
use store::Family;

/// The number of keys per paying organization. It's the maximum, because each key can make only 20 searches
/// per minute.
const KEYS: usize = 10;

/// The number of organizations without credits, which can make 1,000 calls per minute, and the number of
/// sandbox organizations, which can make ten.
const FEW: u64 = 60;

/// The number of organizations that are created concurrently.
const AT_A_TIME: usize = 8;

/// More credits than any run uses.
const CREDITS: Credits = 100_000_000;

/// The origin of the pages that show the tiles. The sample tile grant allows it.
pub(crate) const ORIGIN: &str = "http://localhost:5173";

pub(crate) struct Customers {
    pub(crate) paying: Vec<Customer>,
    pub(crate) without_credits: Vec<Customer>,
    pub(crate) sandboxed: Vec<Customer>,
}

/// An organization and the data for its calls.
pub(crate) struct Customer {
    keys: Vec<String>,
    /// The path of the organization's campaign. Organizations without a campaign use the first paying
    /// organization's.
    pub(crate) campaign: String,
    /// The path template of the organization's tiles, with `{z}/{x}/{y}`.
    pub(crate) tiles: String,
}

impl Customers {
    /// Creates the organizations with the administrator's functions, and their data through the service.
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
        let campaign = paying.first().expect("there is at least one organization").campaign.clone();
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
    /// Returns the key for the next call, rotating through all keys.
    pub(crate) fn key(&self, calls_before: usize) -> &str {
        &self.keys[calls_before % self.keys.len()]
    }
}

/// Creates a tile grant and returns its path template for tiles.
async fn tiles(serving: &Serving, key: (&str, &str)) -> String {
    let created =
        serving.call(Method::POST, "/v2/displays/tiles/grants", key, Some(&samples::tile_grant())).await;
    let path = |url: &Value| {
        let url = text(url);
        url[url.find("/v2/").expect("the URL of the service")..].to_owned()
    };
    let described = path(&created.data()["tilejson_url"]);
    let described = serving.call(Method::GET, &described, ("Origin", ORIGIN), None).await;
    path(&described.json()["tiles"][0])
}
