//! `/v2/scenarios/campaigns/{asset_id}/links`: organizations create, list, and revoke client links.

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use deserr::Deserr;
use gateway::{
    ApiError, Bounded, Caller, CallingPerson, Code, JsonBody, NoContent, PublicUrl, Reply, Violations,
};
use serde::Serialize;
use store::{AssetId, ClientLink, ClientLinkToken, CreateFailure, MAX_LIVE_CLIENT_LINKS};

use crate::handlers::{AssetPath, Library, not_found};

/// The maximum and default lifetimes of a link, in days.
const MAX_DAYS: usize = 90;
const DEFAULT_DAYS: usize = 30;

/// The request body. See `ClientLinkRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct LinkBody {
    include_rates: Option<bool>,
    expires_in_days: Option<Bounded<1, MAX_DAYS>>,
}

/// A new link, with the address that contains its token. See `NewClientLink` in openapi.yaml.
#[derive(Serialize)]
pub(crate) struct NewLink {
    url: String,
    #[serde(flatten)]
    link: ClientLink,
}

pub(crate) async fn create(
    State(library): State<Library>,
    caller: Caller,
    person: Option<CallingPerson>,
    path: AssetPath,
    Extension(public_url): Extension<PublicUrl>,
    body: JsonBody,
) -> Result<Reply<NewLink>, ApiError> {
    let LinkBody { include_rates, expires_in_days } = body.read()?;
    let asset_id = existing(&library, &caller, path).await?;
    let (token, now) = (ClientLinkToken::from_random(library.random.bytes()), library.clock.now());
    let link = ClientLink {
        org: caller.org().clone(),
        asset_id,
        digest: token.digest(),
        include_rates: include_rates.unwrap_or(false),
        created_at: now,
        created_by: Some(caller.actor().clone()),
        responsible: caller.responsible().cloned(),
        expires_at: now.plus_days(expires_in_days.map_or(DEFAULT_DAYS, Bounded::get) as i64),
    };
    let by = person.as_ref().map(|caller| &caller.person().subject);
    library.links.create(&link, by).await.map_err(creation_failed)?;
    let url = public_url.of(&format!("/portal/shared#{}", token.reveal()));
    Ok(Reply::new(NewLink { url, link }).with_secret())
}

pub(crate) async fn list(
    State(library): State<Library>,
    caller: Caller,
    path: AssetPath,
) -> Result<Reply<Vec<ClientLink>>, ApiError> {
    let asset = existing(&library, &caller, path).await?;
    Ok(Reply::new(library.links.of_asset(caller.org(), asset, library.clock.now()).await?))
}

pub(crate) async fn revoke(
    State(library): State<Library>,
    caller: Caller,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<NoContent, ApiError> {
    let ids = path.ok().and_then(|Path((asset, id))| Some((asset.parse().ok()?, id.parse().ok()?)));
    let (asset, id) = ids.ok_or_else(unknown_link)?;
    let is_revoked = library.links.revoke(caller.org(), asset, &id, library.clock.now()).await?;
    if is_revoked { Ok(NoContent) } else { Err(unknown_link()) }
}

/// Returns the campaign's ID, or an error if the caller's organization doesn't have the campaign.
async fn existing(library: &Library, caller: &Caller, path: AssetPath) -> Result<AssetId, ApiError> {
    let head = library.assets.read_head(caller.org(), path.or_else(not_found)?).await?;
    head.map(|head| head.id).ok_or_else(not_found)
}

fn unknown_link() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no active link with this id for this campaign")
}

fn creation_failed(failure: CreateFailure) -> ApiError {
    match failure {
        CreateFailure::TooMany => ApiError::new(
            Code::LimitReached,
            format!(
                "your organization has {MAX_LIVE_CLIENT_LINKS} active client links, which is the limit; \
                 revoke one that no client needs, or wait until one expires"
            ),
        ),
        CreateFailure::Forbidden => ApiError::no_organization(),
        CreateFailure::Store(error) => error.into(),
    }
}
