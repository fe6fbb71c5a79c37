use std::collections::BTreeMap;
use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use dataset::Geographies;
use http::HeaderMap;
use serde::Serialize;
use shared::App;
use shared::dynamo::{Assets, PageRequest, WriteFailure};
use shared::http::{ApiError, Caller, Code, JsonBody, NoContent, Pagination, QueryPairs, Reply};
use shared::input::wire::{At, Violations};
use shared::types::{AssetId, AssetState};
use strum::IntoEnumIterator;

use crate::asset::{Asset, body_to_store, stored_body};
use crate::cursor::{self, CursorScope};
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

/// How many assets there are in each state (Specification, CampaignAssetSummary).
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    by_state: BTreeMap<&'static str, i64>,
    total: i64,
}

type AssetPath = Result<Path<String>, PathRejection>;

impl<S: Scenario> Library<S> {
    /// Opens the library of an app's database.
    pub(crate) fn new(app: &App, geographies: Geographies) -> Self {
        Self { assets: Assets::new(app.dynamo.clone(), S::FAMILY), geographies, scenario: PhantomData }
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
) -> Result<Reply<Asset<S>>, ApiError> {
    let mut violations = Violations::default();
    let scenario = At::root(&body.0)
        .object(&mut violations, |members, violations| S::read(members, &library.geographies, violations));
    let scenario = violations.or_value(scenario)?;
    let stored = library.assets.create(caller.org(), body_to_store(&scenario)?).await;
    let stored = stored.map_err(|failure| write_error(failure, |never: Infallible| match never {}))?;
    Ok(Reply::new(Asset::stored(caller.org(), &stored)?).with_version(stored.head.version))
}

pub(crate) async fn list<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    QueryPairs(parameters): QueryPairs,
) -> Result<Reply<Vec<Asset<S>>>, ApiError> {
    let org = caller.org();
    let ListQuery { state, after, limit } = ListQuery::read(&parameters, org, S::FAMILY)?;
    let request = PageRequest { state, after, limit, max_escaped_bytes: MAX_PAGE_BYTES };
    let (page, counts) = tokio::try_join!(library.assets.list(org, &request), library.assets.counts(org))?;
    let scope = CursorScope { org, family: S::FAMILY, state };
    let pagination = Pagination {
        cursor: page.next.map(|last| cursor::write(scope, last)),
        has_more: page.next.is_some(),
        total: state.map_or(counts.total(), |state| counts.of(state)),
    };
    let assets = page.assets.iter().map(|stored| Asset::stored(org, stored)).collect::<Result<_, _>>()?;
    Ok(Reply::page(assets, pagination))
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
) -> Result<Reply<Asset<S>>, ApiError> {
    let stored = library.assets.read(caller.org(), asset_id(path)?).await?.ok_or_else(not_found)?;
    Ok(Reply::new(Asset::stored(caller.org(), &stored)?).with_version(stored.head.version))
}

pub(crate) async fn edit<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Reply<Asset<S>>, ApiError> {
    let precondition = Precondition::read(&headers)?;
    let mut violations = Violations::default();
    let patch = At::root(&body.0)
        .object(&mut violations, |members, violations| S::read_patch(members, &library.geographies, violations));
    let patch = violations.or_value(patch)?;
    let edited = library.assets.edit(caller.org(), asset_id(path)?, |asset, look| {
        precondition.check(&asset.head, look, Code::AssetNotEditable)?;
        body_to_store(&stored_body::<S>(&asset.body)?.patched(&patch))
    });
    let stored = edited.await.map_err(|failure| write_error(failure, |refused| refused))?;
    Ok(Reply::new(Asset::stored(caller.org(), &stored)?).with_version(stored.head.version))
}

pub(crate) async fn delete<S: Scenario>(
    State(library): State<Library<S>>,
    caller: Caller,
    path: AssetPath,
    headers: HeaderMap,
) -> Result<NoContent, ApiError> {
    let precondition = Precondition::read(&headers)?;
    let deleted = library
        .assets
        .delete(caller.org(), asset_id(path)?, |head, look| precondition.check(head, look, Code::AssetNotDeletable));
    deleted.await.map_err(|failure| write_error(failure, |refused| refused))?;
    Ok(NoContent)
}

/// Reads the asset of a path. An id of no valid form is as unknown as any other.
fn asset_id(path: AssetPath) -> Result<AssetId, ApiError> {
    path.ok().and_then(|Path(text)| text.parse().ok()).ok_or_else(not_found)
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
