//! The simulation's clock and event queue.
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use accounting::Change;
use store::{EntryFailure, EntryId, Ledger, StoreError, StoredAccount};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The one-way network latency between an instance and the database.
const ONE_WAY: Duration = Duration::from_millis(2);

pub(super) type ReadAnswer = Result<Option<StoredAccount>, StoreError>;
pub(super) type WriteAnswer = Result<StoredAccount, EntryFailure>;

/// The account that the instance read, the ledger entry, and the change to write.
pub(super) type Write = (StoredAccount, Option<EntryId>, Change);

pub(super) enum Event {
    /// A call arrives.
    Arrival,
    /// A read reaches the database.
    Read(oneshot::Sender<ReadAnswer>),
    /// A write reaches the database.
    Write(Box<Write>, oneshot::Sender<WriteAnswer>),
    /// A response arrives, or a pause ends.
    Deliver(Box<dyn FnOnce() + Send>),
    /// An instance becomes idle.
    Idle(usize),
}

/// The scheduled events and the current time.
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
    /// Orders events that are scheduled for the same time.
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

    /// Schedules a response after the given operation time and the network latency.
    pub(super) fn answer<A: Send + 'static>(&self, after: Duration, to: oneshot::Sender<A>, answer: A) {
        // Sending can't fail, because the receiver is waiting.
        let deliver = move || drop(to.send(answer));
        self.plan(after + ONE_WAY, Event::Deliver(Box::new(deliver)));
    }

    /// Advances the clock to the next event and returns it, or `None` if the queue is empty.
    pub(super) fn next(&self) -> Option<Event> {
        let mut ahead = self.ahead();
        let Planned { at, event, .. } = ahead.events.pop()?;
        ahead.now = at;
        Some(event)
    }

    /// Returns a random number of at least 0 and less than 1.
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
                // Sending can't fail, because the receiver is waiting.
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
    /// Inverted, because the heap returns the greatest event first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}
