//! Around each handler: admits the call first, and refunds it when it ends in a fault of ours or in a 401.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use accounting::{Audience, Price, Product};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{Extensions, HeaderMap, StatusCode, header};
use store::{Assets, Family, RequestId};
use tokio::time::Instant;

use super::body::BodyLimit;
use super::caller::{Caller, ClientAddress};
use super::docs_url::DocsUrl;
use super::envelope::write_reply;
use super::error::ApiError;
use super::idempotency::{Repeats, has_key, look_up_key, read_key, without_key};
use super::not_admitted::challenge;
use super::receipt::Receipt;
use super::reply::Rendered;
use super::stage::StageVariable;
use super::tables::{Table, TableFile};
use crate::admission::{Admission, AdmissionError, Identified, Identity, PendingCharge, RequestCredentials};
use crate::app::App;

/// How long it may take to find out who calls, and as long again what an idempotency key created. With the
/// charge after it, it lies under the call's deadline.
const CALLER_DEADLINE: Duration = Duration::from_secs(4);

/// What admits the calls of a route.
#[derive(Clone, Debug)]
pub(super) struct AdmissionMiddleware {
    pub(super) app: App,
    pub(super) terms: Terms,
}

/// The terms on which a route is called.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub(super) product: Product,
    /// Whose credentials it takes.
    pub(super) audience: Audience,
    /// The library in which it creates an asset, once for each idempotency key.
    pub(super) creates: Option<Family>,
    /// The table in its answer, which it serves as files too.
    pub(super) table: Option<&'static Table>,
}

/// Admits a call, runs its handler, and refunds the call when it ends in a fault of ours or in a 401.
///
/// On safe methods the charge and the handler run side by side, and a refusal discards the answer; on the
/// others, and where a refusal is to be expected, the charge comes first.
pub(super) async fn admit(
    State(middleware): State<AdmissionMiddleware>,
    mut request: Request,
    next: Next,
) -> Response {
    let AdmissionMiddleware { app, terms: Terms { product, .. } } = &middleware;
    let deadline = Instant::now() + app.config.handler_deadline;
    let request_id = request.extensions().get::<RequestId>().copied();
    let request_id = request_id.unwrap_or_else(|| RequestId::from_random(app.random.bytes()));
    let safe = request.method().is_safe();
    let docs_url = request.extensions().get::<DocsUrl>().cloned();
    let docs_url = docs_url.unwrap_or_else(|| DocsUrl::of(&request, &app.config));
    let credentials = credentials(request.headers(), request.extensions());
    let known_by = Instant::now() + CALLER_DEADLINE;
    let identified = match in_time(known_by, middleware.identify(safe, credentials)).await {
        Ok(identified) => identified,
        Err(error) => return middleware.refuse(None, &error),
    };
    let file = match middleware.file_asked_for(&request) {
        Ok(file) => file,
        Err(error) => return middleware.not_acceptable(&identified, error),
    };
    let identity = identified.identity.clone();
    Caller::introduce(&identity, request.extensions_mut());
    request.extensions_mut().insert(BodyLimit(product.max_body_bytes()));
    let pending = app.admissions.prepare(identified.clone(), *product, Price::OfProduct, request_id);
    let (request, price) = match middleware.look_up_key(&identity, &pending, request, deadline).await {
        Ok(looked_up) => looked_up,
        Err(error) => return middleware.refuse(Some(&identity), &error),
    };
    let pending = match price {
        Price::OfProduct => pending,
        Price::OfRepeat => app.admissions.prepare(identified, *product, price, request_id),
    };
    let side_by_side = safe && !pending.foresees_refusal();
    let charge = caught(app.admissions.charge(pending));
    let (admission, response) = if side_by_side {
        match tokio::try_join!(charge, async {
            Ok::<_, AdmissionError>(middleware.answer(request, next, file, deadline).await)
        }) {
            Ok(both) => both,
            Err(error) => return middleware.refuse(Some(&identity), &error),
        }
    } else {
        match charge.await {
            Ok(admission) => (admission, middleware.answer(request, next, file, deadline).await),
            Err(error) => return middleware.refuse(Some(&identity), &error),
        }
    };
    middleware.settle(admission, response, request_id, &docs_url).await
}

impl AdmissionMiddleware {
    async fn identify(
        &self,
        safe: bool,
        credentials: RequestCredentials<'_>,
    ) -> Result<Identified, AdmissionError> {
        let Terms { product, audience, .. } = self.terms;
        self.app.admissions.identify(product, audience, safe, credentials).await
    }

    /// Reads which file of its table a call asks for, before anything is charged.
    fn file_asked_for(&self, request: &Request) -> Result<Option<TableFile>, ApiError> {
        self.terms.table.map_or(Ok(None), |table| TableFile::asked_for(table, request))
    }

