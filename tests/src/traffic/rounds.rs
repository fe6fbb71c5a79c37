//! Runs rounds of calls from several organizations' clients while the database has faults, followed by an
//! audit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use accounting::{PrepaidKind, Tier, Timestamp};
use measurement::Outcome;
use store::Family;

use super::accounts::{AuditedAccount, Doubts, audit_account};
use super::assets::audit_assets;
use super::ledger::Ledger;
use super::process::Process;
use super::sender::{SHARED, Sender};
use crate::{Fault, Logs, TestOrg, World, samples, stamped, text};

/// The time limit for each attempt of a database call, in worlds with this traffic.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(250);

/// The number of clients per organization.
const SENDERS: u64 = 3;
const CALLS: usize = 13;

/// The percentage of database requests that have a fault, by round.
const FAULT_PERCENTAGES: [usize; 8] = [4, 10, 25, 50, 10, 2, 35, 15];

const MINUTE: i64 = 61_000;

/// The clients of several organizations, with everything that they sent and received.
pub struct Traffic {
    world: Arc<World>,
    processes: Vec<Process>,
    orgs: Vec<(TestOrg, String)>,
    senders: Vec<Sender>,
    ledger: Ledger,
    began: Timestamp,
    rng: fastrand::Rng,
    faults: Arc<AtomicUsize>,
}

/// The results of an audit that found no errors.
#[derive(Debug)]
pub struct Audited {
    pub accounts: Vec<AuditedAccount>,
    /// The number of assets that the audit compared.
    pub assets: usize,
    pub doubts: Doubts,
}

impl Traffic {
    /// Creates four organizations and their clients. The organizations' names end with `suffix`. The clients
    /// call the given processes, whose clocks are skewed, or the world's main process if there are none.
    pub async fn begin(world: &Arc<World>, processes: &[Process], suffix: &str, seed: u64) -> Self {
        let began = world.clock.now();
        let orgs = orgs(world, suffix).await;
        world.wire.record();
        let senders = senders(world, &orgs, seed).await;
        let rng = fastrand::Rng::with_seed(seed);
        let (world, processes, ledger) = (world.clone(), processes.to_vec(), Ledger::default());
        Self { world, processes, orgs, senders, ledger, began, rng, faults: Arc::default() }
    }

    /// Runs one round, in which all clients send calls concurrently while the database has faults.
    pub async fn round(&mut self, round: u64) {
        self.break_wire(round);
        if round % 4 == 3 {
            self.pass_time_until_just_before_midnight();
        }
        self.set_clocks();
        let senders = std::mem::take(&mut self.senders);
        let playing: Vec<_> = senders.into_iter().map(|sender| tokio::spawn(sender.play(CALLS))).collect();
        tokio::time::sleep(Duration::from_millis(40)).await;
        // A minute passes during the calls. In some rounds, this minute spans midnight.
        self.world.clock.advance(MINUTE);
        self.processes.iter().for_each(|process| process.clock.advance(MINUTE));
        for sender in playing {
            self.senders.push(sender.await.expect("no client finds a fault"));
        }
        self.ledger.enter_all(&self.world.wire.take());
    }

    /// Returns the number of database requests that have had a fault.
    pub fn faults(&self) -> usize {
        self.faults.load(Ordering::Relaxed)
    }

    /// Makes the connection reliable again and audits all stored data.
    pub async fn end(self, logs: &Logs) -> Audited {
        let Self { world, orgs, mut senders, mut ledger, began, .. } = self;
        world.wire.stop_faults().await;
        senders.iter_mut().for_each(|sender| sender.process = Process::own(&world));
        settle_unsure_events(&world, &mut senders).await;
        let mut assets = 0;
        for (org, shared_path) in &orgs {
            let granting = world.administrator.grant(&org.id, PrepaidKind::Purchased, 1_000, None);
            granting.await.expect("the audit's credits are granted");
            let (mut of_org, others) =
                senders.into_iter().partition::<Vec<_>, _>(|sender| sender.org.id == org.id);
            senders = others;
            assets += audit_assets(&world, org, &mut of_org, shared_path).await;
            senders.extend(of_org);
        }
        ledger.enter_all(&world.wire.take());
        assert_eq!(ledger.repeated(), 0, "no entry changes an account twice");
        let doubts = Doubts::read(logs);
        let mut accounts = Vec::new();
        for (org, _) in &orgs {
            let of_org: Vec<_> = senders.iter().filter(|sender| sender.org.id == org.id).collect();
            accounts.push(audit_account(&world, org, &of_org, (&ledger, &doubts), began).await);
        }
        Audited { accounts, assets, doubts }
    }

