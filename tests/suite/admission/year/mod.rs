//! Simulates a year of an organization's account in random steps with fixed seeds. Tiers, caps, refunds,
//! expiries, faults, and clock errors must neither lose nor create a credit or a cent.
//!
//! `SIMULATION_STEPS` and `SIMULATION_SEED` set the number of steps and the seed. `make simulate` uses them.

mod judge;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Duration;

use accounting::{
    Account, AccountKey, Bill, Call, Change, Charge, Credits, Declined, Drawdown, GrantId, KeyId,
    LimitedCaller, Meter, Month, Plan, PrepaidGrant, PrepaidKind, Product, Tier, add_grant, change_plan,
    decide, decide_purchase, refund, refundable, resume, revoke_grant, suspend,
};
use gateway::{Admission, App, RequestCredentials};
use harness::{Fault, TestOrg, World, WorldOptions};
use runtime::Clock;
use store::{Accounts, EntryId, Posted, RequestId, post};
use strum::IntoEnumIterator;

use super::{admit, with_key};

/// The number of simulations. Each is a separate test.
const WORLDS: u64 = 2;

const DEFAULT_STEPS: u64 = 5_000;

/// This many steps cover more than a year of simulated time.
const STEPS_OF_A_YEAR: u64 = 2_500;

/// The maximum error of a process's clock, in seconds.
const CLOCK_ERROR: i64 = 240;

const FAULTS: [Fault; 6] = [
    Fault::AnswerLost,
    Fault::ErrorAfterCommit,
    Fault::RequestLost,
    Fault::ErrorBeforeCommit,
    Fault::Throttled,
    Fault::Conflict,
];

/// A process with an inaccurate clock.
struct Process {
    app: App,
    clock: Clock,
    /// The number of seconds by which the clock is ahead, or behind if negative.
    error: i64,
}

/// A charge that a later step may refund.
struct Charged {
    draws: Vec<Drawdown>,
    /// The admitted call and its product, or `None` for a purchase.
    call: Option<(Admission, Product)>,
}

/// The kind of a step, and the change that it makes if it succeeds.
struct Expected {
    what: &'static str,
    change: Option<Change>,
    refunded: Vec<Drawdown>,
}

/// A simulated organization, with a separate ledger of metered credits.
struct Year {
    world: World,
    org: TestOrg,
    key: KeyId,
    accounts: Accounts,
    processes: Vec<Process>,
    rng: fastrand::Rng,
    charged: Vec<Charged>,
    drawn: Credits,
    refunded: Credits,
    closed: BTreeMap<Month, Bill>,
    done: BTreeMap<&'static str, usize>,
    largest: usize,
}

#[tokio::test]
async fn first_random_year_balances() {
    simulate(0).await;
}

#[tokio::test]
async fn second_random_year_balances() {
    simulate(1).await;
}

async fn simulate(world: u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let steps = number("SIMULATION_STEPS").unwrap_or(DEFAULT_STEPS).div_ceil(WORLDS);
    let chosen_seed = number("SIMULATION_SEED");
    let seed = chosen_seed.unwrap_or(1) + world;
    let mut year = Year::new(seed).await;
    for step in 0..steps {
        // With the default seeds, every kind of event happens within a year. With other seeds, some may not.
        if step == STEPS_OF_A_YEAR - 1 && chosen_seed.is_none() {
            year.assert_eventful();
        }
        year.step().await;
    }
    // Visible with `--nocapture`.
    let (months, bytes) = (year.closed.len(), year.largest);
    let summary = format!("seed {seed}: {steps} steps, {months} months, largest account {bytes} bytes\n");
    std::io::stdout().write_all(summary.as_bytes()).expect("standard output is writable");
}

impl Year {
    async fn new(seed: u64) -> Self {
        let attempt_timeout = Duration::from_millis(250);
        let world = World::with(WorldOptions { seed, attempt_timeout, ..WorldOptions::default() }).await;
        let org = world.org_with("org_a", Tier::PayAsYouGo, 20).await;
        world.bearer(&org).await;
        let key = world.administrator.keys(&org.id).await.expect("a response")[0].id.clone();
        let mut processes = Vec::new();
        for number in 0..3 {
            let clock = Clock::fixed(world.clock.now());
            let (app, _) = world.another_process_at(seed * 10 + number, clock.clone()).await;
            processes.push(Process { app, clock, error: 0 });
        }
        Self {
            accounts: Accounts::new(world.app.dynamo.clone()),
            rng: fastrand::Rng::with_seed(seed),
            world,
            org,
            key,
            processes,
            charged: Vec::new(),
            drawn: 0,
            refunded: 0,
            closed: BTreeMap::new(),
            done: BTreeMap::new(),
            largest: 0,
        }
    }

