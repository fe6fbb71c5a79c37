//! The base map and the gazetteer. They consist of public data and are the same for everyone, so they require
//! neither a grant nor a token.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dataset::BaseMap;
use gateway::{ApiError, Code, quoted};
use http::{HeaderValue, StatusCode, header};

use crate::Tileset;
use crate::tile::{MEDIA_TYPE, tile_id};

/// Lets browsers cache the base map for one day. During that time, they may show the base map of an earlier
/// release.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=86400");

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Responds with a tile of the base map. The status is 204 outside the area that its sources cover.
pub(crate) async fn read_tile(
    State(tileset): State<Tileset>,
    path: Result<Path<[String; 3]>, PathRejection>,
) -> Result<Response, ApiError> {
    let [z, x, y] = path.map(|Path(place)| place).unwrap_or_default();
    let tile = tile_id([&z, &x, &y], BaseMap::MAX_ZOOM)?;
    match tileset.release.base_map.tile(tile) {
        Some(content) => Ok(tileset.stored(MEDIA_TYPE, content)),
        None => Ok((StatusCode::NO_CONTENT, [(header::CACHE_CONTROL, CACHE)]).into_response()),
    }
}

/// Responds with the names in the gazetteer that begin with the letter or digit in the path.
pub(crate) async fn read_names(
    State(tileset): State<Tileset>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let initial = path.map(|Path(initial)| initial).unwrap_or_default();
    match tileset.release.base_map.names(&initial) {
        Some(content) => Ok(tileset.stored(JSON, content)),
        None => {
            let message = format!(
                "no names are listed under {}; use one lowercase letter (a to z) or one digit (0 to 9)",
                quoted(&initial)
            );
            Err(ApiError::new(Code::NotFound, message))
        }
    }
}

impl Tileset {
    /// Responds with content that the release already contains in compressed form.
    fn stored(&self, media_type: HeaderValue, content: &[u8]) -> Response {
        let tag = HeaderValue::from_str(&self.release.base_map_tag()).expect("the tag is hexadecimal");
        let headers = [
            (header::CONTENT_TYPE, media_type),
            (header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
            (header::CACHE_CONTROL, CACHE),
            (header::ETAG, tag),
        ];
        (headers, content.to_vec()).into_response()
    }
}
