//! The router for a function that can't open its data release at startup.
//!
//! See `docs/decisions/0052-deployment.md`.

use std::sync::Arc;
use std::time::Duration;

use accounting::Timestamp;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use runtime::Clock;
use tokio::sync::Mutex;
use tower::ServiceExt;

use crate::app::App;
use crate::error::REOPEN_SECONDS;

/// The extra time for opening the release, beyond a handler's deadline. Lambda stops a function 6 s after
/// this deadline, so 2 s remain for the response.
const BEYOND_DEADLINE: Duration = Duration::from_secs(4);

/// If opening the release takes longer than this number of seconds, the request that triggered it is answered
/// without the release.
const QUICK_SECONDS: i64 = 1;

/// Opens a function's data release by calling `open` and returns the router that `ready` creates for it.
///
/// If the release can't be opened, returns a router that passes requests to `unready`. When this router
/// receives a request at least 5 s after the last attempt ended, it calls `open` again. Once this succeeds,
/// the router passes requests to the one that `ready` creates. `open` must log its errors, because this
/// function discards them.
pub async fn router_of_release<T, E, F>(
    app: App,
    unready: Router,
    open: impl Fn() -> F + Send + Sync + 'static,
    ready: impl Fn(&App, T) -> Router + Send + Sync + 'static,
) -> Router
where
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    if let Ok(release) = open().await {
        return ready(&app, release);
    }
    let (clock, time_limit) = (app.clock.clone(), app.config.handler_deadline + BEYOND_DEADLINE);
    let (app, ready) = (Arc::new(app), Arc::new(ready));
    let open = move || {
        let (opening, app, ready) = (open(), app.clone(), ready.clone());
        async move { opening.await.ok().map(|release| ready(&app, release)) }.boxed()
    };
    let attempt = Mutex::new(Attempt::Failed { at: clock.now() });
    let reopening = Reopening { unready, open: Box::new(open), time_limit, clock, attempt };
    // Use a fallback instead of a route. A route would store its path in the request, and the inner routers
    // couldn't find an operation at the combined path.
    Router::new().fallback(answer).with_state(Arc::new(reopening))
}

/// The state of a router whose release couldn't be opened at startup.
struct Reopening {
    unready: Router,
    open: Box<dyn Fn() -> BoxFuture<'static, Option<Router>> + Send + Sync>,
    /// The maximum duration of an attempt, which still leaves time for the response.
    time_limit: Duration,
    clock: Clock,
    attempt: Mutex<Attempt>,
}

/// The latest attempt to open the release.
enum Attempt {
    Opened(Router),
    Failed { at: Timestamp },
}

impl Reopening {
    /// Returns the router for a request. If the last attempt failed at least 5 s ago, first tries to open the
    /// release again. If this takes more than 1 s, the request may not have enough time left for a handler,
    /// so only later requests use the release.
    async fn router(&self) -> Router {
        let mut attempt = self.attempt.lock().await;
        let mut is_late = false;
        if let Attempt::Failed { at } = *attempt
            && self.clock.now() >= at.plus_seconds(REOPEN_SECONDS)
        {
            let started = self.clock.now();
            let opened = tokio::time::timeout(self.time_limit, (self.open)()).await.unwrap_or_else(|_| {
                tracing::error!(event = "release_refused", error = "opening the release took too long");
                None
            });
            is_late = self.clock.now() > started.plus_seconds(QUICK_SECONDS);
            *attempt = opened.map_or(Attempt::Failed { at: self.clock.now() }, Attempt::Opened);
        }
        match &*attempt {
            Attempt::Opened(router) if !is_late => router.clone(),
            Attempt::Opened(_) | Attempt::Failed { .. } => self.unready.clone(),
        }
    }
}

async fn answer(State(reopening): State<Arc<Reopening>>, request: Request) -> Response {
    reopening.router().await.oneshot(request).await.unwrap_or_else(|never| match never {})
}
