//! Calls that come at their own times, or as fast as they are answered, and how long they take.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use futures_util::future::join_all;
use harness::quantile;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::Instant;

use crate::calls::Call;
use crate::customers::Customers;

/// The calls that are under way at once when each follows an answer: enough to keep the service busy.
const AT_ONCE: usize = 32;

/// The calls that may be under way at once when they come at their own times. One that comes while there are
/// so many waits, and that counts.
const MOST_AT_ONCE: usize = 256;

/// When calls come.
#[derive(Clone, Copy)]
pub(crate) enum Arrivals {
    /// The next as soon as one is answered: what comes of it is the most that the service bears.
    AsAnswered { during: Duration },
    /// By chance, so many a second on the average, whether or not those before are answered.
    ByChance { a_second: f64, during: Duration },
}

/// What was heard of the calls of one run.
pub(crate) struct Heard {
    /// How long each took from when it came.
    times: Vec<Duration>,
    seconds: f64,
}

/// Sends calls, from all customers in turn.
pub(crate) struct Generator {
    client: Client<HttpConnector, Full<Bytes>>,
    address: String,
    rng: fastrand::Rng,
    /// The calls of all runs so far.
    sent: usize,
}

/// The calls of one run that are still to come.
struct Coming {
    start: Instant,
    /// The time of each after the start; without it they come until the run's end.
    times: Option<Vec<Duration>>,
    during: Duration,
    taken: Cell<usize>,
}

impl Generator {
    pub(crate) fn new(address: &str, seed: u64) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, address: address.to_owned(), rng: fastrand::Rng::with_seed(seed), sent: 0 }
    }

    /// Sends calls of a kind for a while, and waits until all are answered.
    pub(crate) async fn run(&mut self, call: &Call, customers: &Customers, arrivals: Arrivals) -> Heard {
        let (during, times, at_once) = match arrivals {
            Arrivals::AsAnswered { during } => (during, None, AT_ONCE),
            Arrivals::ByChance { a_second, during } => {
                (during, Some(times(a_second, during, &mut self.rng)), MOST_AT_ONCE)
            }
        };
        let coming = Coming { start: Instant::now(), times, during, taken: Cell::new(0) };
        let heard = RefCell::new(Vec::new());
        let customers = (call.from)(customers);
        join_all((0..at_once).map(async |_| {
            while let Some((number, came)) = coming.next().await {
                let number = self.sent + number;
                let (called, customer) = (number / customers.len(), number % customers.len());
                // Neighbours do not ask for the same: all would ask for what is dear after one another.
                let request = (call.request)(&customers[customer], called + customer);
                let (status, body) = self.send(request).await;
                heard.borrow_mut().push(came.elapsed());
                assert!(call.answers.contains(&status), "{}: {status}: {body:?}", call.name);
            }
        }))
        .await;
        let (times, seconds) = (heard.into_inner(), coming.start.elapsed().as_secs_f64());
        self.sent += times.len();
        Heard { times, seconds }
    }

    async fn send(&self, mut request: Request<Full<Bytes>>) -> (StatusCode, Bytes) {
        let url = format!("http://{}{}", self.address, request.uri());
        *request.uri_mut() = url.parse().expect("an address");
        let answer = self.client.request(request).await.expect("the service answers");
        let status = answer.status();
        (status, answer.into_body().collect().await.expect("a whole answer").to_bytes())
    }
}

impl Coming {
    /// Waits for the next call, and returns its number and when it came; `None` after the last.
    async fn next(&self) -> Option<(usize, Instant)> {
        let number = self.taken.replace(self.taken.get() + 1);
        let now = Instant::now();
        let Some(times) = &self.times else {
            return (now < self.start + self.during).then_some((number, now));
        };
        let due = self.start + *times.get(number)?;
        if due <= now {
            return Some((number, due));
        }
        tokio::time::sleep_until(due).await;
        // What the timer is late is ours, and not the service's.
        Some((number, Instant::now()))
    }
}

impl Heard {
    /// Returns how many calls were answered in a second.
    pub(crate) fn a_second(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// Returns the time that a share of the calls, from 0 to 1, did not exceed.
    pub(crate) fn quantile(&mut self, share: f64) -> Duration {
        quantile(&mut self.times, share)
    }
}

/// Draws when calls come that know nothing of each other: the times between them are exponentially
/// distributed.
fn times(a_second: f64, during: Duration, rng: &mut fastrand::Rng) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut at = 0.0;
    loop {
        at -= (1.0 - rng.f64()).ln() / a_second;
        if at >= during.as_secs_f64() {
            return times;
        }
        times.push(Duration::from_secs_f64(at));
    }
}
