//! A function's router on a thread of its own, whose allocations are counted.

use std::sync::Arc;

use allocation_counter::AllocationInfo;
use axum::Router;
use axum::body::{Body, Bytes};
use harness::{Answer, Operation, TestOrg, World, served_by, synthesized_release};
use http::{Request, Response};
use marquee::serve::Releases;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// More than the deepest page of inventory search has.
const SPOTS: usize = 20_000;

/// How large the pieces are in which a body arrives.
const PIECE_BYTES: usize = 64 * 1024;

/// What the C library's allocator takes for an allocation at most, besides the bytes that are asked for.
const OVERHEAD_BYTES: u64 = 31;

/// The service, whose database runs on another thread than the calls that are measured.
pub(crate) struct Meter {
    elsewhere: Runtime,
    here: Runtime,
    world: World,
    org: TestOrg,
    router: Router,
}

/// An operation, and the path and the credential of a good call of it.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) operation: &'static Operation,
    path: String,
    credential: (&'static str, String),
}

impl Meter {
    pub(crate) fn new() -> Self {
        let elsewhere =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let here = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (world, org) = elsewhere.block_on(async {
            let (world, org) = World::with_org().await;
            (world, org)
        });
        let releases = Releases::open(&synthesized_release(SPOTS)).expect("the release is whole");
        // Past the tests' wire, so that its connections belong to this thread.
        let router = here.block_on(world.process_past_the_wire(1, &releases));
        Self { elsewhere, here, world, org, router }
    }

    /// Makes what a good call is about, and makes one, so that the process is warm.
    pub(crate) fn target(&self, operation: &'static Operation) -> Target {
        let path = operation.path_for(&self.world, &self.org, &self.router);
        let target = self.target_at(operation, self.elsewhere.block_on(path));
        let body = operation.body.map_or_else(Vec::new, |body| body().to_string().into());
        let (_, answered) = self.measure(&target, body);
        assert_eq!(answered.status.as_u16(), operation.success(), "{}", operation.name());
        target
    }

    /// Returns the target that edits what an answer says was created.
    pub(crate) fn edit(&self, operation: &'static Operation, created: &Answer) -> Target {
        let created = created.data();
        let id = created["asset_id"].as_str().expect("an id");
        self.target_at(operation, operation.path.replace("{asset_id}", id))
    }

    fn target_at(&self, operation: &'static Operation, path: String) -> Target {
        let credential = self.elsewhere.block_on(operation.credential(&self.world, &self.org));
        Target { operation, path, credential }
    }

    /// Makes a call whose body comes in pieces, and returns the most bytes that it held at a time. What the
    /// database engine takes is not in it, nor is the body before it arrives.
    pub(crate) fn measure(&self, target: &Target, body: Vec<u8>) -> (u64, Answer) {
        self.measure_as(target, body, "application/json")
    }

    /// Returns the forms in which an operation's answer can be had.
    pub(crate) fn forms(&self, operation: &Operation) -> Vec<&'static str> {
        let mut served = served_by(&self.world.app, operation.function).into_iter();
        let table = served.find(|one| one.method == operation.method && one.path == operation.path);
        match table.and_then(|one| one.terms.table) {
            None => vec!["application/json"],
            Some(table) if table.feature.is_none() => vec!["application/json", "text/csv"],
            Some(_) => vec!["application/json", "text/csv", "application/geo+json"],
        }
    }

    /// Does the same with a call that accepts a form of the answer.
    pub(crate) fn measure_as(&self, target: &Target, body: Vec<u8>, accept: &str) -> (u64, Answer) {
        // No call is the second of its minute.
        self.world.clock.advance(60_000);
        let body = Arc::new(body);
        let request = self.request(target, &body, accept);
        let mut response = None;
        let AllocationInfo { bytes_max, count_max, .. } = allocation_counter::measure(|| {
            response = Some(self.here.block_on(self.send(request)));
        });
        let answer = self.here.block_on(Answer::read(response.expect("a response")));
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
            .body(Body::from_stream(futures_util::stream::iter(pieces)))
            .expect("a request")
    }

    async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.expect("routers do not fail")
    }
}
