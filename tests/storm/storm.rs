//! Runs a storm: kills, restarts, and audits.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accounting::{OrgId, Scope, Tier};
use futures_util::future::join_all;
use harness::api_key;
use http::Method;
use marquee::administrator::Administrator;
use tokio::sync::watch;

use crate::books::Book;
use crate::client::Client;
use crate::findings::Findings;
use crate::organization::{Audit, Organization};
use crate::service::{Access, Run, Service};
use crate::staff::{CreatedKey, CreditAdmin, Fate, Grant, KeyOwner, send};
use crate::{CLIENTS_PER_CROWD, CROWDS, SOLOS};

/// The time from the first calls to a kill, in milliseconds.
const CALM: Range<u64> = 20..900;

/// The time from a restart to an early kill, in milliseconds. One in `EARLY_IN` kills is followed by an early
/// kill.
const EARLY: Range<u64> = 0..250;
const EARLY_IN: u32 = 6;

/// The local organization whose owner creates keys.
const ENTERPRISE: &str = "org_enterprise";

pub(crate) struct Storm {
    folder: PathBuf,
    service: Service,
    orgs: Vec<Organization>,
    credit_admin: CreditAdmin,
    key_owner: KeyOwner,
    rng: fastrand::Rng,
    began: Instant,
    findings: Findings,
}

/// A run of the service, and the sender that signals its end.
pub(crate) struct Running {
    run: Run,
    killing: watch::Sender<bool>,
}

impl Storm {
    /// Starts the service with a new data folder and creates the organizations.
    pub(crate) async fn begin(seed: u64) -> (Self, Running) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("storm-{}", std::process::id()));
        let service = Service::in_folder(&folder);
        let running = Running::start(&service).await;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut orgs = Vec::new();
        for number in 0..SOLOS + CROWDS {
            orgs.push(organization(&running.run.access, number, &mut rng).await);
        }
        let crowds = orgs.iter().skip(SOLOS as usize).map(|org| org.id.clone()).collect();
        let (credit_admin, key_owner) = (CreditAdmin::new(crowds, rng.u64(..)), KeyOwner::new(rng.u64(..)));
        let clients = SOLOS + CROWDS * CLIENTS_PER_CROWD;
        println!("kill storm of seed {seed}: {} organizations, {clients} clients", orgs.len());
        let (began, findings) = (Instant::now(), Findings::default());
        (Self { folder, service, orgs, credit_admin, key_owner, rng, began, findings }, running)
    }

    /// Lets clients send calls, kills the service, restarts it, and audits all data.
    pub(crate) async fn kill(mut self, running: Running, number: u64) -> (Self, Running) {
        let calm = Duration::from_millis(self.rng.u64(CALM));
        self = self.call_until_killed(running, calm).await;
        if self.rng.u32(0..EARLY_IN) == 0 {
            self.findings.early_kills += 1;
            self.service.start_and_kill(Duration::from_millis(self.rng.u64(EARLY))).await;
        }
        let running = Running::start(&self.service).await;
        let audits = self.audit(&running.run.access).await;
        self.findings.kills += 1;
        self.findings.writes +=
            std::mem::take(&mut self.credit_admin.writes) + std::mem::take(&mut self.key_owner.writes);
        self.findings.keys += self.key_owner.keys.len() as u64;
        audit_keys(&mut self.key_owner.keys, &running.run.access).await;
        self.findings.enter(number, calm, &audits);
        (self, running)
    }

    /// Prints the results and deletes the data.
    pub(crate) async fn end(self, running: Running) {
        running.run.kill().await;
        self.findings.print(self.began.elapsed());
        std::fs::remove_dir_all(self.folder).expect("the folder is writable");
    }

    async fn call_until_killed(mut self, running: Running, calm: Duration) -> Self {
        let Running { run, killing } = running;
        let access = &run.access;
        let mut playing = Vec::new();
        for org in &mut self.orgs {
            let clients = std::mem::take(&mut org.clients);
            let clients: Vec<_> =
                clients.into_iter().map(|client| tokio::spawn(client.play(access.clone()))).collect();
            playing.push(clients);
        }
        let credit_admin = tokio::spawn(self.credit_admin.work(access.clone()));
        let key_owner = tokio::spawn(self.key_owner.work(access.clone()));
        tokio::time::sleep(calm).await;
        run.kill().await;
        killing.send_replace(true);
        for (org, clients) in self.orgs.iter_mut().zip(playing) {
            for client in join_all(clients).await {
                org.clients.push(client.expect("no client finds a fault"));
            }
        }
        let credit_admin = credit_admin.await.expect("the administrator finds no fault");
        let key_owner = key_owner.await.expect("the key owner finds no fault");
        Self { credit_admin, key_owner, ..self }
    }

    async fn audit(&mut self, access: &Access) -> Vec<(OrgId, Audit)> {
        let mut grants: Vec<Vec<Grant>> = self.orgs.iter().map(|_| Vec::new()).collect();
        for grant in std::mem::take(&mut self.credit_admin.grants) {
            let index = self.orgs.iter().position(|org| org.id == grant.org).expect("a known organization");
            grants[index].push(grant);
        }
        let auditing = self.orgs.iter_mut().zip(&mut grants).map(async |(org, grants)| {
            let audit = org.audit(access, grants).await;
            (org.id.clone(), audit)
        });
        let audits = join_all(auditing).await;
        self.credit_admin.grants = grants.into_iter().flatten().collect();
        audits
    }
}

