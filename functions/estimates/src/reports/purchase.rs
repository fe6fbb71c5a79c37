//! `POST` and `GET /v2/measures/{campaigns,events}/{asset_id}`: buys a measurement and returns its status.

use accounting::{Credits, Meter, OrgId, Timestamp, sha256_hex};
use axum::Extension;
use axum::extract::State;
use gateway::{ApiError, Caller, Code, PathId, PublicUrl, Reply, read_idempotency_key};
use http::HeaderMap;
use measurement::{EventRefusal, EventType, MeasurementEvent, Outcome, PurchaseOrder};
use runtime::Environment;
use scenario_bodies::{Scenario, from_stored};
use serde::Serialize;
use store::{Asset, AssetId, AssetState, Family, Head, IdempotencyKey, StoredReport};

use super::report::{LAST, Report, ReportStatus, too_large};
use crate::estimates::{Estimable, Estimates, explained, not_found};

/// The settings for measurements that this service sells itself.
#[derive(Clone, Debug)]
pub struct OwnMeasurement {
    /// The measurement function's state, which applies the events.
    pub app: measurement::App,
    /// The price of a measurement, in credits.
    pub credits: Credits,
}

/// The status of a measurement. See `MeasurementStatus` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct MeasurementStatus {
    asset_id: AssetId,
    state: AssetState,
    last_measured_at: Option<Timestamp>,
    /// The purchase. `None` before the purchase and after the measurement has ended.
    purchase: Option<ShownPurchase>,
    report: Option<Report>,
}

#[derive(Debug, Serialize)]
struct ShownPurchase {
    purchased_at: Timestamp,
    product: Meter,
    credits: Credits,
}

/// The asset ID in the path. A malformed ID results in a 404, like an unknown one.
type AssetPath = PathId<AssetId>;

/// Buys the measurement of a campaign or an event. Returns an error without charging if the release has no
/// results for the asset, or if its report would be too large.
pub(crate) async fn purchase<S: Estimable>(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
) -> Result<Reply<MeasurementStatus>, ApiError> {
    let key = read_idempotency_key(&headers)?;
    let own = estimates.own_measurement.as_ref().ok_or_else(not_offered)?;
    let id = path.or_else(|| not_found(S::FAMILY))?;
    let asset = estimates.assets(S::FAMILY).read(caller.org(), id).await?;
    let Asset { head, body } = asset.ok_or_else(|| not_found(S::FAMILY))?;
    let event = own.purchase_event(caller.org(), S::FAMILY, id, &key);
    let is_possible = matches!(head.state, AssetState::Draft | AssetState::Failed);
    if is_possible
        && let Err(refused) = estimates.check_report::<S>(&body, event.occurred_at).await
        && !measurement::is_applied(&own.app, &event).await?
    {
        return Err(refused);
    }
    match measurement::apply(&own.app, &event).await {
        Ok(Outcome::Refused { reason }) => Err(refusal(S::FAMILY, reason)),
        Ok(
            Outcome::Applied | Outcome::Purchased { .. } | Outcome::Deleted { .. } | Outcome::AlreadyApplied,
        ) => estimates.status(caller.org(), S::FAMILY, id, &public_url).await,
        Err(error) => {
            tracing::error!(event = "purchase_failed", asset_id = %id, %error);
            Err(ApiError::unavailable())
        }
    }
}

/// Returns the state of a measurement, and its report.
pub(crate) async fn status<S: Scenario>(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    path: AssetPath,
) -> Result<Reply<MeasurementStatus>, ApiError> {
    estimates.status(caller.org(), S::FAMILY, path.or_else(|| not_found(S::FAMILY))?, &public_url).await
}

impl Estimates {
    /// Returns an error if the release has no results for an asset, or if its report would be too large.
    async fn check_report<S: Estimable>(&self, body: &[u8], at: Timestamp) -> Result<(), ApiError> {
        let scenario: S = from_stored(body)?;
        let last = scenario.span().last;
        let results = scenario.estimate_all(&self.release).await?;
        let report = Report::of(results, last, ReportStatus::Final, &self.release);
        report.to_stored(at, LAST).map_err(too_large)?;
        Ok(())
    }

