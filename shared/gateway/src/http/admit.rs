//! Middleware that admits calls to handlers. It refunds repeated requests and calls that end in a server
//! error or a 401. For some operations, it also refunds all client errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use accounting::{Account, AuthRequirement, Price, Product, RateWindow};
use axum::extract::Request;
use axum::middleware::Next;
use futures_util::FutureExt;
use http::{HeaderValue, StatusCode, header};
use store::{Assets, RequestId};
use tokio::time::Instant;

use super::batch::Batch;
use super::caller::{Admitted, ClientAddress};
use super::idempotency::{CreateKey, HEADER as IDEMPOTENCY_KEY, REPLAYED, read_key};
use super::operation::Terms;
use super::receipt::Receipt;
use super::reply::Outcome;
use super::stage::StageVariable;
use super::tables::TableFile;
use crate::admission::{Admission, Identity, NotAdmitted, PendingCharge, RequestCredentials};
use crate::app::App;
use crate::error::ApiError;

/// The timeout for identifying the caller, and separately for looking up an idempotency key. Both steps and
/// the charge fit within the call's deadline.
pub(super) const CALLER_DEADLINE: Duration = Duration::from_secs(4);

/// A call that is being admitted.
pub(super) struct Admitting<'a> {
    pub(super) app: &'a App,
    pub(super) terms: Terms,
    pub(super) request_id: RequestId,
    /// The handler's deadline.
    pub(super) deadline: Instant,
}

/// A call's outcome and its receipt.
type Ended = (Outcome, Receipt);

impl Admitting<'_> {
    /// Admits a call and runs its handler. Refunds the call if it repeats an earlier request or ends in an
    /// error that isn't charged.
    ///
    /// For safe methods, the charge and the handler run concurrently, and the handler's response is discarded
    /// if the charge is refused. For other methods, or if the cache predicts a refusal, the handler waits for
    /// the charge.
    ///
    /// If the call isn't admitted, returns the refusal as an error.
    pub(super) async fn admit(&self, request: Request, next: Next) -> Result<Ended, Ended> {
        let (admissions, product) = (&self.app.admissions, self.terms.product);
        let safe = request.method().is_safe();
        let identified = admissions.identify(product, self.terms.auth, safe, credentials(&request));
        let identified = in_time(Instant::now() + CALLER_DEADLINE, identified).await;
        let identified = identified.map_err(|refused| self.refuse(None, refused))?;
        let file = self.terms.table.map_or(Ok(None), |table| TableFile::asked_for(table, &request));
        let identity = &identified.identity;
        let refuse = |refused| self.refuse(Some(identity), refused);
        let not_acceptable =
            |error: ApiError| NotAdmitted { account_api_calls: identified.account_api_calls, ..error.into() };
        let file = file.map_err(not_acceptable).map_err(refuse)?;
        let prepare = |price| admissions.prepare(identified.clone(), product, price, self.request_id);
        let batch = self.terms.batches.map(|family| Batch::new(self, family, identity));
        let pending = prepare(if batch.is_some() { Price::Free } else { Price::OfProduct });
        let keyed = self.look_up_key(identity, &pending, request).await.map_err(refuse)?;
        let pending = match &keyed {
            Ok((_, CreateKey::Repeats(_))) => prepare(Price::Free),
            Ok((_, CreateKey::Missing | CreateKey::Unused(_))) | Err(_) => pending,
        };
        let side_by_side = safe && !pending.foresees_refusal();
        let charge = async { caught(admissions.charge(pending)).await.map_err(refuse) };
        // A batch checks the deadline itself, and gets extra time to settle its last operation.
        let until = self.deadline + batch.as_ref().map_or(Duration::ZERO, |_| self.time_to_settle());
        let handle = async { Ok(self.handle(keyed, identity, next, file, batch.clone()).await) };
        let handler = async { run(product, until, handle).await.unwrap_or_else(Outcome::from) };
        let (admission, outcome) = if side_by_side {
            tokio::try_join!(charge, async { Ok(handler.await) })?
        } else {
            (charge.await?, handler.await)
        };
        Ok(self.settle(admission, outcome, batch).await)
    }

    /// Looks up whether an earlier request used the same idempotency key, because repeated requests are free.
    /// Does nothing if the operation doesn't support idempotency keys or the request has none. If the cached
    /// data already shows that the call will be refused, returns the refusal without a lookup.
    ///
    /// The inner result is an error if the call is admitted but its handler can't run, because the key or the
    /// body is invalid.
    async fn look_up_key(
        &self,
        identity: &Identity,
        pending: &PendingCharge,
        request: Request,
    ) -> Result<Result<(Request, CreateKey), ApiError>, NotAdmitted> {
        let (Some(family), Some(org), true) =
            (self.terms.creates, identity.org(), request.headers().contains_key(IDEMPOTENCY_KEY))
        else {
            return Ok(Ok((request, CreateKey::Missing)));
        };
        pending.refuse_from_memory()?;
        // Reading the body can take until the call's deadline, just as for requests without a key.
        let read = async { Ok(read_key(request, self.terms.product.max_body_bytes()).await) };
        let (request, key, body) = match in_time(self.deadline, read).await? {
            Ok(read) => read,
            Err(error) => return Ok(Err(error)),
        };
        let assets = Assets::new(self.app.dynamo.clone(), family);
        let found = async { Ok(assets.look_up_key(org, key, &body).await?) };
        let found = in_time(Instant::now() + CALLER_DEADLINE, found).await?;
        Ok(CreateKey::of(found).map(|key| (request, key)))
    }

    /// Runs the handler and converts its response to the requested file format.
    async fn handle(
        &self,
        keyed: Result<(Request, CreateKey), ApiError>,
        identity: &Identity,
        next: Next,
        file: Option<TableFile>,
        batch: Option<Batch>,
    ) -> Outcome {
        let (mut request, key) = match keyed {
            Ok(keyed) => keyed,
            Err(error) => return error.into(),
        };
        let (identity, max_body_bytes) = (identity.clone(), self.terms.product.max_body_bytes());
        request.extensions_mut().insert(Admitted { identity, max_body_bytes, key });
        if let Some(batch) = batch {
            request.extensions_mut().insert(batch);
        }
        let outcome = Outcome::of(next.run(request).await);
        match file {
            Some(file) => file.present(outcome, self.app.config.public_url.as_deref()),
            None => outcome,
        }
    }

    /// Returns the time reserved for settling a batch's last operation. Charging stops this long before the
    /// deadline, and a refund can finish up to this long after it.
    pub(super) fn time_to_settle(&self) -> Duration {
        self.app.config.handler_deadline * 2 / 5
    }

    async fn settle(&self, mut admission: Admission, mut outcome: Outcome, batch: Option<Batch>) -> Ended {
        // Handlers can also return a 401, for example if a request needs stronger credentials.
        let is_refused = self.challenge(&mut outcome);
        let repeats = outcome.response.headers().contains_key(REPLAYED);
        let status = outcome.response.status();
        let is_free_error = self.terms.errors_are_free && status.is_client_error();
        if repeats || is_refused || is_free_error || status.is_server_error() {
            self.app.admissions.refund(&mut admission).await;
        }
        let spent = batch.map(|batch| batch.spent().clone()).unwrap_or_default();
        let receipt = catch_unwind(AssertUnwindSafe(|| {
            let account = spent.account.as_ref().or(admission.account());
            self.receipt(Some(admission.identity()), account, admission.account_api_calls())
        }));
        let Ok(mut receipt) = receipt else {
            // Refund the credits, because the caller gets an error instead of the response.
            self.app.admissions.refund(&mut admission).await;
            return (ApiError::internal().into(), self.receipt(Some(admission.identity()), None, None));
        };
        receipt.credits_used = admission.credits() + spent.credits;
        (outcome, receipt)
    }

    fn refuse(&self, identity: Option<&Identity>, refused: NotAdmitted) -> Ended {
        let NotAdmitted { error, caller, account, account_api_calls } = refused;
        let receipt = self.receipt(caller.as_ref().or(identity), account.as_deref(), account_api_calls);
        let mut outcome = Outcome::from(*error);
        self.challenge(&mut outcome);
        (outcome, receipt)
    }

    /// Adds a `WWW-Authenticate` header to a 401 response that lacks one. Returns whether the response is a
    /// 401.
    fn challenge(&self, outcome: &mut Outcome) -> bool {
        let is_refused = outcome.response.status() == StatusCode::UNAUTHORIZED;
        if is_refused {
            let challenged = outcome.response.headers_mut().entry(header::WWW_AUTHENTICATE);
            challenged.or_insert_with(|| challenge(self.terms.auth));
        }
        is_refused
    }

    fn receipt(
        &self,
        identity: Option<&Identity>,
        account: Option<&Account>,
        account_api_calls: Option<RateWindow>,
    ) -> Receipt {
        Receipt::of(self.terms.product, identity, account, account_api_calls, self.app.clock.now())
    }
}

