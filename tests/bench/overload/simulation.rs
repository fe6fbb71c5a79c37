//! Simulates one organization's calls. Each instance handles one call at a time, and the real engine stores
//! the account.
use std::pin::Pin;
use std::time::Duration;

use accounting::{
    Account, AccountKey, Call, Change, Charge, Declined, RateWindow, Refusal, Tier, Timestamp, decide,
};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use harness::{TestOrg, World};
use store::{Accounts, EntryId, PostError, Posted, RequestId, StoreError, StoredAccount, post};
use tokio::sync::oneshot;

use super::partition::{Partition, Verdict};
use super::report::{Ending, Report};
use super::timeline::{Event, ReadAnswer, Timeline, Write, WriteAnswer};

/// How long the database takes for an operation.
const SERVICE: Duration = Duration::from_millis(1);

/// How long a call occupies an instance in addition to its charge.
const HANDLER: Duration = Duration::from_millis(10);

/// The time between the first call and the counting period. It exceeds the time that a charge's retries can
/// take.
const WARM_UP: Duration = Duration::from_millis(1_500);

/// The share of writes whose response is lost.
const LOST_ANSWERS: f64 = 0.001;

#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// The average number of calls per second. The calls arrive at random times.
    pub(super) offered: f64,
    /// Whether the tier's limit per minute is enforced.
    pub(super) tier: bool,
    /// The length of the counting period, which follows the warm-up.
    pub(super) counted: Duration,
    /// The write units per write of the account item: 1, or 2 for a full item.
    pub(super) item_units: f64,
    /// The maximum number of instances. A call is refused if all of them are busy.
    pub(super) instances: usize,
    /// Whether a random idle instance handles each call, rather than the most recently used one.
    pub(super) spread: bool,
    pub(super) seed: u64,
}

type Ended = Result<Posted, PostError<Refusal>>;
type Running = FuturesUnordered<Pin<Box<dyn Future<Output = (usize, Duration, Ended)>>>>;

struct Simulation {
    load: Load,
    world: World,
    org: TestOrg,
    accounts: Accounts,
    key: AccountKey,
    call: Call,
    timeline: Timeline,
    partition: Partition,
    /// The account as each instance has cached it.
    instances: Vec<Option<StoredAccount>>,
    idle: Vec<usize>,
    running: Running,
    report: Report,
    /// The current account in the database.
    stored: StoredAccount,
}

/// Simulates a load on an enterprise organization's account.
pub(super) async fn simulate(load: Load) -> Report {
    let mut simulation = Simulation::new(load).await;
    simulation.run().await;
    simulation.finish().await
}

impl Simulation {
    async fn new(load: Load) -> Self {
        let world = World::new().await;
        let org = world.org_with("org_hot", Tier::Enterprise, 1_000_000_000).await;
        let charge = Charge { name: "place_search".parse().expect("a name"), credits: 1 };
        Self {
            load,
            accounts: Accounts::new(world.app.dynamo.clone()),
            key: AccountKey::Org(org.id.clone()),
            call: Call { charge, caller_limit: None, is_for_suspended: false, is_counted: true },
            timeline: Timeline::new(load.seed),
            partition: Partition::new(),
            instances: Vec::new(),
            idle: Vec::new(),
            running: Running::new(),
            report: Report::new(load),
            stored: world.stored_account(&org).await,
            world,
            org,
        }
    }