    /// Advances the clock to 30 seconds before midnight. Only valid between rounds, because a jump during a
    /// call would look like clock skew.
    fn pass_time_until_just_before_midnight(&self) {
        let now = self.world.clock.now();
        let midnight = now.day().start().plus_seconds(24 * 3_600);
        self.world.clock.advance(midnight.unix_millis() - now.unix_millis() - 30_000);
    }

    /// Skews each process's clock by minutes, or sometimes by hours, and assigns a process to each client.
    fn set_clocks(&mut self) {
        let now = self.world.clock.now();
        for process in &self.processes {
            let error = match self.rng.u8(0..12) {
                0 => self.rng.i64(-50..50) * 3_600,
                _ => self.rng.i64(-200..200),
            };
            process.set_clock(now.plus_seconds(error));
        }
        for sender in &mut self.senders {
            if let Some(process) = self.rng.choice(&self.processes) {
                sender.process = process.clone();
            }
        }
    }

    fn break_wire(&self, round: u64) {
        let mut rng = fastrand::Rng::with_seed(1_000 + round);
        let faults = self.faults.clone();
        let percentage = FAULT_PERCENTAGES[round as usize % FAULT_PERCENTAGES.len()];
        self.world.wire.inject_faults(move |_| {
            if rng.usize(0..100) >= percentage {
                return Fault::None;
            }
            faults.fetch_add(1, Ordering::Relaxed);
            match rng.usize(0..9) {
                0 | 1 => Fault::AnswerLost,
                2 => Fault::ErrorAfterCommit,
                3 => Fault::RequestLost,
                4 => Fault::ErrorBeforeCommit,
                5 => Fault::Throttled,
                6 => Fault::Conflict,
                7 => Fault::Delayed(ATTEMPT_TIMEOUT + Duration::from_millis(rng.u64(0..100))),
                _ => Fault::ArrivesLate(rng.usize(1..40)),
            }
        });
    }
}

impl Audited {
    pub fn calls(&self) -> usize {
        self.accounts.iter().map(|account| account.calls).sum()
    }
}

/// Creates the organizations: one pays as it goes, one has many grants that expire during the run, one runs
/// out of credits, and one is a sandbox with a low rate limit. Each organization's clients share one asset,
/// which they all edit.
async fn orgs(world: &World, suffix: &str) -> Vec<(TestOrg, String)> {
    let name = |kind: &str| format!("org_{kind}{suffix}");
    let now = world.clock.now();
    let metered = world.org_with(&name("metered"), Tier::PayAsYouGo, 20).await;
    let granted = world.org_with(&name("granted"), Tier::Enterprise, 2_000).await;
    let grants = [
        (PrepaidKind::Promotional, 60, Some(97_170)),
        (PrepaidKind::Promotional, 90, Some(248_370)),
        (PrepaidKind::Allocated, 70, Some(140_370)),
        (PrepaidKind::Allocated, 90, None),
        (PrepaidKind::Purchased, 30, Some(313_170)),
    ];
    for (kind, credits, expires_at) in grants {
        let expires_at = expires_at.map(|seconds| now.plus_seconds(seconds));
        world.administrator.grant(&granted.id, kind, credits, expires_at).await.expect("a grant");
    }
    let poor = world.org_with(&name("poor"), Tier::Enterprise, 250).await;
    world.administrator.grant(&poor.id, PrepaidKind::Promotional, 150, None).await.expect("a grant");
    let sandbox = world.org_with(&name("sandbox"), Tier::Sandbox, 0).await;
    let mut orgs = Vec::new();
    for org in [metered, granted, poor, sandbox] {
        let library = samples::library(Family::Event);
        let body = stamped(Family::Event, SHARED);
        let created = world.post(library).key(&org.key).json(&body).send().await.data();
        let path = format!("{library}/{}", text(&created["asset_id"]));
        orgs.push((org, path));
    }
    orgs
}

async fn senders(world: &Arc<World>, orgs: &[(TestOrg, String)], seed: u64) -> Vec<Sender> {
    let mut senders = Vec::new();
    for (number, (org, shared_path)) in orgs.iter().enumerate() {
        for of_org in 0..SENDERS {
            let mut sender = Sender::new(world, org, shared_path, seed + 100 * number as u64 + of_org);
            if number < 2 && of_org == 0 {
                sender.create_large().await;
            }
            senders.push(sender);
        }
    }
    senders
}

/// Resends every unacknowledged event to learn its final outcome.
async fn settle_unsure_events(world: &World, senders: &mut [Sender]) {
    for known in senders.iter_mut().flat_map(|sender| &mut sender.assets) {
        let Some(event) = known.unsure.take() else { continue };
        match crate::apply(&world.app, &event).await.expect("the connection is reliable") {
            Outcome::Applied
            | Outcome::Purchased { .. }
            | Outcome::Deleted { .. }
            | Outcome::AlreadyApplied => known.applied.push(event),
            Outcome::Refused { .. } => {}
        }
    }
}