/// Runs a handler until the call's deadline. Converts a panic to a 500 and a timeout to a 503.
pub(super) async fn run<T>(
    product: Product,
    deadline: Instant,
    handler: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    match tokio::time::timeout_at(deadline, AssertUnwindSafe(handler).catch_unwind()).await {
        Ok(Ok(result)) => result,
        Ok(Err(_panic)) => Err(ApiError::internal()),
        Err(_late) => {
            tracing::error!(event = "handler_late", product = product.name());
            Err(ApiError::unavailable())
        }
    }
}

/// Runs a step before the charge, until the deadline. Converts a panic to a 500 and a timeout to a 503.
async fn in_time<T>(
    deadline: Instant,
    admitting: impl Future<Output = Result<T, NotAdmitted>>,
) -> Result<T, NotAdmitted> {
    tokio::time::timeout_at(deadline, caught(admitting)).await.unwrap_or(Err(ApiError::unavailable().into()))
}

/// Runs a step of admission. Converts a panic to a 500.
pub(super) async fn caught<T>(
    admitting: impl Future<Output = Result<T, NotAdmitted>>,
) -> Result<T, NotAdmitted> {
    AssertUnwindSafe(admitting).catch_unwind().await.unwrap_or(Err(ApiError::internal().into()))
}

fn credentials(request: &Request) -> RequestCredentials<'_> {
    // Treat a repeated or non-text header as an invalid credential, not as a missing one.
    let one = |name: &str| {
        let mut values = request.headers().get_all(name).iter();
        let first = values.next()?;
        Some(if values.next().is_some() { "" } else { first.to_str().unwrap_or("") })
    };
    RequestCredentials {
        api_key: one("x-api-key"),
        search_key: one("apikey"),
        authorization: one("authorization"),
        session_token: one("x-session-token"),
        token_audience: StageVariable::OidcAudience.of(request.extensions()),
        address: ClientAddress::of(request.extensions()),
    }
}

/// Returns a `WWW-Authenticate` header that names the credentials that an operation accepts.
fn challenge(auth: AuthRequirement) -> HeaderValue {
    HeaderValue::from_static(match (auth, auth.key_header()) {
        (AuthRequirement::SearchKey, _) => "ApiKey header=\"apikey\"",
        (_, Some(AuthRequirement::SEARCH_KEY_HEADER)) => "ApiKey header=\"apikey\", Bearer",
        (_, Some(_)) => "ApiKey header=\"X-API-Key\", Bearer",
        (_, None) => "Bearer",
    })
}
