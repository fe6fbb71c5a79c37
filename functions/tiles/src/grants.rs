//! `/v2/{product}/tiles/grants`: organizations create, list, read, and revoke tile grants.

use accounting::Timestamp;
use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use deserr::Deserr;
use gateway::{
    ApiError, Bounded, Caller, CallingPerson, Code, Identifier, InvalidValue, Items, JsonBody, NoContent,
    Pagination, PathId, PublicUrl, QueryParameters, Reply, Violations,
};
use serde::Serialize;
use store::{
    CreateFailure, MAX_LIVE_TILE_GRANTS, Permission, TileGrant, TileGrantId, TileGrantPage, TileProduct,
    TileSecret,
};

use crate::Tileset;
use crate::cursor::{self, GrantList};
use crate::page_origin::PageOrigin;
use crate::release::layer;

/// The maximum number of origins that a grant allows.
const MAX_ORIGINS: usize = 20;

/// The maximum length of a label, in characters.
const MAX_LABEL: usize = 200;

/// The maximum and default lifetimes of a grant, in days.
const MAX_DAYS: usize = 365;
const DEFAULT_DAYS: usize = 30;

/// The request body. See `TileGrantRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct GrantBody {
    allowed_origins: Items<PageOrigin, 1, MAX_ORIGINS>,
    include_visits: Option<bool>,
    label: Option<Label>,
    expires_in_days: Option<Bounded<1, MAX_DAYS>>,
}

#[derive(Deserr)]
#[deserr(error = Violations, try_from(Identifier) = Label::new -> InvalidValue)]
struct Label(String);

