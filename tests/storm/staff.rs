//! The operator, who grants credits and revokes them, and an owner, who mints keys and revokes those.

use std::time::Duration;

use accounting::{Credits, GrantId, OrgId, PrepaidKind};
use harness::{Answer, text, try_call};
use http::Method;
use serde_json::{Value, json};

use crate::service::Doors;

/// The live grants of an organization at most, besides its first: it may have eight.
const MOST_GRANTS: usize = 5;

/// The least credits of a grant, which no storm uses up. Each has other credits than all before it, by which it
/// is known.
const LEAST_CREDITS: Credits = 1_000_000;

/// The live keys that an owner mints at most: an organization may have ten.
const MOST_KEYS: usize = 5;

/// An owner has 60 calls of the portal in a minute.
const PAUSE_OF_OWNER: Duration = Duration::from_millis(1_100);
const PAUSE_OF_OPERATOR: Duration = Duration::from_millis(40);

/// What became of a grant or a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Live,
    /// Its end was asked for and not answered.
    Unsure,
    Ended,
}

#[derive(Debug)]
pub(crate) struct Grant {
    pub(crate) org: OrgId,
    /// `None` of one that was not answered.
    pub(crate) id: Option<GrantId>,
    pub(crate) credits: Credits,
    pub(crate) fate: Fate,
}

#[derive(Debug)]
pub(crate) struct MintedKey {
    pub(crate) label: String,
    /// The handle and the key; `None` of one that was not answered.
    pub(crate) shown: Option<(String, String)>,
    pub(crate) fate: Fate,
}

/// The operator, who sees to one organization in each life of the service.
pub(crate) struct Teller {
    pub(crate) grants: Vec<Grant>,
    /// What was acknowledged in this life.
    pub(crate) writes: u64,
    orgs: Vec<OrgId>,
    lives: usize,
    rng: fastrand::Rng,
}

/// An owner of `org_enterprise`.
pub(crate) struct Keeper {
    pub(crate) keys: Vec<MintedKey>,
    /// What was acknowledged in this life.
    pub(crate) writes: u64,
    minted: usize,
    rng: fastrand::Rng,
}

impl Teller {
    pub(crate) fn new(orgs: Vec<OrgId>, seed: u64) -> Self {
        Self { grants: Vec::new(), writes: 0, orgs, lives: 0, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Grants and revokes until the service is killed.
    pub(crate) async fn work(mut self, doors: Doors) -> Self {
        self.lives += 1;
        let org = self.orgs[self.lives % self.orgs.len()].clone();
        while !doors.is_killed() {
            tokio::time::sleep(PAUSE_OF_OPERATOR).await;
            let live: Vec<usize> = (0..self.grants.len())
                .filter(|index| self.grants[*index].org == org && self.grants[*index].fate == Fate::Live)
                .collect();
            match self.rng.choice(&live) {
                Some(index) if live.len() >= MOST_GRANTS || self.rng.bool() => {
                    self.revoke(&doors, *index).await;
                }
                _ => self.grant(&doors, &org).await,
            }
        }
        self
    }

    async fn grant(&mut self, doors: &Doors, org: &OrgId) {
        let credits = LEAST_CREDITS + self.grants.len() as Credits;
        let granting = doors.operator.grant(org, PrepaidKind::Promotional, credits, None);
        let granted = doors.until_killed(granting).await;
        let id = granted.map(|granted| granted.expect("the engine answers while the service lives"));
        self.writes += u64::from(id.is_some());
        let fate = if id.is_some() { Fate::Live } else { Fate::Unsure };
        self.grants.push(Grant { org: org.clone(), id, credits, fate });
    }

    async fn revoke(&mut self, doors: &Doors, index: usize) {
        let Grant { org, id, .. } = &self.grants[index];
        let id = id.as_ref().expect("it was acknowledged");
        let revoked = doors.until_killed(doors.operator.revoke_credits(org, id)).await;
        self.grants[index].fate = match revoked {
            Some(revoked) => {
                revoked.expect("the engine answers while the service lives");
                self.writes += 1;
                Fate::Ended
            }
            None => Fate::Unsure,
        };
    }
}

impl Keeper {
    pub(crate) fn new(seed: u64) -> Self {
        Self { keys: Vec::new(), writes: 0, minted: 0, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Mints and revokes until the service is killed.
    pub(crate) async fn work(mut self, doors: Doors) -> Self {
        let first = Duration::from_millis(self.rng.u64(0..400));
        doors.until_killed(tokio::time::sleep(first)).await;
        while !doors.is_killed() {
            let live: Vec<usize> =
                (0..self.keys.len()).filter(|index| self.keys[*index].fate == Fate::Live).collect();
            match self.rng.choice(&live) {
                Some(index) if live.len() >= MOST_KEYS || self.rng.bool() => {
                    self.revoke(&doors, *index).await;
                }
                _ => self.mint(&doors).await,
            }
            doors.until_killed(tokio::time::sleep(PAUSE_OF_OWNER)).await;
        }
        self
    }

    /// Revokes a key, unless the rate is reached.
    async fn revoke(&mut self, doors: &Doors, index: usize) {
        let (handle, _) = self.keys[index].shown.clone().expect("it was acknowledged");
        let path = format!("/v2/account/keys/{handle}");
        self.keys[index].fate =
            match send(doors, Method::DELETE, &path, ("Authorization", &owner(doors)), None).await {
                Some(answer) if answer.status.as_u16() == 429 => return,
                Some(answer) => {
                    assert_eq!(answer.status.as_u16(), 204, "{}", answer.text());
                    self.writes += 1;
                    Fate::Ended
                }
                None => Fate::Unsure,
            };
    }

    async fn mint(&mut self, doors: &Doors) {
        self.minted += 1;
        let label = format!("storm {}", self.minted);
        let body = json!({ "label": label, "scopes": ["billing"] });
        let shown = match send(
            doors,
            Method::POST,
            "/v2/account/keys",
            ("Authorization", &owner(doors)),
            Some(&body),
        )
        .await
        {
            Some(answer) if answer.status.as_u16() == 429 => return,
            Some(answer) => {
                let data = answer.data();
                self.writes += 1;
                Some((text(&data["key_id"]), text(&data["api_key"])))
            }
            None => None,
        };
        let fate = if shown.is_some() { Fate::Live } else { Fate::Unsure };
        self.keys.push(MintedKey { label, shown, fate });
    }
}

/// Sends a call with a credential; `None` when the service has died.
pub(crate) async fn send(
    doors: &Doors,
    method: Method,
    path: &str,
    credential: (&str, &str),
    body: Option<&Value>,
) -> Option<Answer> {
    let answer = try_call(&doors.address, &method, path, &[credential], body).await.ok()?;
    assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.text());
    Some(answer)
}

fn owner(doors: &Doors) -> String {
    format!("Bearer {}", doors.bearer)
}
