//! An administrator who creates and revokes grants, and an owner who creates and revokes keys.

use std::time::Duration;

use accounting::{Credits, GrantId, OrgId, PrepaidKind};
use harness::{Answer, text, try_call};
use http::Method;
use marquee::administrator::AdministratorError;
use serde_json::{Value, json};

use crate::service::Access;

/// The maximum number of active grants per organization in addition to the initial grant. The service allows
/// eight.
const MAX_GRANTS: usize = 5;

/// The minimum size of a grant, which exceeds a storm's usage. Each grant has a different number of credits,
/// which identifies it.
const LEAST_CREDITS: Credits = 1_000_000;

/// The maximum number of active keys. The service allows ten.
const MAX_KEYS: usize = 5;

/// The pause between the owner's calls. The account API limit is 60 calls per minute.
const OWNER_PAUSE: Duration = Duration::from_millis(1_100);
const ADMINISTRATOR_PAUSE: Duration = Duration::from_millis(40);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Live,
    /// The revocation was sent but not answered.
    Unsure,
    Ended,
}

#[derive(Debug)]
pub(crate) struct Grant {
    pub(crate) org: OrgId,
    /// The ID, or `None` if the create call wasn't answered.
    pub(crate) id: Option<GrantId>,
    pub(crate) credits: Credits,
    pub(crate) fate: Fate,
}

#[derive(Debug)]
pub(crate) struct CreatedKey {
    pub(crate) label: String,
    /// The key ID and the key, or `None` if the create call wasn't answered.
    pub(crate) shown: Option<(String, String)>,
    pub(crate) fate: Fate,
}

/// An administrator who changes the grants of one organization per run of the service.
pub(crate) struct CreditAdmin {
    pub(crate) grants: Vec<Grant>,
    /// The number of acknowledged writes in this run.
    pub(crate) writes: u64,
    orgs: Vec<OrgId>,
    runs: usize,
    rng: fastrand::Rng,
}

/// An owner of `org_enterprise` who changes its keys.
pub(crate) struct KeyOwner {
    pub(crate) keys: Vec<CreatedKey>,
    /// The number of acknowledged writes in this run.
    pub(crate) writes: u64,
    created: usize,
    rng: fastrand::Rng,
}

impl CreditAdmin {
    pub(crate) fn new(orgs: Vec<OrgId>, seed: u64) -> Self {
        Self { grants: Vec::new(), writes: 0, orgs, runs: 0, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Creates and revokes grants until the service is killed.
    pub(crate) async fn work(mut self, access: Access) -> Self {
        self.runs += 1;
        let org = self.orgs[self.runs % self.orgs.len()].clone();
        while !access.is_killed() {
            tokio::time::sleep(ADMINISTRATOR_PAUSE).await;
            let live: Vec<usize> = (0..self.grants.len())
                .filter(|index| self.grants[*index].org == org && self.grants[*index].fate == Fate::Live)
                .collect();
            match self.rng.choice(&live) {
                Some(index) if live.len() >= MAX_GRANTS || self.rng.bool() => {
                    self.revoke(&access, *index).await;
                }
                _ => self.grant(&access, &org).await,
            }
        }
        self
    }

    async fn grant(&mut self, access: &Access, org: &OrgId) {
        let credits = LEAST_CREDITS + self.grants.len() as Credits;
        let granting = access.administrator.grant(org, PrepaidKind::Promotional, credits, None);
        let granted = access.until_killed(granting).await;
        // Revoked grants that became live again because of refunds also count towards the limit of eight.
        if let Some(Err(AdministratorError::TooManyGrants { .. })) = granted {
            return;
        }
        let id = granted.map(|granted| granted.expect("the engine answers while the service runs"));
        self.writes += u64::from(id.is_some());
        let fate = if id.is_some() { Fate::Live } else { Fate::Unsure };
        self.grants.push(Grant { org: org.clone(), id, credits, fate });
    }

    async fn revoke(&mut self, access: &Access, index: usize) {
        let Grant { org, id, .. } = &self.grants[index];
        let id = id.as_ref().expect("active grants have an ID");
        let revoked = access.until_killed(access.administrator.revoke_credits(org, id)).await;
        self.grants[index].fate = match revoked {
            Some(revoked) => {
                revoked.expect("the engine answers while the service runs");
                self.writes += 1;
                Fate::Ended
            }
            None => Fate::Unsure,
        };
    }
}

impl KeyOwner {
    pub(crate) fn new(seed: u64) -> Self {
        Self { keys: Vec::new(), writes: 0, created: 0, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Creates and revokes keys until the service is killed.
    pub(crate) async fn work(mut self, access: Access) -> Self {
        let first = Duration::from_millis(self.rng.u64(0..400));
        access.until_killed(tokio::time::sleep(first)).await;
        while !access.is_killed() {
            let live: Vec<usize> =
                (0..self.keys.len()).filter(|index| self.keys[*index].fate == Fate::Live).collect();
            match self.rng.choice(&live) {
                Some(index) if live.len() >= MAX_KEYS || self.rng.bool() => {
                    self.revoke(&access, *index).await;
                }
                _ => self.create(&access).await,
            }
            access.until_killed(tokio::time::sleep(OWNER_PAUSE)).await;
        }
        self
    }

    /// Revokes a key, unless the rate limit refuses the call.
    async fn revoke(&mut self, access: &Access, index: usize) {
        let (handle, _) = self.keys[index].shown.clone().expect("active keys have a handle");
        let path = format!("/v2/account/keys/{handle}");
        self.keys[index].fate =
            match send(access, Method::DELETE, &path, ("Authorization", &owner(access)), None).await {
                Some(answer) if answer.status.as_u16() == 429 => return,
                Some(answer) => {
                    assert_eq!(answer.status.as_u16(), 204, "{}", answer.text());
                    self.writes += 1;
                    Fate::Ended
                }
                None => Fate::Unsure,
            };
    }

    async fn create(&mut self, access: &Access) {
        self.created += 1;
        let label = format!("storm {}", self.created);
        let body = json!({ "label": label, "scopes": ["billing"] });
        let shown = match send(
            access,
            Method::POST,
            "/v2/account/keys",
            ("Authorization", &owner(access)),
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
        self.keys.push(CreatedKey { label, shown, fate });
    }
}

/// Sends a call with a credential. Returns `None` if the service was killed.
pub(crate) async fn send(
    access: &Access,
    method: Method,
    path: &str,
    credential: (&str, &str),
    body: Option<&Value>,
) -> Option<Answer> {
    let answer = try_call(&access.address, &method, path, &[credential], body).await.ok()?;
    assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.text());
    Some(answer)
}

fn owner(access: &Access) -> String {
    format!("Bearer {}", access.bearer)
}
