//! `/v2/test/…`: routes for testing client programs. They move assets between states, advance the clock, and
//! make calls fail. Only the local process has them.

use std::sync::{Arc, Mutex, PoisonError};

use accounting::{Product, PurchaseNames, Timestamp};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use deserr::Deserr;
use estimates::Release;
use gateway::{
    ApiError, App, Bounded, Caller, Code, InvalidValue, JsonBody, Named, Parsed, Reply, Routes, Violations,
};
use http::StatusCode;
use measurement::{EventType, Outcome};
use runtime::Clock;
use serde::Serialize;
use serde_json::json;
use store::{AssetId, Family};
use strum::{Display, EnumIter, EnumString};
use tower::ServiceExt;

use crate::sweep::{Swept, measurement_of, new_event, sweep};

/// The prefix of these routes. No function has paths that start with it.
pub const TEST_PREFIX: &str = "/v2/test/";

/// The maximum number of seconds by which a call can advance the clock: 400 days.
const MAX_STEP: usize = 400 * 24 * 60 * 60;

/// The planned failures, which all requests share.
#[derive(Clone, Debug, Default)]
struct Failures(Arc<Mutex<Option<Planned>>>);

/// How the next calls fail.
#[derive(Clone, Debug, Serialize)]
struct Planned {
    kind: FailureKind,
    /// The prefix of the paths whose calls fail.
    path: String,
    /// The number of calls left to fail.
    calls: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, EnumString, Serialize)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
enum FailureKind {
    /// The call returns a 503 and has no effect.
    Unavailable,
    /// The call takes effect, but the caller gets a 504 instead of its response.
    Lost,
}

/// The state that the handlers share.
#[derive(Clone)]
struct TestState {
    app: App,
    release: Arc<Release>,
    failures: Failures,
}

/// The state of the middleware around the functions.
#[derive(Clone)]
struct TestMiddleware {
    /// The test routes.
    routes: Router,
    /// A router that returns a 503 for all calls.
    refusing: Router,
    failures: Failures,
}

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct EventBody {
    family: Named<Family>,
    asset_id: Parsed<AssetId>,
    #[deserr(rename = "type")]
    event_type: Named<EventType>,
}

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct TimeBody {
    advance_seconds: Bounded<1, MAX_STEP>,
}

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct FailuresBody {
    kind: Named<FailureKind>,
    path: PathPrefix,
    calls: Bounded<0, 1000>,
}

/// A prefix of API paths.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(&String) = PathPrefix::new -> InvalidValue)]
struct PathPrefix(String);

/// The time after the clock was advanced, and the result of a sweep at that time.
#[derive(Debug, Serialize)]
struct Moved {
    now: Timestamp,
    measurements: Swept,
}

impl PathPrefix {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        if (text.starts_with("/v2") || text.starts_with("/msearch")) && !text.starts_with(TEST_PREFIX) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidValue(format!("must begin with \"/v2\" or \"/msearch\", got \"{text}\"")))
    }
}

/// Adds the test routes to the functions' router, and middleware that makes calls fail as planned.
pub(super) fn with_test_routes(functions: Router, app: &App, release: &Arc<Release>) -> Router {
    let testing = TestState { app: app.clone(), release: release.clone(), failures: Failures::default() };
    // This product is free but requires credentials, so that strangers can't advance the clock if the process
    // is exposed through a tunnel.
    let routes = Routes::new(app)
        .post("/v2/test/measurements", Product::Measurements, send_event)
        .post("/v2/test/time", Product::Measurements, move_clock)
        .post("/v2/test/failures", Product::Measurements, plan_failures)
        .into_router(testing.clone());
    let refusing = Routes::new(app).failing("/{*path}", ApiError::unavailable()).into_router(());
    let middleware = TestMiddleware { routes, refusing, failures: testing.failures };
    functions.layer(from_fn_with_state(middleware, call))
}

async fn call(State(middleware): State<TestMiddleware>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with(TEST_PREFIX) {
        return answer(middleware.routes, request).await;
    }
    match middleware.failures.next(path) {
        None => next.run(request).await,
        Some(FailureKind::Unavailable) => answer(middleware.refusing, request).await,
        Some(FailureKind::Lost) => {
            next.run(request).await;
            let message = json!({ "message": "the response was lost, as planned" });
            (StatusCode::GATEWAY_TIMEOUT, Json(message)).into_response()
        }
    }
}

async fn answer(router: Router, request: Request) -> Response {
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

impl Failures {
    /// Returns how a call to the path fails, and counts the failure. Returns `None` if no failure is planned
    /// for the path.
    fn next(&self, path: &str) -> Option<FailureKind> {
        let mut planned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Planned { kind, path: prefix, calls } = planned.as_mut()?;
        if *calls == 0 || !path.starts_with(prefix.as_str()) {
            return None;
        }
        *calls -= 1;
        Some(*kind)
    }
}

/// Applies a measurement event to an asset of the caller's organization, as if a measurement product had sent
/// it.
async fn send_event(
    State(testing): State<TestState>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Outcome>, ApiError> {
    let EventBody { family: Named(family), asset_id: Parsed(asset_id), event_type: Named(event_type) } =
        body.read()?;
    let credits = testing.app.config.measurement_credits.unwrap_or_default();
    let event = new_event(&testing.app, caller.org().clone(), family, asset_id, event_type, credits);
    let function = measurement_of(&testing.app, PurchaseNames::default());
    match measurement::apply(&function, &event).await {
        Ok(Outcome::Refused { reason }) => Err(ApiError::new(Code::StateConflict, reason.to_string())),
        Ok(outcome) => Ok(Reply::new(outcome)),
        Err(error) => {
            tracing::error!(event = "test_event_failed", %error);
            Err(ApiError::unavailable())
        }
    }
}

/// Advances the clock and runs the measurement steps that are due at the new time.
async fn move_clock(State(testing): State<TestState>, body: JsonBody) -> Result<Reply<Moved>, ApiError> {
    let TimeBody { advance_seconds } = body.read()?;
    let Clock::Shifted(_) = &testing.app.clock else { return Err(ApiError::internal()) };
    let millis = i64::try_from(advance_seconds.get()).expect("at most 400 days") * 1000;
    testing.app.clock.advance(millis);
    let now = testing.app.clock.now();
    let measurements = sweep(&testing.app, &testing.release, now).await;
    Ok(Reply::new(Moved { now, measurements }))
}

/// Replaces the planned failures. If `calls` is 0, no calls fail.
async fn plan_failures(State(testing): State<TestState>, body: JsonBody) -> Result<Reply<Planned>, ApiError> {
    let FailuresBody { kind: Named(kind), path: PathPrefix(path), calls } = body.read()?;
    let planned = Planned { kind, path, calls: calls.get() };
    *testing.failures.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(planned.clone());
    Ok(Reply::new(planned))
}