    async fn step(&mut self) {
        let before = self.world.account(&self.org).await;
        if self.rng.u8(0..4) == 0 {
            self.break_wire();
        }
        let step = self.rng.u8(0..100);
        let expected = match step {
            0..35 if before.suspended_at.is_some() && self.rng.bool() => {
                self.suspend_or_resume(&before).await
            }
            0..35 => self.call(&before).await,
            35..50 => self.purchase(&before).await,
            50..65 if !self.charged.is_empty() => self.refund_charge(&before).await,
            50..75 => self.grant(&before).await,
            75..81 => self.change_plan(&before).await,
            81..85 => self.revoke(&before).await,
            85 => self.suspend_or_resume(&before).await,
            _ => {
                self.pass_time();
                return self.world.wire.stop_faults().await;
            }
        };
        self.world.wire.stop_faults().await;
        let after = self.world.account(&self.org).await;
        self.book(&before, &after, expected);
        self.check(&after).await;
    }

    /// Sends a call to a random process.
    async fn call(&mut self, before: &Account) -> Expected {
        let products =
            [Product::PlaceSearch, Product::PopulationAtHome, Product::Markets, Product::InventorySearch];
        let product = products[self.rng.usize(0..products.len())];
        let is_person = self.rng.bool();
        let process = &self.processes[self.rng.usize(0..self.processes.len())];
        let caller = if is_person { LimitedCaller::People } else { LimitedCaller::Key(self.key.clone()) };
        let call = Call {
            charge: charge(product.name(), product.credits().into()),
            caller_limit: product.caller_limit().map(|limit| (caller, limit)),
            is_for_suspended: false,
            is_counted: true,
        };
        let now = process.clock.now();
        let change = match decide(before, &call, now) {
            Ok(change) => Some(change),
            Err(Declined { change, .. }) => change.map(|change| *change),
        };
        let token = format!("Bearer {}", self.world.token(&self.world.issuer.developer()));
        let presented = match (is_person, product.caller_limit()) {
            (true, _) => RequestCredentials { authorization: Some(&token), ..RequestCredentials::default() },
            (false, Some(_)) => {
                RequestCredentials { search_key: Some(&self.org.key), ..RequestCredentials::default() }
            }
            (false, None) => with_key(&self.org),
        };
        let admitted = admit(&process.app, product, presented).await;
        match admitted {
            Ok(admission) if admission.credits() > 0 => {
                let draws = change.as_ref().map(|change| change.draws.clone()).unwrap_or_default();
                self.charged.push(Charged { draws, call: Some((admission, product)) });
                Expected::of("called", change)
            }
            Ok(_) => Expected::of("called in doubt or for free", change),
            Err(_) => Expected::of("rejected or failed", change),
        }
    }

    async fn purchase(&mut self, before: &Account) -> Expected {
        let charge = charge("campaign_measurement", self.rng.u64(1..25));
        let now = self.world.clock.now();
        let change = decide_purchase(before, &charge, now).ok();
        let plan = |account: &Account| decide_purchase(account, &charge, now).map_err(Declined::from);
        if self.post(plan).await {
            let draws = change.as_ref().map(|change| change.draws.clone()).unwrap_or_default();
            self.charged.push(Charged { draws, call: None });
        }
        Expected::of("purchased", change)
    }

    /// Refunds a call, or all but one credit of a purchase. The charge may be months old.
    async fn refund_charge(&mut self, before: &Account) -> Expected {
        let Charged { draws, call } = self.charged.swap_remove(self.rng.usize(0..self.charged.len()));
        let Some((mut admission, product)) = call else {
            let (draws, now) = (refundable(draws, 1), self.world.clock.now());
            let name = named("campaign_measurement");
            let change = Some(refund(before, &draws, &name, now));
            self.post(|account: &Account| Ok::<_, Declined<()>>(refund(account, &draws, &name, now))).await;
            return Expected { what: "purchase refunded", change, refunded: draws };
        };
        let process = &self.processes[self.rng.usize(0..self.processes.len())];
        let change = refund(before, &draws, &product.meter(), process.clock.now());
        process.app.admissions.refund(&mut admission).await;
        Expected { what: "call refunded", change: Some(change), refunded: draws }
    }

