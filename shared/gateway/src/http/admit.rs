//! Around each handler: admits the call first, and refunds it when it ends in a fault of ours or in a 401.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use accounting::{Account, Audience, Price, Product, RateWindow};
use axum::extract::Request;
use axum::middleware::Next;
use futures_util::FutureExt;
use http::{HeaderValue, StatusCode, header};
use store::{Assets, RequestId};
use tokio::time::Instant;

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

/// How long it may take to find out who calls, and as long again what an idempotency key created. With the
/// charge after it, it lies under the call's deadline.
const CALLER_DEADLINE: Duration = Duration::from_secs(4);

/// A call that is about to be admitted.
pub(super) struct Admitting<'a> {
    pub(super) app: &'a App,
    pub(super) terms: Terms,
    pub(super) request_id: RequestId,
    /// When the call's handler must have answered.
    pub(super) deadline: Instant,
}

/// How a call ended, and what it cost.
type Ended = (Outcome, Receipt);

impl Admitting<'_> {
    /// Admits a call, runs its handler, and refunds the call when it ends in a fault of ours or in a 401.
    ///
    /// On safe methods the charge and the handler run side by side, and a refusal discards the answer; on the
    /// others, and where a refusal is to be expected, the charge comes first.
    ///
    /// # Errors
    ///
    /// How a call ended that was not admitted.
    pub(super) async fn admit(&self, request: Request, next: Next) -> Result<Ended, Ended> {
        let (admissions, product) = (&self.app.admissions, self.terms.product);
        let safe = request.method().is_safe();
        let identified = admissions.identify(product, self.terms.audience, safe, credentials(&request));
        let identified = in_time(Instant::now() + CALLER_DEADLINE, identified).await;
        let identified = identified.map_err(|refused| self.refuse(None, refused))?;
        let file = self.terms.table.map_or(Ok(None), |table| TableFile::asked_for(table, &request));
        let identity = &identified.identity;
        let refuse = |refused| self.refuse(Some(identity), refused);
        let not_acceptable =
            |error: ApiError| NotAdmitted { portal_calls: identified.portal_calls, ..error.into() };
        let file = file.map_err(not_acceptable).map_err(refuse)?;
        let prepare = |price| admissions.prepare(identified.clone(), product, price, self.request_id);
        let pending = prepare(Price::OfProduct);
        let keyed = self.look_up_key(identity, &pending, request).await.map_err(refuse)?;
        let pending = match &keyed {
            Ok((_, CreateKey::Repeats(_))) => prepare(Price::OfRepeat),
            Ok((_, CreateKey::Missing | CreateKey::Unused(_))) | Err(_) => pending,
        };
        let side_by_side = safe && !pending.foresees_refusal();
        let charge = async { caught(admissions.charge(pending)).await.map_err(refuse) };
        let handler = run(product, self.deadline, self.handle(keyed, identity, next, file));
        let (admission, outcome) = if side_by_side {
            tokio::try_join!(charge, async { Ok(handler.await) })?
        } else {
            (charge.await?, handler.await)
        };
        Ok(self.settle(admission, outcome).await)
    }

    /// Looks up what the call's idempotency key created, where the operation takes one: what the call costs
    /// depends on it. A call that this process knows to be refused is refused before that costs a read.
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
        // A large body may take its time, as it may without a key.
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

    /// Runs the handler and puts its answer into the file that is asked for.
    async fn handle(
        &self,
        keyed: Result<(Request, CreateKey), ApiError>,
        identity: &Identity,
        next: Next,
        file: Option<TableFile>,
    ) -> Outcome {
        let (mut request, key) = match keyed {
            Ok(keyed) => keyed,
            Err(error) => return error.into(),
        };
        let (identity, max_body_bytes) = (identity.clone(), self.terms.product.max_body_bytes());
        request.extensions_mut().insert(Admitted { identity, max_body_bytes, key });
        let outcome = Outcome::of(next.run(request).await);
        match file {
            Some(file) => file.present(outcome, self.app.config.public_url.as_deref()),
            None => outcome,
        }
    }

    async fn settle(&self, mut admission: Admission, mut outcome: Outcome) -> Ended {
        // A handler refuses a caller whose credentials are not enough for what its request asks for.
        let is_refused = self.challenge(&mut outcome);
        let repeats = outcome.response.headers().contains_key(REPLAYED);
        if repeats || is_refused || outcome.response.status().is_server_error() {
            self.app.admissions.refund(&mut admission).await;
        }
        let receipt = catch_unwind(AssertUnwindSafe(|| {
            self.receipt(Some(admission.identity()), admission.account(), admission.portal_calls())
        }));
        let Ok(mut receipt) = receipt else {
            // The caller gets nothing for the credits.
            self.app.admissions.refund(&mut admission).await;
            return (ApiError::internal().into(), self.receipt(Some(admission.identity()), None, None));
        };
        receipt.credits_used = admission.credits();
        (outcome, receipt)
    }

    fn refuse(&self, identity: Option<&Identity>, refused: NotAdmitted) -> Ended {
        let NotAdmitted { error, caller, account, portal_calls } = refused;
        let receipt = self.receipt(caller.as_ref().or(identity), account.as_deref(), portal_calls);
        let receipt = receipt.limited_by(error.refusal);
        let mut outcome = Outcome::from(*error);
        self.challenge(&mut outcome);
        (outcome, receipt)
    }

    /// Names the credentials that are taken in a 401 that does not; tells whether it is one.
    fn challenge(&self, outcome: &mut Outcome) -> bool {
        let is_refused = outcome.response.status() == StatusCode::UNAUTHORIZED;
        if is_refused {
            let challenged = outcome.response.headers_mut().entry(header::WWW_AUTHENTICATE);
            challenged.or_insert_with(|| challenge(self.terms.audience));
        }
        is_refused
    }

    fn receipt(
        &self,
        identity: Option<&Identity>,
        account: Option<&Account>,
        portal_calls: Option<RateWindow>,
    ) -> Receipt {
        Receipt::of(self.terms.product, identity, account, portal_calls, self.app.clock.now())
    }
}