    async fn run(&mut self) {
        self.timeline.plan(Duration::ZERO, Event::Arrival);
        let mut counting = false;
        while let Some(event) = self.timeline.next() {
            if !counting && self.timeline.now() >= WARM_UP {
                counting = true;
                self.partition.take_written();
            }
            if counting && self.timeline.now() >= self.end() && self.report.written.is_none() {
                self.report.written = Some(self.partition.take_written());
            }
            self.handle(event).await;
            while let Some(Some((instance, arrived, result))) = self.running.next().now_or_never() {
                self.answered(instance, arrived, result);
            }
        }
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Arrival => self.arrive(),
            Event::Read(to) => self.read(to),
            Event::Write(change, to) => self.write(*change, to).await,
            Event::Deliver(deliver) => deliver(),
            Event::Idle(instance) => self.idle.push(instance),
        }
    }

    fn arrive(&mut self) {
        if self.timeline.now() >= self.end() {
            return;
        }
        let next = -(1.0 - self.timeline.chance()).ln() / self.load.offered;
        self.timeline.plan(Duration::from_secs_f64(next), Event::Arrival);
        let Some(instance) = self.instance() else {
            self.end_call(self.timeline.now(), Ending::NoInstance);
            return;
        };
        let (now, call, tier) = (self.wall(), self.call.clone(), self.load.tier);
        let plan = move |account: &Account| {
            if tier { decide(account, &call, now) } else { decide_without_rate(account, &call, now) }
        };
        let cached = self.instances[instance].clone();
        let (timeline, arrived) = (self.timeline.clone(), self.timeline.now());
        let entry = EntryId::charge(RequestId::from_random(timeline.bytes()));
        let trust = move |account: &Account, refusal: &Refusal| {
            matches!(refusal, Refusal::RateLimited { .. }) && account.window.minute == now.minute()
        };
        // Opts out of tokio's cooperative scheduling, which would suspend calls because their responses don't
        // come from the runtime.
        self.running.push(Box::pin(tokio::task::unconstrained(async move {
            (instance, arrived, post(&timeline, entry, cached, trust, plan).await)
        })));
    }

    /// Returns an idle instance or a new one, or `None` if all instances are busy.
    fn instance(&mut self) -> Option<usize> {
        let (idle, new) = (self.idle.len(), self.instances.len());
        if new < self.load.instances && (self.load.spread || idle == 0) {
            self.instances.push(None);
            return Some(new);
        }
        if self.load.spread && idle > 0 {
            self.idle.swap((self.timeline.chance() * idle as f64) as usize, idle - 1);
        }
        self.idle.pop()
    }

    /// Responds with the stored account, or with an error if the read is throttled. The account is never out
    /// of date because only the simulation writes it.
    fn read(&mut self, to: oneshot::Sender<ReadAnswer>) {
        let answer = match self.partition.judge_read(self.timeline.now()) {
            Verdict::Admitted => Ok(Some(self.stored.clone())),
            Verdict::Throttled | Verdict::Conflict => Err(StoreError::Throttled("throttled".to_owned())),
        };
        self.timeline.answer(SERVICE, to, answer);
    }

    async fn write(&mut self, (seen, entry, change): Write, to: oneshot::Sender<WriteAnswer>) {
        let is_transaction = change.rollover.is_some() || !change.history.is_empty();
        let answer = match self.partition.judge_write(self.timeline.now(), is_transaction) {
            Verdict::Throttled => Err(StoreError::Throttled("throttled".to_owned()).into()),
            Verdict::Conflict => Err(StoreError::Contended("a conflict").into()),
            Verdict::Admitted => {
                let answer = self.accounts.write(&self.key, &seen, entry, &change).await;
                if let Ok(now) = &answer {
                    self.stored = now.clone();
                }
                // A write whose condition fails uses as many units as a successful one.
                let times = if is_transaction { 2.0 } else { 1.0 };
                self.partition.take(times * self.load.item_units);
                answer
            }
        };
        let answer = match answer {
            Ok(_) if self.timeline.chance() < LOST_ANSWERS => {
                Err(StoreError::Unavailable("lost".to_owned()).into())
            }
            answer => answer,
        };
        self.timeline.answer(SERVICE, to, answer);
    }

    fn answered(&mut self, instance: usize, arrived: Duration, result: Ended) {
        self.timeline.plan(HANDLER, Event::Idle(instance));
        // Caches the account the way `Admissions::charge` does.
        let remembered = &mut self.instances[instance];
        let ending = match result {
            Ok(Posted::Once { after, was_contended, .. }) => {
                *remembered = (!was_contended).then_some(*after);
                Ending::Charged
            }
            Ok(Posted::InDoubt(after)) => {
                *remembered = Some(*after);
                Ending::InDoubt
            }
            Err(PostError::Declined(Refusal::RateLimited { .. }, seen)) => {
                *remembered = Some(*seen);
                Ending::RateLimited
            }
            Err(PostError::Store(_)) => {
                *remembered = None;
                Ending::Unavailable
            }
            Err(PostError::Unanswered(_)) => Ending::Unanswered,
            Err(other @ (PostError::Declined(..) | PostError::NoAccount)) => panic!("{other:?}"),
        };
        self.end_call(arrived, ending);
    }

    fn end_call(&mut self, arrived: Duration, ending: Ending) {
        let now = self.timeline.now();
        let counts = now >= WARM_UP && now < self.end();
        self.report.add(ending, now - arrived, counts);
    }

    fn end(&self) -> Duration {
        WARM_UP + self.load.counted
    }

    fn wall(&self) -> Timestamp {
        let millis = i64::try_from(self.timeline.now().as_millis()).expect("a short time");
        Timestamp::from_unix_millis(self.world.clock.now().unix_millis() + millis)
    }

    /// Adds the account's used credits and the number of instances to the report.
    async fn finish(mut self) -> Report {
        let account = self.world.account(&self.org).await;
        self.report.used = account.totals.used;
        self.report.instances = self.instances.len();
        let totals = account.totals;
        assert_eq!(totals.granted, account.left() + totals.used + totals.expired);
        self.report
    }
}

/// Decides on a call without enforcing the tier's limit per minute.
fn decide_without_rate(account: &Account, call: &Call, now: Timestamp) -> Result<Change, Declined<Refusal>> {
    let uncounted = Account { window: RateWindow::default(), ..account.clone() };
    let mut change = decide(&uncounted, call, now)?;
    change.account.window = account.window;
    Ok(change)
}