    async fn status(
        &self,
        org: &OrgId,
        family: Family,
        id: AssetId,
        public_url: &PublicUrl,
    ) -> Result<Reply<MeasurementStatus>, ApiError> {
        let head = self.assets(family).read_head(org, id).await?.ok_or_else(|| not_found(family))?;
        let stored = self.assets(family).read_report(org, id).await?;
        let mut report = stored.map(|stored| current(&head, &stored)).transpose()?.flatten();
        let provenance = report.as_mut().and_then(|report| report.provenance.take());
        let reply = Reply::new(MeasurementStatus::new(head, report));
        Ok(match provenance {
            Some(provenance) => reply.with_provenance(explained(provenance, public_url)),
            None => reply,
        })
    }
}

impl OwnMeasurement {
    /// The default price of a measurement.
    pub const DEFAULT_CREDITS: Credits = 25;

    /// Reads the measurement function's environment variables. Returns `None` if `credits` is `None`, because
    /// this service then doesn't sell measurements.
    pub fn read(
        credits: Option<Credits>,
        environment: &Environment,
    ) -> Result<Option<Self>, measurement::ConfigError> {
        let Some(credits) = credits else { return Ok(None) };
        Ok(Some(Self { app: measurement::App::read(environment)?, credits }))
    }

    /// Creates the event for a purchase. Its ID is derived from the organization and the idempotency key, so
    /// repeating a purchase creates the same event.
    fn purchase_event(
        &self,
        org: &OrgId,
        family: Family,
        asset: AssetId,
        key: &IdempotencyKey,
    ) -> MeasurementEvent {
        let digest = sha256_hex(&[format!("purchase#{org}#{key}").as_bytes()]);
        MeasurementEvent {
            event_id: digest.parse().expect("a digest is a valid event ID"),
            org_id: org.clone(),
            family,
            asset_id: asset,
            event_type: EventType::Purchased,
            occurred_at: self.app.clock.now(),
            purchase: Some(PurchaseOrder {
                purchase_id: digest,
                product: format!("{family}_measurement").parse().expect("a valid billing name"),
                credits: self.credits,
                is_own: true,
            }),
        }
    }
}

impl MeasurementStatus {
    fn new(head: Head, report: Option<Report>) -> Self {
        let Head { id, state, last_measured_at, purchase, .. } = head;
        let purchase = purchase.map(|purchase| ShownPurchase {
            purchased_at: purchase.purchased_at,
            product: purchase.product,
            credits: purchase.draws.iter().map(|draw| draw.credits).sum(),
        });
        Self { asset_id: id, state, last_measured_at, purchase, report }
    }
}

/// Returns a stored report if it matches the asset's current state. Otherwise, for example if the report
/// belongs to an earlier purchase, returns `None`.
fn current(head: &Head, stored: &StoredReport) -> Result<Option<Report>, ApiError> {
    let report = Report::from_stored(stored)?;
    let is_current = match (head.state, report.status) {
        (AssetState::InFlight, ReportStatus::Provisional) => {
            head.purchase.as_ref().is_some_and(|purchase| purchase.purchased_at == stored.purchased_at)
        }
        (AssetState::Completed, ReportStatus::Final) | (AssetState::Failed, ReportStatus::Failed) => true,
        _ => false,
    };
    Ok(is_current.then_some(report))
}

fn not_offered() -> ApiError {
    let message = "this service doesn't sell measurements; ask your administrator which measurement product \
                   to use";
    ApiError::new(Code::StateConflict, message)
}

fn refusal(family: Family, reason: EventRefusal) -> ApiError {
    match reason {
        EventRefusal::IdTaken => {
            let message = "`Idempotency-Key` was used for another asset within the last 15 days; send a new \
                           key";
            ApiError::new(Code::IdempotencyKeyReused, message)
        }
        EventRefusal::UnknownAsset | EventRefusal::AssetDeleted => not_found(family),
        EventRefusal::NoTransition { state, .. } => {
            let message = format!(
                "the asset is {state}; only draft and failed assets can be measured, and nothing was charged"
            );
            ApiError::new(Code::StateConflict, message)
        }
        EventRefusal::InsufficientCredits(too_few) => accounting::Refusal::QuotaExceeded(too_few).into(),
        EventRefusal::OrganizationSuspended => accounting::Refusal::Suspended.into(),
        EventRefusal::Unreadable(_)
        | EventRefusal::PurchaseMissing
        | EventRefusal::PurchaseMisplaced
        | EventRefusal::PurchaseIdLength(_)
        | EventRefusal::EarlierMeasurement
        | EventRefusal::UnlistedName { .. } => {
            tracing::error!(event = "purchase_refused", %reason);
            ApiError::internal()
        }
    }
}
