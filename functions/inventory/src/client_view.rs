//! `GET /v2/client-links/campaign`: a campaign, as a client link shows it.
//!
//! The structs are the allow-list of what a client sees. They contain no data on the advertiser, the
//! organization, or people, and no IDs.

use accounting::{AccountKey, RateWindow, SessionId, Timestamp, seconds_until};
use axum::extract::State;
use axum::response::IntoResponse;
use dataset::inventory::record::Rate;
use dataset::inventory::{FieldSet, Inventory, SpotId, SpotIndex};
use gateway::{ApiError, App, ClientAddress, Code, Reply};
use http::header::{CACHE_CONTROL, REFERRER_POLICY};
use http::{HeaderMap, HeaderName};
use runtime::Clock;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{
    AccountApiCaller, AccountApiCount, Accounts, Asset, Assets, ClientLink, ClientLinkToken, ClientLinks,
    Family, StoreError, StoredReport,
};

use crate::Shown;
use crate::lookup::{Address, Display, Location, Size};

/// The header with a link's token.
const TOKEN: &str = "x-client-link";

/// Headers for all responses, including errors. They keep the campaign out of caches and search engines, and
/// the page's address out of requests to other sites.
const PRIVATE: [(HeaderName, &str); 3] = [
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
    (REFERRER_POLICY, "no-referrer"),
];

/// The maximum number of views per clock minute for one link and one network address.
const VIEWS_PER_MINUTE: u32 = 60;

/// The stores from which links, campaigns, and organizations are read.
#[derive(Clone)]
pub(crate) struct ViewedLinks {
    links: ClientLinks,
    campaigns: Assets,
    accounts: Accounts,
    clock: Clock,
}

/// A campaign as clients see it. See `ClientCampaign` in openapi.yaml.
#[derive(Serialize)]
pub(crate) struct ClientCampaign {
    name: Option<String>,
    flight: Flight,
    displays: Vec<ClientDisplay>,
    /// The number of displays that the release doesn't contain.
    unknown_displays: usize,
    report: Option<ClientReport>,
    expires_at: Timestamp,
}

#[derive(Serialize)]
struct ClientDisplay {
    name: Option<String>,
    location: Location,
    address: Address,
    size: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<Rate<'static>>,
}

/// The members of a stored campaign that clients can see.
#[derive(Deserialize)]
struct StoredCampaign {
    campaign: Option<Reference>,
    flight: Flight,
    spots: Vec<Spot>,
}

