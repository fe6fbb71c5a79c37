//! Measures metered calls with 5 ms of database latency, relative to the time of one database call.

use std::time::Duration;

use harness::quantile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use crate::metered_get::Warm;
use crate::times::beside_an_engine;

/// The latency that the proxy adds to each database request.
const DELAY: Duration = Duration::from_millis(5);

/// The number of calls of each kind. The total stays below the enterprise tier's rate limit.
const ROUNDS: usize = 150;

/// The number of new instances whose first call is measured.
const INSTANCES: usize = 40;

/// Prints how long metered calls take on a warm instance and on a new one, relative to the slower of the two
/// database calls that a warm instance makes concurrently.
pub(crate) fn print() {
    beside_an_engine(async |mut connection, clock, others| {
        let endpoint = connection.endpoint.as_mut().expect("a local engine");
        endpoint.url = others.spawn(start_delayed_proxy(endpoint.url.clone())).await.expect("a listener");
        let warm = Warm::new(connection, clock).await;
        warm.next_minute().await;
        let (mut gets, mut searches, mut charges, mut reads) = (vec![], vec![], vec![], vec![]);
        for _ in 0..ROUNDS {
            gets.push(warm.get().await);
            searches.push(warm.search().await);
            charges.push(warm.charge().await);
            reads.push(warm.read().await);
        }
        warm.next_minute().await;
        let mut firsts = Vec::new();
        for _ in 0..INSTANCES {
            firsts.push(warm.fresh_instance().get().await);
        }
        let one = quantile(&mut charges, 0.5).max(quantile(&mut reads, 0.5));
        println!(
            "\n== metered calls with 5 ms of database latency, as multiples of one database call ({one:.1?})"
        );
        for (name, times, aim) in [
            ("warm GET of an asset", &mut gets, 1.2),
            ("warm search of places", &mut searches, 1.2),
            ("first GET of an instance", &mut firsts, 3.0),
        ] {
            let median = quantile(times, 0.5);
            let ratio = median.as_secs_f64() / one.as_secs_f64();
            println!("{name:<26} {median:>9.1?}  {ratio:.2} (target: {aim})");
        }
    });
}

/// Starts a proxy that delays each request to an HTTP server, and returns the proxy's address.
async fn start_delayed_proxy(url: String) -> String {
    let server = url.trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            let server = TcpStream::connect(&server).await.expect("the server listens");
            for stream in [&caller, &server] {
                stream.set_nodelay(true).expect("a connection");
            }
            let (caller, server) = (caller.into_split(), server.into_split());
            tokio::spawn(forward(caller.0, server.1, DELAY));
            tokio::spawn(forward(server.0, caller.1, Duration::ZERO));
        }
    });
    format!("http://{address}")
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, delay: Duration) {
    let mut bytes = vec![0; 65_536];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
