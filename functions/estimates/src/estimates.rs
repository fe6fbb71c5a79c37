//! The handler that estimates campaigns and events, and its state.

use std::sync::Arc;

use accounting::Day;
use axum::Extension;
use axum::extract::State;
use dataset::Provenance;
use deserr::Deserr;
use gateway::{ApiError, App, Caller, Code, JsonBody, Parsed, PublicUrl, Reply, Violations, Warnings};
use scenario_bodies::{Scenario, from_stored, read_body};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use store::{AssetId, Assets, Family};

use crate::Release;
use crate::reports::OwnMeasurement;
use crate::span::Span;

/// The maximum length of a campaign's flight or of an event, in days.
pub(crate) const MAX_DAYS: usize = 366;

/// The maximum size of an estimate as JSON, in bytes. Escaping for Lambda at most doubles the size, so the
/// response always stays within Lambda's 6 MB limit.
const MAX_ESTIMATE_BYTES: usize = 2_800_000;

/// The path of the portal page that explains estimates.
const ESTIMATES_PAGE: &str = "/portal/docs/estimates";

/// The state that all handlers of this function share.
#[derive(Clone, Debug)]
pub struct Estimates {
    campaigns: Assets,
    events: Assets,
    pub(crate) release: Arc<Release>,
    /// `None` if this service doesn't sell measurements itself.
    pub(crate) own_measurement: Option<OwnMeasurement>,
}

/// A request body that names a stored campaign or event. No other members are allowed.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct StoredBody {
    asset_id: Parsed<AssetId>,
}

/// An estimate as JSON.
pub(crate) struct Estimated {
    pub(crate) json: Box<RawValue>,
    pub(crate) warnings: Warnings,
    /// The provenance, without the URL of the page that explains estimates.
    pub(crate) provenance: Provenance,
}

/// A scenario that can be estimated.
pub(crate) trait Estimable: Scenario {
    /// Returns the first and the last day of the scenario.
    fn span(&self) -> Span;

    /// Estimates the scenario up to and including the given day. Returns violations if the release has no
    /// figures for the scenario.
    fn estimate(
        self,
        through: Day,
        release: &Release,
    ) -> impl Future<Output = Result<Estimated, ApiError>> + Send;

    /// Estimates all days of the scenario.
    fn estimate_all(self, release: &Release) -> impl Future<Output = Result<Estimated, ApiError>> + Send {
        let last = self.span().last;
        self.estimate(last, release)
    }
}

/// `POST /v2/measures/{campaigns,events}/estimate`: estimates a campaign or an event.
pub(crate) async fn estimate<S: Estimable>(
    State(estimates): State<Estimates>,
    Extension(public_url): Extension<PublicUrl>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Box<RawValue>>, ApiError> {
    let scenario: S = estimates.requested(&caller, body).await?;
    let Estimated { json, warnings, provenance } = scenario.estimate_all(&estimates.release).await?;
    let provenance = explained(provenance, &public_url);
    Ok(Reply::new(json).with_warnings(warnings).with_provenance(provenance))
}

impl Estimates {
    pub(crate) fn new(app: &App, release: Arc<Release>, own_measurement: Option<OwnMeasurement>) -> Self {
        let [campaigns, events] =
            [Family::Campaign, Family::Event].map(|family| Assets::new(app.dynamo.clone(), family));
        Self { campaigns, events, release, own_measurement }
    }

    /// Returns the campaign or event to estimate: the one in the body or the stored one that the body names.
    async fn requested<S: Scenario>(&self, caller: &Caller, body: JsonBody) -> Result<S, ApiError> {
        if body.raw().get("asset_id").is_none() {
            return Ok(read_body(body, &self.release.geographies)?);
        }
        let StoredBody { asset_id: Parsed(id) } = body.read()?;
        let asset = self.assets(S::FAMILY).read(caller.org(), id).await?;
        from_stored(&asset.ok_or_else(|| not_found(S::FAMILY))?.body)
    }

    pub(crate) fn assets(&self, family: Family) -> &Assets {
        match family {
            Family::Campaign => &self.campaigns,
            Family::Event => &self.events,
        }
    }
}

/// Adds the URL of the page that explains estimates to a provenance.
pub(crate) fn explained(provenance: Provenance, public_url: &PublicUrl) -> Provenance {
    Provenance { source_doc: public_url.of(ESTIMATES_PAGE), ..provenance }
}

pub(crate) fn not_found(family: Family) -> ApiError {
    ApiError::new(Code::NotFound, format!("your organization has no {family} with this id"))
}

/// Serializes an estimate or returns an error if it's too long for one response. The gateway checks the size
/// only after charging for the call, but calls that return an error must be free.
pub(crate) fn written(
    estimate: &impl Serialize,
    areas: usize,
    unknown_ids: &[String],
) -> Result<Box<RawValue>, ApiError> {
    let json = to_raw_value(estimate).map_err(|_| ApiError::internal())?;
    let bytes = json.get().len();
    if bytes <= MAX_ESTIMATE_BYTES {
        return Ok(json);
    }
    let noun = if areas == 1 { "area" } else { "areas" };
    let correct = if unknown_ids.is_empty() { "" } else { ", and correct the unknown display or place IDs" };
    let rule = format!(
        "must result in an estimate of at most {MAX_ESTIMATE_BYTES} bytes, but the estimate for {areas} \
         {noun} is {bytes} bytes long; use fewer, larger areas{correct}"
    );
    Err(Violations::one("/cohort/geography_ids", rule).into())
}
