//! The simulation's time: what happens next, and what has asked the database or waits.
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use accounting::Change;
use store::{EntryFailure, EntryId, Ledger, StoreError, StoredAccount};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// How long a request is under way to the database, and its answer back.
const ONE_WAY: Duration = Duration::from_millis(2);

pub(super) type ReadAnswer = Result<Option<StoredAccount>, StoreError>;
pub(super) type WriteAnswer = Result<StoredAccount, EntryFailure>;

/// What is written: the account as it was seen, the entry, and what it makes of the account.
pub(super) type Write = (StoredAccount, Option<EntryId>, Change);

/// What happens at a moment.
pub(super) enum Event {
    /// The next call comes.
    Arrival,
    /// A read reaches the database.
    Read(oneshot::Sender<ReadAnswer>),
    /// A write reaches the database.
    Write(Box<Write>, oneshot::Sender<WriteAnswer>),
    /// An answer reaches who asked, or a pause ends.
    Deliver(Box<dyn FnOnce() + Send>),
    /// An instance has answered its call.
    Idle(usize),
}

/// The events ahead, and the moment that it is.
#[derive(Clone)]
pub(super) struct Timeline(Arc<Mutex<Ahead>>);

struct Ahead {
    events: BinaryHeap<Planned>,
    now: Duration,
    planned: u64,
    rng: fastrand::Rng,
    start: Instant,
}

struct Planned {
    at: Duration,
    /// In which order events of one moment were planned.
    number: u64,
    event: Event,
}

impl Timeline {
    pub(super) fn new(seed: u64) -> Self {
        let rng = fastrand::Rng::with_seed(seed);
        let (events, now, start) = (BinaryHeap::new(), Duration::ZERO, Instant::now());
        Self(Arc::new(Mutex::new(Ahead { events, now, planned: 0, rng, start })))
    }

    pub(super) fn now(&self) -> Duration {
        self.ahead().now
    }

    pub(super) fn plan(&self, after: Duration, event: Event) {
        let mut ahead = self.ahead();
        let (at, number) = (ahead.now + after, ahead.planned);
        ahead.planned += 1;
        ahead.events.push(Planned { at, number, event });
    }

    /// Delivers an answer after the time that its operation took and that of its way back.
    pub(super) fn answer<A: Send + 'static>(&self, after: Duration, to: oneshot::Sender<A>, answer: A) {
        // Nobody gives up waiting.
        let deliver = move || drop(to.send(answer));
        self.plan(after + ONE_WAY, Event::Deliver(Box::new(deliver)));
    }

    /// Moves on to the next event; `None` after the last.
    pub(super) fn next(&self) -> Option<Event> {
        let mut ahead = self.ahead();
        let Planned { at, event, .. } = ahead.events.pop()?;
        ahead.now = at;
        Some(event)
    }

    /// Returns a random number from 0 to 1.
    pub(super) fn chance(&self) -> f64 {
        self.ahead().rng.f64()
    }

    pub(super) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.ahead().rng.fill(&mut bytes);
        bytes
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for Timeline {
    async fn read(&self) -> ReadAnswer {
        let (sender, answer) = oneshot::channel();
        self.plan(ONE_WAY, Event::Read(sender));
        answer.await.expect("every request is answered")
    }

    async fn write(&self, seen: &StoredAccount, entry: Option<EntryId>, change: &Change) -> WriteAnswer {
        let (sender, answer) = oneshot::channel();
        self.plan(ONE_WAY, Event::Write(Box::new((seen.clone(), entry, change.clone())), sender));
        answer.await.expect("every request is answered")
    }

    async fn pause(&self, longest: u64) {
        let (sender, ended) = oneshot::channel();
        let length = Duration::from_secs_f64((1.0 + self.chance() * longest as f64) / 1_000.0);
        self.plan(
            length,
            Event::Deliver(Box::new(move || {
                // Nobody gives up waiting.
                let _ = sender.send(());
            })),
        );
        ended.await.expect("every pause ends");
    }

    fn now(&self) -> Instant {
        let ahead = self.ahead();
        ahead.start + ahead.now
    }
}

impl PartialEq for Planned {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Planned {}

impl PartialOrd for Planned {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Planned {
    /// The heap's greatest comes first: what happens soonest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}
