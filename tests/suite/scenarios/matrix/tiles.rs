use std::collections::BTreeSet;

use harness::{Answer, Call, DocumentedOperation, Fault, PUBLIC_URL, TestOrg, World};
use serde_json::{Value, json};
use shared::types::Scopes;

use super::{busy, drop_table};

const GRANTS: &str = "/v2/places/tiles/grants";
const ORIGIN: &str = "https://maps.example.com";

/// More than any call may send.
const OVERSIZED_BYTES: usize = 7 * 1024 * 1024;

/// One of the operations on grants, or one that a grant allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileOperation {
    Mint,
    List,
    Read,
    Revoke,
    Tilejson,
    Tile,
}

impl TileOperation {
    pub(super) fn of(documented: &DocumentedOperation) -> Option<Self> {
        let path = documented.path.strip_prefix("/v2/{product}/tiles/")?;
        match (documented.method.as_str(), path) {
            ("POST", "grants") => Some(Self::Mint),
            ("GET", "grants") => Some(Self::List),
            ("GET", "grants/{grant_id}") => Some(Self::Read),
            ("DELETE", "grants/{grant_id}") => Some(Self::Revoke),
            ("GET", "grants/{grant_id}/tilejson") => Some(Self::Tilejson),
            ("GET", "{layer}/{z}/{x}/{y}.mvt") => Some(Self::Tile),
            _ => None,
        }
    }

    /// Returns the statuses that the interface names.
    pub(super) fn specified(self) -> BTreeSet<u16> {
        let statuses: &[u16] = match self {
            Self::Mint | Self::List => &[200, 400, 401, 403, 404, 429],
            Self::Read => &[200, 401, 403, 404, 429],
            Self::Revoke => &[204, 401, 403, 404, 429],
            Self::Tilejson => &[200, 401, 403, 404, 410],
            Self::Tile => &[200, 204, 304, 401, 403, 404, 410],
        };
        statuses.iter().copied().collect()
    }

    fn is_public(self) -> bool {
        matches!(self, Self::Tilejson | Self::Tile)
    }

    /// Drives the operation to a status; `None` when there is no case for it.
    pub(super) async fn drive(self, status: u16) -> Option<Answer> {
        let world = World::new().await;
        let org = world.org("org_a").await;
        if self.is_public() {
            self.drive_public(&world, &org, status).await
        } else {
            self.drive_by_key(&world, &org, status).await
        }
    }

    async fn drive_by_key(self, world: &World, org: &TestOrg, status: u16) -> Option<Answer> {
        let grant = mint(world, org).await;
        let body = json!({ "allowed_origins": [ORIGIN] });
        let path = format!("{GRANTS}/{}", grant["grant_id"].as_str().expect("an id"));
        let call = || match self {
            Self::Mint => world.post(GRANTS).json(&body),
            Self::List => world.get(GRANTS),
            Self::Revoke => world.delete(&path),
            _ => world.get(&path),
        };
        let (call, key) = match status {
            200 | 204 => (call(), org.key.clone()),
            400 if self == Self::Mint => (world.post(GRANTS).json(&json!({})), org.key.clone()),
            400 if self == Self::List => (world.get(&format!("{GRANTS}?limit=0")), org.key.clone()),
            400 => (call().bearer("x.y.z"), org.key.clone()),
            401 => (call(), "nonsense".to_owned()),
            403 => (call(), world.key(&org.id, Scopes::default()).await),
            404 => (self.unknown(world), org.key.clone()),
            413 => {
                (world.post(GRANTS).bytes("application/json", " ".repeat(OVERSIZED_BYTES)), org.key.clone())
            }
            415 => (world.post(GRANTS).bytes("text/plain", "{}"), org.key.clone()),
            429 => (call(), busy(world).await.key),
            500 => {
                drop_table(world, "accounts").await;
                (call(), org.key.clone())
            }
            503 => {
                world.wire.break_with(|_| Fault::ErrorBeforeCommit);
                (call(), org.key.clone())
            }
            _ => return None,
        };
        Some(call.key(&key).send().await)
    }

    /// Starts a call for a grant that there is not, or for grants of which there are none.
    fn unknown(self, world: &World) -> Call<'_> {
        let (there_are_none, there_is_not) = ("/v2/markets/tiles/grants", format!("{GRANTS}/unknown"));
        match self {
            Self::Mint => world.post(there_are_none),
            Self::List => world.get(there_are_none),
            Self::Revoke => world.delete(&there_is_not),
            _ => world.get(&there_is_not),
        }
    }

    async fn drive_public(self, world: &World, org: &TestOrg, status: u16) -> Option<Answer> {
        let grant = mint(world, org).await;
        let revoked = format!("{GRANTS}/{}", grant["grant_id"].as_str().expect("an id"));
        let tilejson = path_of(&grant["tilejson_url"]);
        let tiles = world.get(&tilejson).send().await.json()["tiles"][0].take();
        let tile = |place: &str| path_of(&tiles).replace("{z}/{x}/{y}", place);
        let shown = |path: &str| -> Call<'_> { world.get(path).header("origin", ORIGIN) };
        let here = if self == Self::Tile { tile("0/0/0") } else { tilejson.clone() };
        let call = match status {
            200 => shown(&here),
            // The middle of the Pacific.
            204 => shown(&tile("14/400/8300")),
            304 => {
                let tag = shown(&here).send().await.header("etag").to_owned();
                shown(&here).header("if-none-match", &tag)
            }
            401 if self == Self::Tile => shown(here.split('?').next().expect("a path")),
            401 => {
                world.clock.advance(31 * 24 * 60 * 60 * 1_000);
                shown(&here)
            }
            403 => world.get(&here).header("origin", "https://other.example.com"),
            404 => shown(&here.replace("/0/0/0", "/0/1/0").replace("tg_", "tg-")),
            410 => {
                assert_eq!(world.delete(&revoked).key(&org.key).send().await.status, 204);
                world.clock.advance(30_000);
                shown(&here)
            }
            500 | 503 => {
                // Past what is remembered.
                world.clock.advance(30_000);
                if status == 500 {
                    drop_table(world, "credentials").await;
                } else {
                    world.wire.break_with(|_| Fault::ErrorBeforeCommit);
                }
                shown(&here)
            }
            _ => return None,
        };
        Some(call.send().await)
    }
}

async fn mint(world: &World, org: &TestOrg) -> Value {
    world.post(GRANTS).key(&org.key).json(&json!({ "allowed_origins": [ORIGIN] })).send().await.data()
}

fn path_of(url: &Value) -> String {
    url.as_str().and_then(|url| url.strip_prefix(PUBLIC_URL)).expect("an address of ours").to_owned()
}