#[derive(Deserialize)]
struct Reference {
    name: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Flight {
    start_date: String,
    end_date: String,
}

#[derive(Deserialize)]
struct Spot {
    display_id: String,
}

/// The report of a measurement without its details. See `ClientReport` in openapi.yaml.
#[derive(Serialize, Deserialize)]
struct ClientReport {
    status: String,
    through_date: Option<String>,
    results: Option<Results>,
}

#[derive(Serialize, Deserialize)]
struct Results {
    totals: Totals,
}

/// An estimate's totals. See `EstimateTotals` in openapi.yaml.
#[derive(Serialize, Deserialize)]
struct Totals {
    impressions: u64,
    target_persons: Option<u64>,
    target_impressions: Option<u64>,
    reach: Option<u64>,
    reach_low: Option<u64>,
    reach_high: Option<u64>,
    frequency: Option<f64>,
    trp: Option<f64>,
}

/// Responds with the campaign of the link whose token is in the header. All unusable links get the same
/// response.
pub(crate) async fn view(
    State(shown): State<Shown>,
    address: ClientAddress,
    headers: HeaderMap,
) -> impl IntoResponse {
    (PRIVATE, open(shown, address, &headers).await)
}

async fn open(
    Shown { release, links }: Shown,
    address: ClientAddress,
    headers: &HeaderMap,
) -> Result<Reply<ClientCampaign>, ApiError> {
    let token = headers.get(TOKEN).and_then(|token| token.to_str().ok()?.parse::<ClientLinkToken>().ok());
    let link = links.find(&token.ok_or_else(not_found)?).await?;
    links.count_view(&link, address).await?;
    let (asset, report) = links.read(&link).await?;
    let stored: StoredCampaign = parsed("body", &asset.body)?;
    let report = report.map(|report| parsed::<ClientReport>("report", &report.json()?)).transpose()?;
    let mut ids: Vec<_> = stored.spots.iter().map(|spot| spot.display_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let inventory = &release.inventory;
    let spot = |id: &&str| inventory.find(SpotId::from_raw(id.parse().ok()?));
    let spots: Vec<_> = ids.iter().filter_map(spot).collect();
    let shown = ClientCampaign {
        name: stored.campaign.and_then(|campaign| campaign.name),
        flight: stored.flight,
        displays: spots.iter().map(|spot| ClientDisplay::new(inventory, *spot, link.include_rates)).collect(),
        unknown_displays: ids.len() - spots.len(),
        // The report of a failed measurement has no results.
        report: report.filter(|report| report.results.is_some()),
        expires_at: link.expires_at,
    };
    let sources = inventory.sources_of(&spots);
    Ok(Reply::new(shown).with_provenance(release.about.clone()).with_sources(sources))
}

impl ViewedLinks {
    pub(crate) fn new(app: &App) -> Self {
        Self {
            links: ClientLinks::new(app.dynamo.clone()),
            campaigns: Assets::new(app.dynamo.clone(), Family::Campaign),
            accounts: Accounts::new(app.dynamo.clone()),
            clock: app.clock.clone(),
        }
    }

    async fn find(&self, token: &ClientLinkToken) -> Result<ClientLink, ApiError> {
        self.links.find(&token.digest(), self.clock.now()).await?.ok_or_else(not_found)
    }

    /// Counts a view of an existing link. Unknown tokens aren't counted, so that they don't cause writes.
    async fn count_view(
        &self,
        link: &ClientLink,
        ClientAddress(address): ClientAddress,
    ) -> Result<(), ApiError> {
        let (address, now) = (SessionId::of_address(address), self.clock.now());
        let viewer = AccountApiCaller::Viewer { link: link.digest.clone(), address };
        let known = RateWindow::default();
        match self.accounts.count_account_api_call(&viewer, VIEWS_PER_MINUTE, known, now).await? {
            AccountApiCount::Admitted(_) => Ok(()),
            AccountApiCount::Refused(window) => {
                let retry_after = seconds_until(window.minute + 1, now);
                let message = format!(
                    "a link allows {VIEWS_PER_MINUTE} views per minute from each network address; try again \
                     in {retry_after} s"
                );
                Err(ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::RateLimited, message) })
            }
        }
    }

    /// Reads a link's campaign and its report. Returns an error if the campaign was deleted or its
    /// organization is suspended.
    async fn read(&self, link: &ClientLink) -> Result<(Asset, Option<StoredReport>), ApiError> {
        let account_key = AccountKey::Org(link.org.clone());
        let (account, asset, report) = tokio::try_join!(
            self.accounts.read(&account_key),
            self.campaigns.read(&link.org, link.asset_id),
            self.campaigns.read_report(&link.org, link.asset_id),
        )?;
        let is_open = account.is_some_and(|account| account.suspended_at.is_none());
        Ok((asset.filter(|_| is_open).ok_or_else(not_found)?, report))
    }
}

impl ClientDisplay {
    fn new(inventory: &Inventory, spot: SpotIndex, include_rates: bool) -> Self {
        const RATE: FieldSet = FieldSet::at("rate").expect("a member");
        let Display { name, location, address, size, .. } = Display::new(inventory, spot);
        let rate = include_rates.then(|| inventory.record(spot, RATE).rate).flatten();
        Self { name, location, address, size, rate }
    }
}

/// Returns the error for a link that is unknown, has expired, or was revoked, and for a link whose campaign
/// was deleted or whose organization is suspended.
fn not_found() -> ApiError {
    let message = "this link is invalid or no longer works; ask the sender for a new one";
    ApiError::new(Code::NotFound, message)
}

fn parsed<T: DeserializeOwned>(part: &'static str, json: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(json).map_err(|_| StoreError::Corrupt(part))
}
