//! Sends calls, either at random times or as fast as they are answered, and measures their latencies.

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

/// The number of concurrent calls when each call follows a response. It keeps the service busy.
const CONCURRENT: usize = 32;

/// The maximum number of concurrent calls when calls arrive at random times. If a call must wait for a free
/// slot, its latency includes the wait.
const MAX_CONCURRENT: usize = 256;

#[derive(Clone, Copy)]
pub(crate) enum Arrivals {
    /// Each call follows the response to an earlier call, which measures the maximum throughput.
    ClosedLoop { during: Duration },
    /// Calls arrive at random times, at an average rate per second, without waiting for earlier responses.
    Poisson { a_second: f64, during: Duration },
}

pub(crate) struct Measurements {
    /// Each call's latency, measured from its arrival.
    times: Vec<Duration>,
    seconds: f64,
}

/// Sends calls from each customer in turn.
pub(crate) struct Generator {
    client: Client<HttpConnector, Full<Bytes>>,
    address: String,
    rng: fastrand::Rng,
    /// The number of calls sent in all runs so far.
    sent: usize,
}

/// A run's calls that haven't been sent.
struct PendingCalls {
    start: Instant,
    /// Each call's arrival time, relative to the start, or `None` to send calls until the run ends.
    times: Option<Vec<Duration>>,
    during: Duration,
    taken: Cell<usize>,
}

impl Generator {
    pub(crate) fn new(address: &str, seed: u64) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, address: address.to_owned(), rng: fastrand::Rng::with_seed(seed), sent: 0 }
    }

    /// Sends calls of one kind for the given duration and waits for all responses.
    pub(crate) async fn run(
        &mut self,
        call: &Call,
        customers: &Customers,
        arrivals: Arrivals,
    ) -> Measurements {
        let (during, times, at_once) = match arrivals {
            Arrivals::ClosedLoop { during } => (during, None, CONCURRENT),
            Arrivals::Poisson { a_second, during } => {
                (during, Some(times(a_second, during, &mut self.rng)), MAX_CONCURRENT)
            }
        };
        let coming = PendingCalls { start: Instant::now(), times, during, taken: Cell::new(0) };
        let heard = RefCell::new(Vec::new());
        let customers = (call.from)(customers);
        join_all((0..at_once).map(async |_| {
            while let Some((number, came)) = coming.next().await {
                let number = self.sent + number;
                let (calls_before, customer) = (number / customers.len(), number % customers.len());
                // Consecutive customers send different requests, so that expensive requests are spread out.
                let request = (call.request)(&customers[customer], calls_before + customer);
                let (status, body) = self.send(request).await;
                heard.borrow_mut().push(came.elapsed());
                assert!(call.answers.contains(&status), "{}: {status}: {body:?}", call.name);
            }
        }))
        .await;
        let (times, seconds) = (heard.into_inner(), coming.start.elapsed().as_secs_f64());
        self.sent += times.len();
        Measurements { times, seconds }
    }

    async fn send(&self, mut request: Request<Full<Bytes>>) -> (StatusCode, Bytes) {
        let url = format!("http://{}{}", self.address, request.uri());
        *request.uri_mut() = url.parse().expect("valid URL");
        let answer = self.client.request(request).await.expect("the service responds");
        let status = answer.status();
        (status, answer.into_body().collect().await.expect("the response is complete").to_bytes())
    }
}

impl PendingCalls {
    /// Waits for the next call, and returns its number and arrival time, or `None` after the last call.
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
        // Uses the actual time, so that a late timer doesn't count as service latency.
        Some((number, Instant::now()))
    }
}

impl Measurements {
    /// Returns the number of responses per second.
    pub(crate) fn a_second(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// Returns a quantile of the latency, where `share` is between 0 and 1.
    pub(crate) fn quantile(&mut self, share: f64) -> Duration {
        quantile(&mut self.times, share)
    }
}

/// Returns random arrival times of independent calls. The intervals between them are exponentially
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
