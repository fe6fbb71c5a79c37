//! TileJSON documents, which contain the addresses of a grant's tiles for map libraries.

use std::collections::BTreeMap;

use axum::Extension;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use dataset::Maturity;
use dataset::tiles::{Extent, TileId};
use gateway::{ApiError, Code, PublicUrl};
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;
use store::{TileGrant, TileProduct};

use crate::grants::{GrantPath, product_and_id};
use crate::release::{layer, visits};
use crate::{Tileset, grant_state, origin, token};

/// The extent of web maps in the Mercator projection, in degrees.
const WORLD: Extent = Extent { west: -180.0, south: -85.051_129, east: 180.0, north: 85.051_129 };

/// A TileJSON 3.0.0 document. See <https://github.com/mapbox/tilejson-spec/tree/master/3.0.0>.
#[derive(Serialize)]
struct TileJson<'a> {
    tilejson: &'static str,
    name: &'static str,
    tiles: [String; 1],
    vector_layers: [VectorLayer; 1],
    /// The bounds of the points, in degrees: west, south, east, and north.
    bounds: [f64; 4],
    /// The initial position of the map: longitude, latitude, and zoom level.
    center: [f64; 3],
    minzoom: u8,
    maxzoom: u8,
    /// The highest zoom level that has tiles. At higher levels, map libraries enlarge these tiles.
    fillzoom: u8,
    attribution: &'a str,
    /// The lowest maturity of the points' data.
    maturity: Maturity,
    scheme: &'static str,
}

#[derive(Serialize)]
struct VectorLayer {
    id: &'static str,
    description: &'static str,
    fields: BTreeMap<&'static str, String>,
    minzoom: u8,
    maxzoom: u8,
}

/// Responds with the TileJSON document of a grant. The tile addresses contain a new token.
pub(crate) async fn read(
    State(tileset): State<Tileset>,
    path: GrantPath,
    Extension(public_url): Extension<PublicUrl>,
    headers: HeaderMap,
) -> Response {
    let unknown = || ApiError::new(Code::NotFound, "this product has no grant with this id");
    let found = async {
        let (product, id) = product_and_id(path).ok_or_else(unknown)?;
        let digest = id.digest();
        let known = tileset.find_grant(&digest).await?;
        Ok((digest, known.filter(|known| known.signed.grant.product == product).ok_or_else(unknown)?))
    };
    let (digest, known) = match found.await {
        Ok(found) => found,
        Err(error) => return grant_state::refuse(error),
    };
    let now = tileset.clock.now();
    let signed = &known.signed;
    let origin = origin::check(&signed.grant, &headers);
    let answer = match grant_state::check(&known, now).and(origin.clone()) {
        Ok(_) => tileset.describe(&signed.grant, &public_url, &token::sign(&digest, signed, now)),
        Err(error) => grant_state::refuse(error),
    };
    origin::readable_by(answer, origin.ok().flatten())
}

impl Tileset {
    fn describe(&self, grant: &TileGrant, public_url: &PublicUrl, token: &str) -> Response {
        let product = grant.product;
        let layer_name = layer(product).name();
        let tiles = self.release.of(product);
        let extent = tiles.points.extent().unwrap_or(WORLD);
        let described = TileJson {
            tilejson: "3.0.0",
            name: name(product),
            tiles: [public_url
                .of(&format!("/v2/{product}/tiles/{layer_name}/{{z}}/{{x}}/{{y}}.mvt?token={token}"))],
            vector_layers: [VectorLayer {
                id: layer_name,
                description: description(product),
                fields: layer(product).fields(visits(grant)).into_iter().collect(),
                minzoom: 0,
                maxzoom: TileId::MAX_ZOOM,
            }],
            bounds: [extent.west, extent.south, extent.east, extent.north],
            center: center(&extent),
            minzoom: 0,
            maxzoom: TileId::MAX_ZOOM,
            fillzoom: TileId::MAX_ZOOM,
            attribution: &tiles.attribution,
            maturity: tiles.maturity(visits(grant)),
            scheme: "xyz",
        };
        // Clients must not store the document, because it contains a credential.
        ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(described)).into_response()
    }
}

fn name(product: TileProduct) -> &'static str {
    match product {
        TileProduct::Displays => "Marquee displays",
        TileProduct::Places => "Marquee places",
    }
}

fn description(product: TileProduct) -> &'static str {
    match product {
        TileProduct::Displays => "Display faces, and clusters where many faces are close together",
        TileProduct::Places => "Places, and clusters where many places are close together",
    }
}

/// Returns the center of an extent, and the highest zoom level at which a map 512 pixels wide shows the whole
/// extent.
fn center(extent: &Extent) -> [f64; 3] {
    let Extent { west, south, east, north } = extent;
    let widest = (east - west).max(north - south).max(f64::EPSILON);
    let zoom = (360.0 / widest).log2().floor().clamp(0.0, f64::from(TileId::MAX_ZOOM));
    [f64::midpoint(*west, *east), f64::midpoint(*south, *north), zoom]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_is_centered_on_its_extent() {
        let nation = Extent { west: -125.0, south: 24.0, east: -67.0, north: 50.0 };
        assert_eq!(center(&nation), [-96.0, 37.0, 2.0]);
        assert_eq!(center(&WORLD), [0.0, 0.0, 0.0]);
        let point = Extent { west: 1.0, south: 2.0, east: 1.0, north: 2.0 };
        assert_eq!(center(&point), [1.0, 2.0, 14.0]);
    }
}
