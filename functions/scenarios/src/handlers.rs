//! The six operations of a library. Each handler is its use case, from the request to the answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use dataset::Geographies;
use deserr::Deserr;
use http::HeaderMap;
use serde::Serialize;
use serde_json::value::RawValue;
use shared::App;
use shared::dynamo::{self, Assets, Content, Page, PageRequest, StoreError, WriteFailure};
use shared::http::{ApiError, Caller, Code, JsonBody, NoContent, Pagination, Reply};
use shared::input::{QueryParameters, Violations};
use shared::types::{AssetId, AssetState, OrgId};
use strum::IntoEnumIterator;

use crate::asset::answered;
use crate::cursor::{self, CursorScope};
use crate::fields::Fields;
use crate::geographies::unknown_geographies;
use crate::precondition::Precondition;
use crate::query::ListQuery;
use crate::scenario::Scenario;

/// The bytes of escaped JSON after which a page ends: with `meta` it then fits into Lambda's 6 MB.
const MAX_PAGE_BYTES: usize = 5_000_000;

/// One family's library, the state of its handlers.
#[derive(Debug)]
pub struct Library<S> {
    assets: Assets,
    /// Those that a market may be made of.
    geographies: Geographies,
    scenario: PhantomData<S>,
}

/// How many assets there are in each state: `AssetSummary` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    by_state: BTreeMap<&'static str, i64>,
    total: i64,
}

/// An asset as it is answered.
type Answer = Box<RawValue>;

type AssetPath = Result<Path<String>, PathRejection>;

impl<S: Scenario> Library<S> {
    /// Opens the library of an app's database.
    pub(crate) fn new(app: &App, geographies: Geographies) -> Self {
        Self { assets: Assets::new(app.dynamo.clone(), S::FAMILY), geographies, scenario: PhantomData }
    }

    /// Reads a page of a list with the members that are wanted of each asset; bodies only for one of theirs.
    async fn page(
        &self,
        org: &OrgId,
        request: &PageRequest,
        fields: &Fields,
    ) -> Result<Page<Answer>, ApiError> {
        if !fields.need_body() {
            let Page { assets: heads, next } = self.assets.list_heads(org, request).await?;
            let asset = |head: &dynamo::Head| fields.of(answered(org, head, None)?);
            return Ok(Page { assets: heads.iter().map(asset).collect::<Result<_, _>>()?, next });
        }
        let Page { assets, next } = self.assets.list(org, request, MAX_PAGE_BYTES).await?;
        let asset = |asset: dynamo::Asset| fields.of(answered(org, &asset.head, Some(&asset.body))?);
        Ok(Page { assets: assets.into_iter().map(asset).collect::<Result<_, _>>()?, next })
    }
}

impl<S> Clone for Library<S> {
    fn clone(&self) -> Self {
        Self { assets: self.assets.clone(), geographies: self.geographies.clone(), scenario: PhantomData }
    }
}

pub(crate) async fn create<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    body: JsonBody,
) -> Result<Reply<Answer>, ApiError> {
    let scenario: S = read_body(body, &library.geographies)?;
    let created = library.assets.create(caller.org(), to_content(&scenario)?).await;
    let created = created.map_err(|failure| write_error(failure, |never: Infallible| match never {}))?;
    answer(&caller, created)
}

pub(crate) async fn list<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    parameters: QueryParameters,
) -> Result<Reply<Vec<Answer>>, ApiError> {
    let org = caller.org();
    let ListQuery { page: request, fields } = ListQuery::read::<S>(&parameters, org)?;
    let counts = async { Ok(library.assets.counts(org).await?) };
    let (page, counts) = tokio::try_join!(library.page(org, &request, &fields), counts)?;
    let scope = CursorScope { org, family: S::FAMILY, filter: &request.filter };
    let pagination = Pagination {
        cursor: page.next.map(|last| cursor::write(scope, last)),
        has_more: page.next.is_some(),
        total: request.filter.state.map_or(counts.total(), |state| counts.of(state)),
    };
    Ok(Reply::page(page.assets, pagination))
}

pub(crate) async fn summarize<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
) -> Result<Reply<Summary>, ApiError> {
    let counts = library.assets.counts(caller.org()).await?;
    let by_state = AssetState::iter().map(|state| (state.as_str(), counts.of(state))).collect();
    Ok(Reply::new(Summary { by_state, total: counts.total() }))
}

pub(crate) async fn read<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    path: AssetPath,
) -> Result<Reply<Answer>, ApiError> {
    let asset = library.assets.read(caller.org(), asset_id(path)?).await?.ok_or_else(not_found)?;
    answer(&caller, asset)
}

pub(crate) async fn edit<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Reply<Answer>, ApiError> {
    let precondition = Precondition::read(&headers)?;
    let mut patch: S::Patch = read_body(body, &library.geographies)?;
    let edited = library.assets.edit(caller.org(), asset_id(path)?, |asset, attempt| {
        precondition.check(&asset.head, attempt, Code::AssetNotEditable)?;
        let mut scenario: S = from_stored(&asset.body)?;
        scenario.apply(&mut patch);
        let edited = to_content(&scenario);
        // Should the asset have changed meanwhile, the next attempt needs the patch as it came.
        scenario.apply(&mut patch);
        edited
    });
    let edited = edited.await.map_err(|failure| write_error(failure, |refused| refused))?;
    answer(&caller, edited)
}

pub(crate) async fn delete<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
) -> Result<NoContent, ApiError> {
    let precondition = Precondition::read(&headers)?;
    let deleted = library.assets.delete(caller.org(), asset_id(path)?, |head, attempt| {
        precondition.check(head, attempt, Code::AssetNotDeletable)
    });
    deleted.await.map_err(|failure| write_error(failure, |refused| refused))?;
    Ok(NoContent)
}

/// Reads the asset of a path. An id of no valid form is as unknown as any other.
fn asset_id(path: AssetPath) -> Result<AssetId, ApiError> {
    path.ok().and_then(|Path(text)| text.parse().ok()).ok_or_else(not_found)
}

fn read_body<T: Deserr<Violations>>(body: JsonBody, known: &Geographies) -> Result<T, Violations> {
    unknown_geographies(&body, known).and(body.read())
}

/// Reads a stored body, which was valid when it was stored.
fn from_stored<S: Scenario>(json: &[u8]) -> Result<S, ApiError> {
    serde_json::from_slice(json).map_err(|_| StoreError::Corrupt("body").into())
}

fn to_content<S: Scenario>(scenario: &S) -> Result<Content, ApiError> {
    let body = serde_json::to_vec(scenario).map_err(|_| ApiError::internal())?;
    Ok(Content { body, indexed: scenario.indexed_members() })
}

fn answer(caller: &Caller, asset: dynamo::Asset) -> Result<Reply<Answer>, ApiError> {
    let dynamo::Asset { head, body } = asset;
    Ok(Reply::new(answered(caller.org(), &head, Some(&body))?).with_version(head.version))
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no asset with this id")
}

fn write_error<E>(failure: WriteFailure<E>, refused: impl FnOnce(E) -> ApiError) -> ApiError {
    match failure {
        WriteFailure::NotFound => not_found(),
        WriteFailure::Refused(error) => refused(error),
        WriteFailure::TooLarge(too_large) => ApiError::new(Code::PayloadTooLarge, too_large.to_string()),
        WriteFailure::Store(error) => error.into(),
    }
}