/// A grant, as returned to its organization. See `TileGrant` in openapi.yaml.
#[derive(Serialize)]
pub(crate) struct ShownGrant {
    grant_id: String,
    layers: [&'static str; 1],
    tilejson_url: String,
    #[serde(flatten)]
    grant: TileGrant,
}

type ProductPath = PathId<TileProduct>;
pub(crate) type GrantPath = Result<Path<(String, String)>, PathRejection>;

pub(crate) async fn create(
    State(tileset): State<Tileset>,
    caller: Caller,
    person: Option<CallingPerson>,
    path: ProductPath,
    Extension(public_url): Extension<PublicUrl>,
    body: JsonBody,
) -> Result<Reply<ShownGrant>, ApiError> {
    let body: GrantBody = body.read()?;
    let product = product(path)?;
    let id = TileGrantId::from_random(tileset.random.bytes());
    let grant = body.into_grant(&caller, product, tileset.clock.now());
    if grant.include_visits {
        check_visits(product, person.as_ref())?;
    }
    let secret = TileSecret::from_random(tileset.random.bytes());
    let by = person.as_ref().map(|caller| &caller.person().subject);
    let created = tileset.grants.create(&id, &grant, &secret, by).await;
    created.map_err(|failure| creation_failed(failure, grant.include_visits))?;
    let location = public_url.of(&format!("/v2/{product}/tiles/grants/{}", id.reveal()));
    Ok(Reply::new(ShownGrant::new(&id, grant, &public_url)).with_location(location).with_secret())
}

pub(crate) async fn list(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: ProductPath,
    Extension(public_url): Extension<PublicUrl>,
    parameters: QueryParameters,
) -> Result<Reply<Vec<ShownGrant>>, ApiError> {
    let product = product(path)?;
    let list = GrantList { org: caller.org(), product };
    let mut violations = Violations::default();
    parameters.allow(&["cursor", "limit"], &mut violations);
    let limit = parameters.limit(&mut violations);
    let after =
        parameters.cursor("organization and product", |text| cursor::read(list, text), &mut violations);
    violations.or(())?;
    let found = tileset.grants.list(caller.org(), product, after.as_ref(), limit).await?;
    let TileGrantPage { grants, has_more, total } = found;
    let last = grants.last().filter(|_| has_more);
    let cursor = last.map(|last| cursor::write(list, &last.position()));
    let grants =
        grants.into_iter().map(|listed| ShownGrant::new(&listed.id, listed.grant, &public_url)).collect();
    Ok(Reply::page(grants, Pagination { cursor, has_more, total, total_matched: None }).with_secret())
}

pub(crate) async fn read(
    State(tileset): State<Tileset>,
    caller: Caller,
    path: GrantPath,
    Extension(public_url): Extension<PublicUrl>,
) -> Result<Reply<ShownGrant>, ApiError> {
    let (product, id) = product_and_id(path).ok_or_else(not_found)?;
    let grant = find(&tileset, &caller, product, &id).await?;
    Ok(Reply::new(ShownGrant::new(&id, grant, &public_url)).with_secret())
}

pub(crate) async fn revoke(
    State(tileset): State<Tileset>,
    caller: Caller,
    person: Option<CallingPerson>,
    path: GrantPath,
) -> Result<NoContent, ApiError> {
    let (product, id) = product_and_id(path).ok_or_else(not_found)?;
    if person.is_some_and(|person| !person.may(Permission::ManageTileGrants)) {
        let grant = find(&tileset, &caller, product, &id).await?;
        if grant.responsible.as_ref() != caller.responsible() {
            return Err(not_yours());
        }
    }
    let (org, by) = (caller.org(), Some(caller.actor()));
    let is_known = tileset.grants.revoke(org, product, &id.digest(), by, tileset.clock.now()).await?;
    if is_known { Ok(NoContent) } else { Err(not_found()) }
}

/// Parses the product and the grant ID in a path. Returns `None` if either is malformed, which callers treat
/// as an unknown grant.
pub(crate) fn product_and_id(path: GrantPath) -> Option<(TileProduct, TileGrantId)> {
    let Path((product, id)) = path.ok()?;
    Some((product.parse().ok()?, id.parse().ok()?))
}

impl ShownGrant {
    fn new(id: &TileGrantId, grant: TileGrant, public_url: &PublicUrl) -> Self {
        let (id, product) = (id.reveal(), grant.product);
        Self {
            grant_id: id.to_owned(),
            layers: [layer(product).name()],
            tilejson_url: public_url.of(&format!("/v2/{product}/tiles/grants/{id}/tilejson")),
            grant,
        }
    }
}

impl GrantBody {
    fn into_grant(self, caller: &Caller, product: TileProduct, now: Timestamp) -> TileGrant {
        let Self { allowed_origins: named, include_visits, label, expires_in_days } = self;
        // Different spellings can have the same canonical origin.
        let mut allowed_origins = Vec::new();
        for origin in named {
            let origin = origin.into_string();
            if !allowed_origins.contains(&origin) {
                allowed_origins.push(origin);
            }
        }
        let days = expires_in_days.map_or(DEFAULT_DAYS, Bounded::get);
        TileGrant {
            org: caller.org().clone(),
            product,
            allowed_origins,
            include_visits: include_visits.unwrap_or(false),
            label: label.map(|Label(text)| text),
            created_at: now,
            created_by: Some(caller.actor().clone()),
            responsible: caller.responsible().cloned(),
            expires_at: now.plus_days(days as i64),
            revoked_at: None,
            revoked_by: None,
        }
    }
}

impl Label {
    fn new(text: Identifier) -> Result<Self, InvalidValue> {
        let text = text.into_string();
        match text.chars().count() {
            ..=MAX_LABEL => Ok(Self(text)),
            length => {
                Err(InvalidValue(format!("must have at most {MAX_LABEL} characters, but has {length}")))
            }
        }
    }
}

/// Returns a grant of the caller's organization, or an error if the organization has no such grant for the
/// product.
async fn find(
    tileset: &Tileset,
    caller: &Caller,
    product: TileProduct,
    id: &TileGrantId,
) -> Result<TileGrant, ApiError> {
    let found = tileset.grants.find(&id.digest()).await?.map(|found| found.grant);
    found.filter(|grant| grant.org == *caller.org() && grant.product == product).ok_or_else(not_found)
}

/// Checks whether the caller can create a grant whose tiles include visits. The tiles show visits to everyone
/// who has their URL, and searches for visits cost credits, so only owners can publish them. A grant created
/// with an API key can't include visits, so a leaked API key can't be used to publish paid figures.
fn check_visits(product: TileProduct, person: Option<&CallingPerson>) -> Result<(), ApiError> {
    if product != TileProduct::Places {
        let rule = "must be false or absent for displays; only place tiles include visits";
        return Err(Violations::one("/include_visits", rule).into());
    }
    let may_include = person.is_some_and(|person| person.may(Permission::ManageTileGrants));
    if may_include { Ok(()) } else { Err(visits_need_an_owner()) }
}

fn product(path: ProductPath) -> Result<TileProduct, ApiError> {
    path.or_else(unknown_product)
}

/// Returns the error for a path with an unknown product.
pub(crate) fn unknown_product() -> ApiError {
    ApiError::new(Code::NotFound, "unknown tile product; the products are displays and places")
}

fn creation_failed(failure: CreateFailure, includes_visits: bool) -> ApiError {
    match failure {
        CreateFailure::TooMany => ApiError::new(
            Code::LimitReached,
            format!(
                "your organization has {MAX_LIVE_TILE_GRANTS} active tile grants, which is the limit; revoke \
                 one that no page uses, or wait until one expires"
            ),
        ),
        CreateFailure::Forbidden if includes_visits => visits_need_an_owner(),
        CreateFailure::Forbidden => ApiError::no_organization(),
        CreateFailure::Store(error) => error.into(),
    }
}

fn visits_need_an_owner() -> ApiError {
    let message = "only an owner of your organization can create a tile grant that includes visits, and only \
                   with a bearer token, not an API key; leave out `include_visits`, or ask an owner to \
                   create the grant";
    ApiError::new(Code::Forbidden, message)
}

/// Returns the error for a member who tries to revoke another member's grant.
fn not_yours() -> ApiError {
    let message = "members can revoke only tile grants that they created themselves or with their own API \
                   keys; ask an owner of your organization to revoke this one";
    ApiError::new(Code::Forbidden, message)
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "your organization has no grant for this product with this id")
}
