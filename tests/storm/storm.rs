//! The storm itself: kills, restarts and looks.

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
use crate::organization::{Look, Organization};
use crate::service::{Doors, Life, Service};
use crate::staff::{Fate, Grant, Keeper, MintedKey, Teller, send};
use crate::{CROWDS, PROGRAMS_OF_CROWD, SOLOS};

/// How long the programs call before a kill, in milliseconds.
const CALM: Range<u64> = 20..900;

/// How soon a start is killed that is not waited for, in milliseconds, and in how many kills that happens once.
const EARLY: Range<u64> = 0..250;
const EARLY_IN: u32 = 6;

/// The organization of the local process whose owner mints keys.
const ENTERPRISE: &str = "org_enterprise";

pub(crate) struct Storm {
    folder: PathBuf,
    service: Service,
    orgs: Vec<Organization>,
    teller: Teller,
    keeper: Keeper,
    rng: fastrand::Rng,
    began: Instant,
    findings: Findings,
}

/// A life of the service, and how its end is told.
pub(crate) struct Running {
    life: Life,
    killing: watch::Sender<bool>,
}

impl Storm {
    /// Starts the service on a new folder, with organizations of its own.
    pub(crate) async fn begin(seed: u64) -> (Self, Running) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("storm-{}", std::process::id()));
        let service = Service::in_folder(&folder);
        let running = Running::start(&service).await;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut orgs = Vec::new();
        for number in 0..SOLOS + CROWDS {
            orgs.push(organization(&running.life.doors, number, &mut rng).await);
        }
        let crowds = orgs.iter().skip(SOLOS as usize).map(|org| org.id.clone()).collect();
        let (teller, keeper) = (Teller::new(crowds, rng.u64(..)), Keeper::new(rng.u64(..)));
        let programs = SOLOS + CROWDS * PROGRAMS_OF_CROWD;
        println!("kill storm of seed {seed}: {} organizations, {programs} programs", orgs.len());
        let (began, findings) = (Instant::now(), Findings::default());
        (Self { folder, service, orgs, teller, keeper, rng, began, findings }, running)
    }

    /// Lets the programs call, kills the service, starts it again, and looks at everything.
    pub(crate) async fn kill(mut self, running: Running, number: u64) -> (Self, Running) {
        let calm = Duration::from_millis(self.rng.u64(CALM));
        self = self.call_until_killed(running, calm).await;
        if self.rng.u32(0..EARLY_IN) == 0 {
            self.findings.early_kills += 1;
            self.service.start_and_kill(Duration::from_millis(self.rng.u64(EARLY))).await;
        }
        let running = Running::start(&self.service).await;
        let looks = self.look(&running.life.doors).await;
        self.findings.kills += 1;
        self.findings.writes +=
            std::mem::take(&mut self.teller.writes) + std::mem::take(&mut self.keeper.writes);
        self.findings.keys += self.keeper.keys.len() as u64;
        look_at_keys(&mut self.keeper.keys, &running.life.doors).await;
        self.findings.enter(number, calm, &looks);
        (self, running)
    }

    /// Says what was found, and removes the data.
    pub(crate) async fn end(self, running: Running) {
        running.life.kill().await;
        self.findings.print(self.began.elapsed());
        std::fs::remove_dir_all(self.folder).expect("our own folder");
    }

    async fn call_until_killed(mut self, running: Running, calm: Duration) -> Self {
        let Running { life, killing } = running;
        let doors = &life.doors;
        let mut playing = Vec::new();
        for org in &mut self.orgs {
            let clients = std::mem::take(&mut org.clients);
            let clients: Vec<_> =
                clients.into_iter().map(|client| tokio::spawn(client.play(doors.clone()))).collect();
            playing.push(clients);
        }
        let teller = tokio::spawn(self.teller.work(doors.clone()));
        let keeper = tokio::spawn(self.keeper.work(doors.clone()));
        tokio::time::sleep(calm).await;
        life.kill().await;
        killing.send_replace(true);
        for (org, clients) in self.orgs.iter_mut().zip(playing) {
            for client in join_all(clients).await {
                org.clients.push(client.expect("a program finds nothing wrong"));
            }
        }
        let teller = teller.await.expect("the operator finds nothing wrong");
        let keeper = keeper.await.expect("an owner finds nothing wrong");
        Self { teller, keeper, ..self }
    }

    async fn look(&mut self, doors: &Doors) -> Vec<(OrgId, Look)> {
        let mut grants: Vec<Vec<Grant>> = self.orgs.iter().map(|_| Vec::new()).collect();
        for grant in std::mem::take(&mut self.teller.grants) {
            let index = self.orgs.iter().position(|org| org.id == grant.org).expect("one of ours");
            grants[index].push(grant);
        }
        let looking = self.orgs.iter_mut().zip(&mut grants).map(async |(org, grants)| {
            let look = org.look(doors, grants).await;
            (org.id.clone(), look)
        });
        let looks = join_all(looking).await;
        self.teller.grants = grants.into_iter().flatten().collect();
        looks
    }
}

impl Running {
    async fn start(service: &Service) -> Self {
        let (killing, killed) = watch::channel(false);
        Self { life: service.start(killed).await, killing }
    }
}

async fn organization(doors: &Doors, number: u64, rng: &mut fastrand::Rng) -> Organization {
    let operator: &Administrator = &doors.operator;
    let name = format!("org_storm_{number}");
    let id = harness::organization(operator, &name, Tier::Enterprise, 100_000_000).await;
    let mut clients = Vec::new();
    for program in 0..if number < SOLOS { 1 } else { PROGRAMS_OF_CROWD } {
        let key = api_key(operator, &id, &format!("program {program}"), Scope::all()).await;
        clients.push(Client::new(&id, key, program, rng.u64(..)));
    }
    let book = Book::open(&id, operator, &doors.app).await;
    Organization::new(id, clients, book, rng.u64(..))
}

/// Holds the keys that are stored to those that the owner was shown, and forgets those that have ended.
async fn look_at_keys(keys: &mut Vec<MintedKey>, doors: &Doors) {
    let org: OrgId = ENTERPRISE.parse().expect("an id");
    let listed = doors.operator.keys(&org).await.expect("the engine answers");
    for key in keys.iter_mut() {
        let Some(stored) = listed.iter().find(|stored| stored.label == key.label) else {
            assert_eq!(key.shown, None, "acknowledged and not there: {key:?}");
            key.fate = Fate::Ended;
            continue;
        };
        let is_revoked = stored.revoked_at.is_some();
        let Some((handle, clear)) = &key.shown else {
            // Nobody has seen it.
            doors.operator.revoke_key(&org, &stored.id).await.expect("it is live");
            key.fate = Fate::Ended;
            continue;
        };
        assert_eq!(*handle, stored.id.to_string());
        assert!(key.fate == Fate::Unsure || is_revoked == (key.fate == Fate::Ended), "{key:?}: {stored:?}");
        let answer = send(doors, Method::GET, "/v2/billing/credits", ("X-API-Key", clear), None).await;
        let status = answer.expect("the service lives").status.as_u16();
        assert_eq!(status, if is_revoked { 401 } else { 200 }, "{key:?}: {stored:?}");
        key.fate = if is_revoked { Fate::Ended } else { Fate::Live };
    }
    keys.retain(|key| key.fate == Fate::Live);
}