    /// Looks up what the call's idempotency key created, where the route takes one: what the call costs
    /// depends on it. A call that this process knows to be refused is refused before that costs a read.
    async fn look_up_key(
        &self,
        identity: &Identity,
        pending: &PendingCharge,
        request: Request,
        deadline: Instant,
    ) -> Result<(Result<Request, ApiError>, Price), AdmissionError> {
        let (Some(family), Some(org)) = (self.terms.creates, identity.org()) else {
            return Ok((Ok(request), Price::OfProduct));
        };
        if !has_key(request.headers()) {
            return Ok((Ok(without_key(request)), Price::OfProduct));
        }
        pending.refuse_from_memory()?;
        // A large body may take its time, as it may without a key.
        let keyed = match in_time(deadline, async { Ok(read_key(request).await) }).await? {
            Ok(keyed) => keyed,
            Err(error) => return Ok((Err(error), Price::OfProduct)),
        };
        let assets = Assets::new(self.app.dynamo.clone(), family);
        in_time(Instant::now() + CALLER_DEADLINE, look_up_key(&assets, org, keyed)).await
    }

    /// Runs the handler and puts its answer into the file that is asked for, until the call's deadline. A panic
    /// is our own 500.
    async fn answer(
        &self,
        request: Result<Request, ApiError>,
        next: Next,
        file: Option<TableFile>,
        deadline: Instant,
    ) -> Response {
        let request = match request {
            Ok(request) => request,
            Err(error) => return error.into_response(),
        };
        let answered = async {
            let response = next.run(request).await;
            match file {
                Some(file) => file.present(response, self.app.config.public_url.as_deref()),
                None => response,
            }
        };
        let answered = AssertUnwindSafe(answered).catch_unwind();
        match tokio::time::timeout_at(deadline, answered).await {
            Ok(Ok(response)) => response,
            Ok(Err(_panic)) => ApiError::internal().into_response(),
            Err(_late) => {
                tracing::error!(event = "handler_late", product = self.terms.product.name());
                ApiError::unavailable().into_response()
            }
        }
    }

    async fn settle(
        &self,
        mut admission: Admission,
        mut response: Response,
        request_id: RequestId,
        docs_url: &DocsUrl,
    ) -> Response {
        // A handler refuses a caller whose credentials are not enough for what its request asks for.
        let is_refused = response.status() == StatusCode::UNAUTHORIZED;
        if is_refused {
            let challenged = response.headers_mut().entry(header::WWW_AUTHENTICATE);
            challenged.or_insert_with(|| challenge(self.terms.audience));
        }
        let repeats = response.extensions_mut().remove::<Repeats>().is_some();
        if repeats || is_refused || response.status().is_server_error() {
            self.app.admissions.refund(&mut admission).await;
        }
        let now = self.app.clock.now();
        let receipt =
            catch_unwind(AssertUnwindSafe(|| Receipt::admitted(self.terms.product, &admission, now)));
        let receipt = match receipt {
            Ok(receipt) => receipt,
            Err(_panic) => {
                self.app.admissions.refund(&mut admission).await;
                response = ApiError::internal().into_response();
                Receipt::free(self.terms.product, Some(admission.identity()))
            }
        };
        if let Some(rendered) = response.extensions_mut().remove::<Rendered>() {
            write_reply(&mut response, rendered, &receipt, request_id, docs_url);
        }
        response.extensions_mut().insert(receipt);
        response
    }

    fn not_acceptable(&self, identified: &Identified, error: ApiError) -> Response {
        let mut response = error.into_response();
        let receipt = Receipt::identified(self.terms.product, identified, self.app.clock.now());
        response.extensions_mut().insert(receipt);
        response
    }

    fn refuse(&self, identity: Option<&Identity>, error: &AdmissionError) -> Response {
        let mut response = ApiError::not_admitted(error, self.terms.audience).into_response();
        if matches!(error, AdmissionError::Unauthenticated(_)) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge(self.terms.audience));
        }
        response.extensions_mut().insert(Receipt::not_admitted(
            self.terms.product,
            identity,
            error,
            self.app.clock.now(),
        ));
        response
    }
}

impl Terms {
    /// Makes the terms of a product for its audience.
    pub fn of(product: Product) -> Self {
        Self { product, audience: product.audience(), creates: None, table: None }
    }

    /// Serves the table in the route's answer as files too.
    pub fn with_table(self, table: &'static Table) -> Self {
        Self { table: Some(table), ..self }
    }
}

impl From<Product> for Terms {
    fn from(product: Product) -> Self {
        Self::of(product)
    }
}

/// Ends what comes before the charge in time.
async fn in_time<T>(
    deadline: Instant,
    admitting: impl Future<Output = Result<T, AdmissionError>>,
) -> Result<T, AdmissionError> {
    tokio::time::timeout_at(deadline, caught(admitting)).await.unwrap_or(Err(AdmissionError::Unanswered))
}

/// Makes a panic of admission an error.
async fn caught<T>(admitting: impl Future<Output = Result<T, AdmissionError>>) -> Result<T, AdmissionError> {
    AssertUnwindSafe(admitting).catch_unwind().await.unwrap_or(Err(AdmissionError::Panicked))
}

fn credentials<'a>(headers: &'a HeaderMap, extensions: &'a Extensions) -> RequestCredentials<'a> {
    // A header that is not text, or comes twice, is no credential; it must not count as absent either.
    let one = |name: &str| {
        let mut values = headers.get_all(name).iter();
        let first = values.next()?;
        Some(if values.next().is_some() { "" } else { first.to_str().unwrap_or("") })
    };
    RequestCredentials {
        api_key: one("x-api-key"),
        search_key: one("apikey"),
        authorization: one("authorization"),
        session_token: one("x-session-token"),
        token_audience: StageVariable::OidcAudience.of(extensions),
        address: ClientAddress::of(extensions),
    }
}