impl Running {
    async fn start(service: &Service) -> Self {
        let (killing, killed) = watch::channel(false);
        Self { run: service.start(killed).await, killing }
    }
}

async fn organization(access: &Access, number: u64, rng: &mut fastrand::Rng) -> Organization {
    let administrator: &Administrator = &access.administrator;
    let name = format!("org_storm_{number}");
    let id = harness::organization(administrator, &name, Tier::Enterprise, 100_000_000).await;
    let mut clients = Vec::new();
    for client in 0..if number < SOLOS { 1 } else { CLIENTS_PER_CROWD } {
        let key = api_key(administrator, &id, &format!("client {client}"), Scope::all()).await;
        clients.push(Client::new(&id, key, client, rng.u64(..)));
    }
    let book = Book::open(&id, administrator, &access.app).await;
    Organization::new(id, clients, book, rng.u64(..))
}

/// Compares the stored keys with the owner's records and removes revoked keys from the records.
async fn audit_keys(keys: &mut Vec<CreatedKey>, access: &Access) {
    let org: OrgId = ENTERPRISE.parse().expect("an ID");
    let listed = access.administrator.keys(&org).await.expect("a response");
    for key in keys.iter_mut() {
        let Some(stored) = listed.iter().find(|stored| stored.label == key.label) else {
            assert_eq!(key.shown, None, "acknowledged but missing: {key:?}");
            key.fate = Fate::Ended;
            continue;
        };
        let is_revoked = stored.revoked_at.is_some();
        let Some((handle, clear)) = &key.shown else {
            // The key can't be used, because the owner never received it.
            access.administrator.revoke_key(&org, &stored.id).await.expect("the key is live");
            key.fate = Fate::Ended;
            continue;
        };
        assert_eq!(*handle, stored.id.to_string());
        assert!(key.fate == Fate::Unsure || is_revoked == (key.fate == Fate::Ended), "{key:?}: {stored:?}");
        let answer = send(access, Method::GET, "/v2/billing/credits", ("X-API-Key", clear), None).await;
        let status = answer.expect("the service runs").status.as_u16();
        assert_eq!(status, if is_revoked { 401 } else { 200 }, "{key:?}: {stored:?}");
        key.fate = if is_revoked { Fate::Ended } else { Fate::Live };
    }
    keys.retain(|key| key.fate == Fate::Live);
}
