//! The load generator. It sends calls at random times or as fast as they are answered, and measures
//! latencies.

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

/// The number of concurrent calls when each call follows a response. It is enough to keep the service busy.
const CONCURRENT: usize = 32;

/// The maximum number of concurrent calls when calls arrive at random times. When this many calls are
/// running, the next call waits, and the wait counts toward its latency.
const MAX_CONCURRENT: usize = 256;

/// The arrival times of calls.
#[derive(Clone, Copy)]
pub(crate) enum Arrivals {
    /// Each call follows the response of an earlier call. This measures the maximum throughput.
    ClosedLoop { during: Duration },
    /// Calls arrive at random times at an average rate, without waiting for earlier responses.
    Poisson { a_second: f64, during: Duration },
}

/// The measurements of one run.
pub(crate) struct Measurements {
    /// The latency of each call, measured from its arrival.
    times: Vec<Duration>,
    seconds: f64,
}

/// Sends calls, taking turns among the customers.
pub(crate) struct Generator {
    client: Client<HttpConnector, Full<Bytes>>,
    address: String,
    rng: fastrand::Rng,
    /// The number of calls sent in all runs so far.
    sent: usize,
}

/// The calls of a run that haven't been sent yet.
struct PendingCalls {
    start: Instant,
    /// The arrival time of each call, relative to the start. `None` means that calls are sent until the run
    /// ends.
    times: Option<Vec<Duration>>,
    during: Duration,
    taken: Cell<usize>,
}

impl Generator {
    pub(crate) fn new(address: &str, seed: u64) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, address: address.to_owned(), rng: fastrand::Rng::with_seed(seed), sent: 0 }
    }

    /// Sends calls of one kind for the given duration, and waits until all of them are answered.
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
                // Adjacent customers send different requests, so that expensive requests aren't sent in a
                // row.
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
    /// Waits for the next call, and returns its number and arrival time. Returns `None` after the last call.
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
        // Uses the actual time, so that a delay of the timer doesn't count as latency of the service.
        Some((number, Instant::now()))
    }
}

impl Measurements {
    /// Returns the number of responses per second.
    pub(crate) fn a_second(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// Returns the latency quantile for a share from 0 to 1.
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
