use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde::Serialize;
use shared::dynamo::{TileGrant, TileGrantPage, TileSecret};
use shared::http::{ApiError, Caller, Code, JsonBody, NoContent, Pagination, QueryPairs, Reply};
use shared::input::Parameters;
use shared::input::wire::{At, Members, Violations};
use shared::types::{InvalidId, TileGrantDigest, TileGrantId, TileProduct, Timestamp};

use crate::address::PublicUrl;
use crate::cursor::{self, GrantList};
use crate::{PageOrigin, Tileset};

/// How many origins a grant may name.
const MAX_ORIGINS: usize = 20;

/// How many characters a label may have.
const MAX_LABEL: usize = 200;

/// How many days a grant may live, and how many it does when nothing is said.
const MAX_DAYS: i64 = 365;
const DEFAULT_DAYS: i64 = 30;

/// The page sizes of the list.
const LIMITS: std::ops::RangeInclusive<usize> = 1..=100;
const DEFAULT_LIMIT: usize = 25;

/// A grant as its organization sees it.
#[derive(Serialize)]
pub(crate) struct Grant {
    grant_id: String,
    product: TileProduct,
    layers: [&'static str; 1],
    allowed_origins: Vec<String>,
    label: Option<String>,
    tilejson_url: String,
    created_at: Timestamp,
    expires_at: Timestamp,
    revoked_at: Option<Timestamp>,
}

/// What a grant is minted with.
struct Terms {
    allowed_origins: Vec<PageOrigin>,
    label: Option<String>,
    days: i64,
}

type ProductPath = Result<Path<String>, PathRejection>;
pub(crate) type GrantPath = Result<Path<(String, String)>, PathRejection>;

pub(crate) async fn mint(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: ProductPath,
    public_url: PublicUrl,
    body: JsonBody,
) -> Result<Reply<Grant>, ApiError> {
    let mut violations = Violations::default();
    let terms = At::root(&body.0).object(&mut violations, read_terms);
    let Terms { allowed_origins, label, days } = violations.or_value(terms)?;
    let product = product(path)?;
    let (id, now) = (TileGrantId::from_random(tileset.random.bytes()), tileset.clock.now());
    let expires_at = now.plus_days(days);
    let org = caller.org().clone();
    let allowed_origins = allowed_origins.iter().map(PageOrigin::to_string).collect();
    let grant = TileGrant { org, product, allowed_origins, label, created_at: now, expires_at, revoked_at: None };
    tileset.grants.mint(&id, &grant, &TileSecret::from_random(tileset.random.bytes())).await?;
    Ok(Reply::new(Grant::new(&id, grant, &public_url)))
}

pub(crate) async fn list(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: ProductPath,
    public_url: PublicUrl,
    QueryPairs(parameters): QueryPairs,
) -> Result<Reply<Vec<Grant>>, ApiError> {
    let product = product(path)?;
    let list = GrantList { org: caller.org(), product };
    let mut violations = Violations::default();
    let parameters = Parameters::read(&parameters, &["cursor", "limit"], &mut violations);
    let limit = parameters.limit(LIMITS, DEFAULT_LIMIT, &mut violations);
    let after = parameters.find("cursor").and_then(|text| {
        let after = cursor::read(list, text);
        if after.is_none() {
            violations.add("?cursor", "must be the cursor of a page of this same list: same organization and product");
        }
        after
    });
    violations.or_value(Some(()))?;
    let found = tileset.grants.list(caller.org(), product, after.as_ref(), limit).await?;
    let TileGrantPage { grants, has_more, total } = found;
    let last = grants.last().filter(|_| has_more);
    let cursor = last.map(|last| cursor::write(list, &last.position()));
    let grants = grants.into_iter().map(|listed| Grant::new(&listed.id, listed.grant, &public_url)).collect();
    Ok(Reply::page(grants, Pagination { cursor, has_more, total }))
}

pub(crate) async fn read(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: GrantPath,
    public_url: PublicUrl,
) -> Result<Reply<Grant>, ApiError> {
    let (product, id) = product_and_id(path).ok_or_else(not_found)?;
    let found = tileset.grants.find(&id.digest()).await?.map(|found| found.grant);
    let grant = found.filter(|grant| grant.org == *caller.org() && grant.product == product);
    Ok(Reply::new(Grant::new(&id, grant.ok_or_else(not_found)?, &public_url)))
}

pub(crate) async fn revoke(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: GrantPath,
) -> Result<NoContent, ApiError> {
    let (product, id) = product_and_id(path).ok_or_else(not_found)?;
    let digest: TileGrantDigest = id.digest();
    let is_known = tileset.grants.revoke(caller.org(), product, &digest, tileset.clock.now()).await?;
    if is_known { Ok(NoContent) } else { Err(not_found()) }
}

/// Reads the product and the grant of a path; `None` when one of them has not the form, and so cannot exist.
pub(crate) fn product_and_id(path: GrantPath) -> Option<(TileProduct, TileGrantId)> {
    let Path((product, id)) = path.ok()?;
    Some((product.parse().ok()?, id.parse().ok()?))
}

impl Grant {
    fn new(id: &TileGrantId, grant: TileGrant, public_url: &PublicUrl) -> Self {
        let TileGrant { org: _, product, allowed_origins, label, created_at, expires_at, revoked_at } = grant;
        let id = id.reveal();
        Self {
            grant_id: id.to_owned(),
            product,
            layers: [product.layer()],
            allowed_origins,
            label,
            tilejson_url: public_url.of(&format!("/v2/{product}/tiles/grants/{id}/tilejson")),
            created_at,
            expires_at,
            revoked_at,
        }
    }
}

fn read_terms(members: &mut Members<'_>, violations: &mut Violations) -> Option<Terms> {
    let origins = members
        .required("allowed_origins", violations, |at, violations| at.items(violations, 1, MAX_ORIGINS, read_origin));
    let label = members.optional("label", violations, read_label);
    let days = members.optional("expires_in_days", violations, |at, violations| {
        let days = at.integer(violations)?;
        if !(1..=MAX_DAYS).contains(&days) {
            at.refuse(violations, format!("must be from 1 to {MAX_DAYS}, is {days}"));
            return None;
        }
        Some(days)
    });
    // Two texts may be the same origin.
    let mut allowed_origins = Vec::new();
    for origin in origins? {
        if !allowed_origins.contains(&origin) {
            allowed_origins.push(origin);
        }
    }
    Some(Terms { allowed_origins, label: label?, days: days?.unwrap_or(DEFAULT_DAYS) })
}

fn read_origin(at: At<'_>, violations: &mut Violations) -> Option<PageOrigin> {
    let read = at.text(violations)?.parse();
    read.map_err(|error: InvalidId| at.refuse(violations, error.0)).ok()
}

fn read_label(at: At<'_>, violations: &mut Violations) -> Option<String> {
    let label = at.identifier(violations)?;
    let length = label.chars().count();
    if length > MAX_LABEL {
        at.refuse(violations, format!("must have at most {MAX_LABEL} characters, has {length}"));
        return None;
    }
    Some(label.to_owned())
}

fn product(path: ProductPath) -> Result<TileProduct, ApiError> {
    path.ok().and_then(|Path(text)| text.parse().ok()).ok_or_else(unknown_product)
}

/// Says that there are no tiles of a product.
pub(crate) fn unknown_product() -> ApiError {
    ApiError::new(Code::NotFound, "there are tiles of displays and of places, and of nothing else")
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no grant of this product with this id")
}
