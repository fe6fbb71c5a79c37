//! Measures the allocations of a function's router. The database runs on a separate thread.

use std::sync::Arc;

use allocation_counter::AllocationInfo;
use axum::Router;
use axum::body::{Body, Bytes};
use harness::{Answer, Operation, TestOrg, World, samples, served_by, synthesized_release};
use http::{Request, Response};
use marquee::serve::Releases;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// The number of spots in the release. Inventory search can't page through all of them.
const SPOTS: usize = 20_000;

/// The chunk size of request bodies.
const PIECE_BYTES: usize = 64 * 1024;

/// The maximum number of bytes that the C library's allocator adds to an allocation.
const OVERHEAD_BYTES: u64 = 31;

/// The measured service. The allocations of its database, which runs on another thread, aren't counted.
pub(crate) struct Meter {
    elsewhere: Runtime,
    here: Runtime,
    world: World,
    org: TestOrg,
    router: Router,
}

/// An operation, with the path and the credential for a valid call.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) operation: &'static Operation,
    path: String,
    credential: (&'static str, String),
}

impl Meter {
    pub(crate) fn new() -> Self {
        let elsewhere =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("the runtime starts");
        let here = Builder::new_current_thread().enable_all().build().expect("the runtime starts");
        let (world, org) = elsewhere.block_on(async {
            let (world, org) = World::with_org().await;
            (world, org)
        });
        let releases = Releases::open(&synthesized_release(SPOTS)).expect("the release is complete");
        // Without the simulated connection, all connections belong to this thread.
        let router = here.block_on(world.process_without_the_wire(1, &releases));
        Self { elsewhere, here, world, org, router }
    }

    /// Creates the resources for a valid call and warms up the process with one call.
    pub(crate) fn target(&self, operation: &'static Operation) -> Target {
        let path = operation.path_for(&self.world, &self.org, &self.router);
        let target = self.target_at(operation, self.elsewhere.block_on(path));
        let body = operation.body.map_or_else(Vec::new, |body| body().to_string().into());
        let (_, answered) = self.measure(&target, body);
        // These calls are refused because the synthesized displays have no impressions and the purchases have
        // no idempotency key.
        let is_refused = operation.id == "estimate_campaign" || operation.id.starts_with("buy_");
        let status = if is_refused { 400 } else { operation.success() };
        assert_eq!(answered.status.as_u16(), status, "{}", operation.name());
        target
    }

    /// Returns a target that edits the asset that a create call returned.
    pub(crate) fn edit(&self, operation: &'static Operation, created: &Answer) -> Target {
        let created = created.data();
        let id = created["asset_id"].as_str().expect("an asset ID");
        self.target_at(operation, operation.path.replace("{asset_id}", id))
    }

    fn target_at(&self, operation: &'static Operation, path: String) -> Target {
        let credential = self.elsewhere.block_on(operation.credential(&self.world, &self.org));
        Target { operation, path, credential }
    }

    /// Sends a call with a chunked body and returns the peak memory in bytes and the response. The
    /// database's memory and the unsent part of the body aren't counted.
    pub(crate) fn measure(&self, target: &Target, body: Vec<u8>) -> (u64, Answer) {
        self.measure_as(target, body, "application/json")
    }

    /// Returns the media types of an operation's responses.
    pub(crate) fn forms(&self, operation: &Operation) -> Vec<&'static str> {
        let mut served = served_by(&self.world.app, operation.function).into_iter();
        let table = served.find(|one| one.method == operation.method && one.path == operation.path);
        match table.and_then(|one| one.terms.table) {
            None => vec!["application/json"],
            Some(table) if table.feature.is_none() => vec!["application/json", "text/csv"],
            Some(_) => vec!["application/json", "text/csv", "application/geo+json"],
        }
    }

    /// Does the same as [`Self::measure`], with an `Accept` header.
    pub(crate) fn measure_as(&self, target: &Target, body: Vec<u8>, accept: &str) -> (u64, Answer) {
        // A new minute resets the rate limits.
        self.world.clock.advance(60_000);
        let body = Arc::new(body);
        let request = self.request(target, &body, accept);
        let mut response = None;
        let AllocationInfo { bytes_max, count_max, .. } = allocation_counter::measure(|| {
            response = Some(self.here.block_on(self.send(request)));
        });
        let answer = self.here.block_on(Answer::read(response.expect("there is a response")));
        (bytes_max + OVERHEAD_BYTES * count_max, answer)
    }

    fn request(&self, target: &Target, body: &Arc<Vec<u8>>, accept: &str) -> Request<Body> {
        let body = Arc::clone(body);
        let (header, value) = &target.credential;
        let pieces = (0..body.len()).step_by(PIECE_BYTES).map(move |start| {
            let end = body.len().min(start + PIECE_BYTES);
            Ok::<_, std::io::Error>(Bytes::copy_from_slice(&body[start..end]))
        });
        Request::builder()
            .method(target.operation.method.clone())
            .uri(&target.path)
            .header("content-type", "application/json")
            .header("accept", accept)
            .header("accept-encoding", "gzip")
            .header(*header, value)
            .header("x-client-link", samples::client_link_token())
            .body(Body::from_stream(futures_util::stream::iter(pieces)))
            .expect("valid request")
    }

    async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.expect("infallible")
    }
}
