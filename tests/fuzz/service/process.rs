//! A process of the service that inputs are sent to, made anew now and then, so that it does not fill up.

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

/// After how many inputs the process is made anew.
const INPUTS: u32 = 4_000;

/// How many inputs an organization is for: each may leave two keys, and there can be ten.
const INPUTS_OF_ORGANIZATION: u32 = 4;

/// The service, and the organization that the inputs are about.
pub(crate) struct Process {
    runtime: Runtime,
    pub(super) world: World,
    pub(super) org: TestOrg,
    pub(super) router: Router,
    /// The token of an anonymous session.
    pub(super) session: String,
    inputs: u32,
}

thread_local! {
    static PROCESS: RefCell<Option<Process>> = const { RefCell::new(None) };
}

/// Makes the process, unless this thread has one.
pub(crate) fn prepare() {
    with_process(|_| ());
}

/// Lends the process.
pub(super) fn with_process<T>(use_it: impl FnOnce(&mut Process) -> T) -> T {
    PROCESS.with_borrow_mut(|kept| {
        // One that panicked is not used again: it is taken out first.
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
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let world = runtime.block_on(World::new());
        let org = runtime.block_on(organization(&world, 0));
        let router = world.router();
        let mut process = Self { runtime, world, org, router, session: String::new(), inputs: 0 };
        let search = Request::post("/v2/msearch").header("content-type", "application/json");
        let search = search.body(Body::from("{\"filter\":{\"city\":\"seattle\"}}")).expect("a request");
        let answered = process.answer(search);
        let session = answered.headers().get("x-session-token").expect("a session");
        process.session = session.to_str().expect("a token").to_owned();
        process
    }

    /// Runs what asks the service.
    pub(super) fn run<T>(&self, asks: impl Future<Output = T>) -> T {
        self.runtime.block_on(asks)
    }

    /// Sends a request in a minute of its own, and holds its answer to be no fault of the service's.
    pub(super) fn send(&mut self, request: Request<Body>) {
        self.world.clock.advance(60_000);
        let line = format!("{} {}", request.method(), request.uri());
        let answered = self.answer(request);
        let status = answered.status();
        assert!(!status.is_server_error(), "{line} was answered {status}: {:?}", answered.body());
    }

    fn answer(&self, mut request: Request<Body>) -> Response<bytes::Bytes> {
        request.extensions_mut().insert(ClientAddress(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9))));
        let router = self.router.clone();
        self.runtime.block_on(async {
            let response = router.oneshot(request).await.expect("routers do not fail");
            let (parts, body) = response.into_parts();
            Response::from_parts(parts, body.collect().await.expect("a body").to_bytes())
        })
    }
}

/// Makes an organization that has taken its owner in.
async fn organization(world: &World, number: u32) -> TestOrg {
    let org = world.org(&format!("org_{number}")).await;
    world.member(&org, &world.owner(&org.id), Role::Owner).await;
    org
}
