//! Serves vector tiles to pages from the origins that a tile grant lists.

use accounting::Timestamp;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use dataset::tiles::{TileId, Visits};
use gateway::{ApiError, Code, EntityTags};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use store::TileProduct;

use crate::grants::unknown_product;
use crate::tileset::KnownGrant;
use crate::token::Token;
use crate::{Tileset, grant_state, origin, release};

/// How long browsers cache a tile. Tiles can stay visible for this long after a revocation takes effect in
/// the service.
const CACHE: HeaderValue = HeaderValue::from_static("private, max-age=30");

pub(crate) const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/vnd.mapbox-vector-tile");

type TilePath = Result<Path<(String, String, String, String, String)>, PathRejection>;

/// A tile of a product, with a valid zoom level, column, and row.
struct RequestedTile {
    product: TileProduct,
    tile: TileId,
}

/// Responds with a tile if the URL contains a valid token for an active grant, and the grant allows the
/// page's origin. The status is 204 if the tile has no points.
pub(crate) async fn read(
    State(tileset): State<Tileset>,
    path: TilePath,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let asked = RequestedTile::read(path);
    let parameters =
        Query::<Vec<(String, String)>>::try_from_uri(&uri).map(|Query(pairs)| pairs).unwrap_or_default();
    let token = token(&parameters);
    let granted = match &token {
        Ok(token) => find(&tileset, token).await,
        Err(error) => Err(error.clone()),
    };
    let origin = granted.as_ref().map_or(Ok(None), |known| origin::check(&known.signed.grant, &headers));
    let now = tileset.clock.now();
    let answer = (|| {
        let asked = asked?;
        let known = granted?;
        check(&token?, &known, asked.product, now)?;
        origin.as_ref().map_err(Clone::clone)?;
        Ok(tileset.answer(&asked, release::visits(&known.signed.grant), &headers))
    })();
    origin::readable_by(answer.unwrap_or_else(grant_state::refuse), origin.ok().flatten())
}

impl RequestedTile {
    fn read(path: TilePath) -> Result<Self, ApiError> {
        let Path((product, layer, z, x, y)) = path.map_err(|_| unknown_product())?;
        let product: TileProduct = product.parse().map_err(|_| unknown_product())?;
        let only = release::layer(product).name();
        if layer != only {
            let message = format!("unknown layer; the only layer of product \"{product}\" is \"{only}\"");
            return Err(ApiError::new(Code::NotFound, message));
        }
        let tile = tile_id([&z, &x, y.strip_suffix(".mvt").unwrap_or_default()], TileId::MAX_ZOOM)?;
        Ok(Self { product, tile })
    }
}

impl Tileset {
    fn answer(&self, asked: &RequestedTile, visits: Visits, headers: &HeaderMap) -> Response {
        let RequestedTile { product, tile } = asked;
        let tag = self.release.entity_tag(*product, *tile, visits);
        let mut response = if has(headers, &tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            match self.release.of(*product).points.tile(*tile, visits) {
                Some(made) => ([(header::CONTENT_TYPE, MEDIA_TYPE)], made.bytes).into_response(),
                None => StatusCode::NO_CONTENT.into_response(),
            }
        };
        response.headers_mut().insert(header::CACHE_CONTROL, CACHE);
        if response.status() != StatusCode::NO_CONTENT {
            response.headers_mut().extend(HeaderValue::from_str(&tag).ok().map(|tag| (header::ETAG, tag)));
        }
        response
    }
}

/// Parses a zoom level, column, and row.
pub(crate) fn tile_id(texts: [&str; 3], max_zoom: u8) -> Result<TileId, ApiError> {
    let tile = match texts.map(coordinate) {
        [Some(z), Some(x), Some(y)] => u8::try_from(z).ok().and_then(|z| TileId::new(z, x, y)),
        _ => None,
    };
    tile.filter(|tile| tile.zoom() <= max_zoom).ok_or_else(|| {
        let message =
            format!("no such tile: zoom must be from 0 to {max_zoom}, column and row from 0 to 2^zoom - 1");
        ApiError::new(Code::NotFound, message)
    })
}

/// Returns the token in the query string, which must contain exactly one token.
fn token(parameters: &[(String, String)]) -> Result<Token<'_>, ApiError> {
    let mut tokens = parameters.iter().filter(|(name, _)| name == "token").map(|(_, text)| text.as_str());
    match (tokens.next(), tokens.next()) {
        (Some(text), None) => Token::parse(text).ok_or_else(not_a_token),
        _ => Err(grant_state::unauthorized(
            "a tile request requires exactly one `token` parameter; use tile URLs from the TileJSON",
        )),
    }
}

/// Returns the grant that a token names. Returns an error if the grant doesn't exist or the token doesn't
/// match it.
async fn find(tileset: &Tileset, token: &Token<'_>) -> Result<KnownGrant, ApiError> {
    let known = tileset.find_grant(token.grant()).await?;
    known.filter(|known| token.is_of(&known.signed)).ok_or_else(not_a_token)
}

fn check(
    token: &Token<'_>,
    known: &KnownGrant,
    product: TileProduct,
    now: Timestamp,
) -> Result<(), ApiError> {
    if !token.shows(product) {
        return Err(grant_state::unauthorized(
            "the token is for a different product's tiles; use tile URLs from this product's TileJSON",
        ));
    }
    grant_state::check(known, now)?;
    if token.has_expired(now) {
        return Err(grant_state::unauthorized(
            "the token has expired; load the TileJSON again for a new one",
        ));
    }
    Ok(())
}

fn not_a_token() -> ApiError {
    grant_state::unauthorized("the token is invalid; use tile URLs from the TileJSON")
}

/// Parses a coordinate in canonical form. `str::parse` also accepts a plus sign and leading zeros.
fn coordinate(text: &str) -> Option<u32> {
    let value: u32 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// Returns whether `If-None-Match` contains the tile's entity tag, which means that the client already has
/// this version. A malformed header is ignored.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let known = EntityTags::read(headers, header::IF_NONE_MATCH);
    known.is_ok_and(|known| known.is_some_and(|tags| tags.match_weakly(tag)))
}