/// Runs a handler until the call's deadline. A panic is our own 500.
pub(super) async fn run(
    product: Product,
    deadline: Instant,
    handler: impl Future<Output = Outcome>,
) -> Outcome {
    match tokio::time::timeout_at(deadline, AssertUnwindSafe(handler).catch_unwind()).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_panic)) => ApiError::internal().into(),
        Err(_late) => {
            tracing::error!(event = "handler_late", product = product.name());
            ApiError::unavailable().into()
        }
    }
}

/// Ends what comes before the charge in time.
async fn in_time<T>(
    deadline: Instant,
    admitting: impl Future<Output = Result<T, NotAdmitted>>,
) -> Result<T, NotAdmitted> {
    tokio::time::timeout_at(deadline, caught(admitting)).await.unwrap_or(Err(ApiError::unavailable().into()))
}

/// Makes a panic of admission an error.
async fn caught<T>(admitting: impl Future<Output = Result<T, NotAdmitted>>) -> Result<T, NotAdmitted> {
    AssertUnwindSafe(admitting).catch_unwind().await.unwrap_or(Err(ApiError::internal().into()))
}

fn credentials(request: &Request) -> RequestCredentials<'_> {
    // A header that is not text, or comes twice, is no credential; it must not count as absent either.
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

/// Names the credentials that an audience has, for `WWW-Authenticate`.
fn challenge(audience: Audience) -> HeaderValue {
    HeaderValue::from_static(match (audience, audience.key_header()) {
        (Audience::SearchKey, _) => "ApiKey header=\"apikey\"",
        (_, Some(Audience::SEARCH_KEY_HEADER)) => "ApiKey header=\"apikey\", Bearer",
        (_, Some(_)) => "ApiKey header=\"X-API-Key\", Bearer",
        (_, None) => "Bearer",
    })
}
