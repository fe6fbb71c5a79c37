//! The handlers that create, read, change, delete, list, and count a library's assets.

use std::collections::BTreeMap;

use accounting::OrgId;
use axum::Extension;
use axum::extract::State;
use gateway::{
    ApiError, App, Caller, Code, CreateKey, Created, JsonBody, NoContent, Pagination, PathId, PublicUrl,
    QueryParameters, Reply, Violations, write_cursor,
};
use http::HeaderMap;
use runtime::{Clock, Random};
use scenario_bodies::{from_stored, unknown_ids};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{AssetId, AssetState, Assets, ClientLinks, Family, KeyUse, Page, PageRequest, WriteFailure};
use strum::IntoEnumIterator;

use crate::asset::answered;
use crate::changes::{Changed, write_error};
use crate::cursor::list_name;
use crate::fields::Fields;
use crate::library::Listed;
use crate::precondition::Precondition;
use crate::query::ListQuery;
use crate::release::Release;

/// The maximum size of a page, in bytes of escaped JSON. A page of this size plus `meta` stays within
/// Lambda's 6 MB limit.
const MAX_PAGE_BYTES: usize = 5_000_000;

/// The state of the handlers: one family's assets and the release data that requests are checked against.
#[derive(Clone, Debug)]
pub struct Library {
    pub(crate) assets: Assets,
    pub(crate) release: Release,
    pub(crate) family: Family,
    pub(crate) links: ClientLinks,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
}

/// The number of assets in each state and in total. See `AssetSummary` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    by_state: BTreeMap<&'static str, i64>,
    total: i64,
}

/// An asset as serialized JSON.
type Answer = Box<RawValue>;

/// The asset ID in the path. A malformed ID results in a 404, like an unknown one.
pub(crate) type AssetPath = PathId<AssetId>;

impl Library {
    /// Creates the handlers' state for one family.
    pub(crate) fn new(app: &App, family: Family, release: Release) -> Self {
        Self {
            assets: Assets::new(app.dynamo.clone(), family),
            release,
            family,
            links: ClientLinks::new(app.dynamo.clone()),
            clock: app.clock.clone(),
            random: app.random.clone(),
        }
    }

    /// Returns an asset that an earlier request created, in its current state, with warnings for its unknown
    /// IDs.
    async fn answer_created<S: Listed>(
        &self,
        caller: &Caller,
        public_url: &PublicUrl,
        id: AssetId,
    ) -> Result<Reply<Answer>, ApiError> {
        let asset = self.assets.read(caller.org(), id).await?.ok_or_else(not_found)?;
        let scenario: S = from_stored(&asset.body)?;
        let warnings = unknown_ids(scenario.referenced_ids(), &self.release.known_ids);
        Ok(answer(caller, asset)?.with_warnings(warnings).with_location(location::<S>(public_url, id)))
    }

    /// Reads a page of assets. Fetches their bodies only if a selected member belongs to the body.
    async fn page(
        &self,
        org: &OrgId,
        request: &PageRequest,
        fields: &Fields,
    ) -> Result<Page<Answer>, ApiError> {
        if !fields.need_body() {
            let Page { assets: heads, next, matched } = self.assets.list_heads(org, request).await?;
            let asset = |head: &store::Head| fields.of(answered(org, head, None)?);
            return Ok(Page { assets: heads.iter().map(asset).collect::<Result<_, _>>()?, next, matched });
        }
        let Page { assets, next, matched } = self.assets.list(org, request, MAX_PAGE_BYTES).await?;
        let asset = |asset: store::Asset| fields.of(answered(org, &asset.head, Some(&asset.body))?);
        Ok(Page { assets: assets.into_iter().map(asset).collect::<Result<_, _>>()?, next, matched })
    }
}

pub(crate) async fn create<S: Listed>(
    State(library): State<Library>,
    caller: Caller,
    key: CreateKey,
    Extension(public_url): Extension<PublicUrl>,
    body: JsonBody,
) -> Result<Created<Answer>, ApiError> {
    let unused = match key {
        CreateKey::Missing => None,
        CreateKey::Unused(key) => Some(key),
        CreateKey::Repeats(id) => {
            return Ok(Created::Earlier(library.answer_created::<S>(&caller, &public_url, id).await));
        }
    };
    match library.create::<S>(caller.org(), body, unused.as_ref()).await {
        Ok(Changed { asset, warnings }) => {
            let location = location::<S>(&public_url, asset.head.id);
            Ok(Created::New(answer(&caller, asset)?.with_warnings(warnings).with_location(location)))
        }
        Err(WriteFailure::KeyUsed(KeyUse::SameBody(id))) => {
            Ok(Created::Earlier(library.answer_created::<S>(&caller, &public_url, id).await))
        }
        Err(failure) => Err(write_error(failure)),
    }
}

