//! The service that receives the requests. It is replaced regularly to limit the amount of stored data.

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};

use axum::Router;
use axum::body::Body;
use gateway::ClientAddress;
use harness::{TestOrg, World};
use http::{Request, Response};
use http_body_util::BodyExt;
use store::Role;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// The number of inputs before the process is replaced.
const INPUTS: u32 = 4_000;

/// The number of inputs per organization. An input can create two keys, and an organization can have ten.
const INPUTS_OF_ORGANIZATION: u32 = 4;

/// The service and the organization that calls it.
pub(crate) struct Process {
    runtime: Runtime,
    pub(super) world: World,
    pub(super) org: TestOrg,
    pub(super) router: Router,
    /// An anonymous session's token.
    pub(super) session: String,
    inputs: u32,
}

thread_local! {
    static PROCESS: RefCell<Option<Process>> = const { RefCell::new(None) };
}

/// Creates this thread's process unless it exists.
pub(crate) fn prepare() {
    with_process(|_| ());
}

/// Calls a closure with this thread's process.
pub(super) fn with_process<T>(use_it: impl FnOnce(&mut Process) -> T) -> T {
    PROCESS.with_borrow_mut(|kept| {
        // Takes the process out of the cell first, so that no input uses it after a panic.
        let mut process = kept.take().filter(|process| process.inputs < INPUTS).unwrap_or_else(Process::new);
        let result = use_it(&mut process);
        process.inputs += 1;
        if process.inputs.is_multiple_of(INPUTS_OF_ORGANIZATION) {
            process.org = process.run(organization(&process.world, process.inputs));
        }
        *kept = Some(process);
        result
    })
}

impl Process {
    fn new() -> Self {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("the runtime starts");
        let world = runtime.block_on(World::new());
        let org = runtime.block_on(organization(&world, 0));
        let router = world.router();
        let mut process = Self { runtime, world, org, router, session: String::new(), inputs: 0 };
        let search = Request::post("/v2/msearch").header("content-type", "application/json");
        let search = search.body(Body::from("{\"filter\":{\"city\":\"seattle\"}}")).expect("valid request");
        let response = process.answer(search);
        let session = response.headers().get("x-session-token").expect("a session token");
        process.session = session.to_str().expect("the token is ASCII").to_owned();
        process
    }

    pub(super) fn run<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Advances the clock by a minute, sends a request, and checks that the status isn't 5xx.
    pub(super) fn send(&mut self, request: Request<Body>) {
        self.world.clock.advance(60_000);
        let line = format!("{} {}", request.method(), request.uri());
        let response = self.answer(request);
        let status = response.status();
        assert!(!status.is_server_error(), "{line} returned {status}: {:?}", response.body());
    }

    fn answer(&self, mut request: Request<Body>) -> Response<bytes::Bytes> {
        request.extensions_mut().insert(ClientAddress(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9))));
        let router = self.router.clone();
        self.runtime.block_on(async {
            let response = router.oneshot(request).await.expect("routers are infallible");
            let (parts, body) = response.into_parts();
            Response::from_parts(parts, body.collect().await.expect("valid body").to_bytes())
        })
    }
}

async fn organization(world: &World, number: u32) -> TestOrg {
    let org = world.org(&format!("org_{number}")).await;
    world.member(&org, &world.owner(&org.id), Role::Owner).await;
    org
}