    async fn grant(&mut self, before: &Account) -> Expected {
        let kinds: Vec<_> = PrepaidKind::iter().collect();
        let now = self.world.clock.now();
        let expires_at = (self.rng.u8(0..4) > 0).then(|| now.plus_seconds(self.rng.i64(1..20 * 86_400)));
        let new = PrepaidGrant {
            kind: kinds[self.rng.usize(0..kinds.len())],
            credits: self.rng.u64(1..20),
            expires_at,
        };
        let id = GrantId::from_random(self.world.app.random.bytes());
        let change = add_grant(before, id.clone(), new, now).ok();
        self.post(|account: &Account| add_grant(account, id.clone(), new, now).map_err(Declined::from)).await;
        Expected::of("granted", change)
    }

    async fn change_plan(&mut self, before: &Account) -> Expected {
        let cap = self.rng.u64(1..60);
        let plan = match self.rng.u8(0..4) {
            0 => Plan::Sandbox,
            1 => Plan::Enterprise,
            _ => Plan::PayAsYouGo { monthly_cap: cap },
        };
        let change = change_plan(before, plan);
        let _ = self.world.administrator.set_tier(&self.org.id, plan.tier(), Some(cap)).await;
        Expected::of("plan changed", Some(change))
    }

    /// Revokes a random active grant, if there is one.
    async fn revoke(&mut self, before: &Account) -> Expected {
        let now = self.world.clock.now();
        let live: Vec<_> = before.live_grants(before.moment(now)).map(|(id, _)| id.clone()).collect();
        if live.is_empty() {
            return Expected::of("revoked", None);
        }
        let id = live[self.rng.usize(0..live.len())].clone();
        let change = revoke_grant(before, &id, now).ok();
        self.post(|account: &Account| revoke_grant(account, &id, now).map_err(Declined::from)).await;
        Expected::of("revoked", change)
    }

    /// Suspends the organization or resumes it if it is suspended. While it is suspended, half of the steps
    /// that would send a call resume it instead.
    async fn suspend_or_resume(&mut self, before: &Account) -> Expected {
        let now = self.world.clock.now();
        let decide = |account: &Account| suspend(account, now).or_else(|| resume(account));
        let change = decide(before);
        self.post(|account: &Account| decide(account).ok_or(Declined::from(()))).await;
        Expected::of("suspended or resumed", change)
    }

    fn pass_time(&mut self) {
        let longest = if self.rng.u8(0..3) == 0 { 144 * 3_600 } else { 600 };
        let seconds = self.rng.i64(0..longest);
        self.world.clock.advance(seconds * 1_000);
        for process in &mut self.processes {
            let error = self.rng.i64(-CLOCK_ERROR..=CLOCK_ERROR);
            process.clock.advance((seconds + error - process.error) * 1_000);
            process.error = error;
        }
    }

    fn break_wire(&mut self) {
        let mut rng = self.rng.fork();
        self.world.wire.inject_faults(move |_| {
            if rng.u8(0..8) > 0 { Fault::None } else { FAULTS[rng.usize(0..FAULTS.len())] }
        });
    }

    /// Posts an entry and returns whether the response confirms it.
    async fn post<R>(&self, decide: impl Fn(&Account) -> Result<Change, Declined<R>>) -> bool {
        let entry = EntryId::charge(RequestId::from_random(self.world.app.random.bytes()));
        let key = AccountKey::Org(self.org.id.clone());
        matches!(
            post(&self.accounts.ledger(&key), entry, None, |_, _| true, decide).await,
            Ok(Posted::Once { .. })
        )
    }
}

impl Expected {
    fn of(what: &'static str, change: Option<Change>) -> Self {
        Self { what, change, refunded: Vec::new() }
    }
}

fn charge(name: &str, credits: Credits) -> Charge {
    Charge { name: named(name), credits }
}

fn named(name: &str) -> Meter {
    name.parse().expect("valid name")
}