pub(crate) async fn list<S: Listed>(
    State(library): State<Library>,
    caller: Caller,
    parameters: QueryParameters,
) -> Result<Reply<Vec<Answer>>, ApiError> {
    let org = caller.org();
    let ListQuery { page: request, fields } = ListQuery::read::<S>(&parameters, org)?;
    let counts = async { Ok(library.assets.counts(org).await?) };
    let (page, counts) = tokio::try_join!(library.page(org, &request, &fields), counts)?;
    let list = list_name(org, S::FAMILY, &request.filter);
    let total = counts.of_states(&request.filter.states);
    let pagination = Pagination {
        cursor: page.next.map(|last| write_cursor(&list, last.as_bytes())),
        has_more: page.next.is_some(),
        total,
        total_matched: if request.filter.is_by_state_only() {
            Some(total)
        } else {
            page.matched.and_then(|matched| i64::try_from(matched).ok())
        },
    };
    let reply = Reply::page(page.assets, pagination).with_columns(fields.names::<S>());
    Ok(reply.or_too_large(too_large(request.limit)))
}

pub(crate) async fn summarize(
    State(library): State<Library>,
    caller: Caller,
) -> Result<Reply<Summary>, ApiError> {
    let counts = library.assets.counts(caller.org()).await?;
    let by_state = AssetState::iter().map(|state| (state.as_str(), counts.of(state))).collect();
    Ok(Reply::new(Summary { by_state, total: counts.total() }))
}

pub(crate) async fn read(
    State(library): State<Library>,
    caller: Caller,
    path: AssetPath,
) -> Result<Reply<Answer>, ApiError> {
    let asset = library.assets.read(caller.org(), path.or_else(not_found)?).await?.ok_or_else(not_found)?;
    answer(&caller, asset)
}

pub(crate) async fn edit<S: Listed>(
    State(library): State<Library>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Reply<Answer>, ApiError> {
    let precondition = Precondition::read(&headers)?;
    let edited = library.edit::<S>(caller.org(), path.or_else(not_found), &precondition, body, None).await;
    let Changed { asset, warnings } = edited.map_err(write_error)?;
    Ok(answer(&caller, asset)?.with_warnings(warnings))
}

pub(crate) async fn put<S: Listed>(
    State(library): State<Library>,
    caller: Caller,
    id: PathId<String>,
    headers: HeaderMap,
    Extension(public_url): Extension<PublicUrl>,
    body: JsonBody,
) -> Result<Reply<Answer>, ApiError> {
    let (precondition, id) = (Precondition::read(&headers)?, id.or_else(unreadable)?);
    let put = library.put::<S>(caller.org(), Some(&id), &precondition, body, None).await;
    let (Changed { asset, warnings }, is_new) = put.map_err(write_error)?;
    let location = is_new.then(|| location::<S>(&public_url, asset.head.id));
    let reply = answer(&caller, asset)?.with_warnings(warnings);
    Ok(location.into_iter().fold(reply, Reply::with_location))
}

pub(crate) async fn delete(
    State(library): State<Library>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
) -> Result<NoContent, ApiError> {
    let (precondition, id) = (Precondition::read(&headers)?, path.or_else(not_found)?);
    library.delete(caller.org(), id, &precondition, None).await.map_err(write_error)?;
    Ok(NoContent)
}

/// Returns an asset's URL.
fn location<S: Listed>(public_url: &PublicUrl, id: AssetId) -> String {
    public_url.of(&format!("{}/{id}", S::PATHS.library))
}

fn answer(caller: &Caller, asset: store::Asset) -> Result<Reply<Answer>, ApiError> {
    let store::Asset { head, body } = asset;
    Ok(Reply::new(answered(caller.org(), &head, Some(&body))?).with_version(head.version))
}

/// Returns the error for a page whose CSV file exceeds the response size limit. Pages are limited by the size
/// of their JSON, but the file can be larger.
fn too_large(limit: usize) -> Violations {
    let detail = format!(
        "is too large: a file with {limit} of these assets exceeds the response size limit; use a \
         smaller `limit`, select members with `fields`, or send `Accept-Encoding: gzip`"
    );
    Violations::one("?limit", detail)
}

/// Returns the error for an ID in the path that isn't UTF-8 after percent-decoding.
fn unreadable() -> ApiError {
    let detail = "must be the customer_scenario_id in the path, which must be percent-encoded UTF-8";
    Violations::one("/customer/customer_scenario_id", detail).into()
}

pub(crate) fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no asset with this id")
}
