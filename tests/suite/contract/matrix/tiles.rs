//! Status cases of tiles and tile grants.

use harness::{Call, Fault};

use super::{Case, drop_table};

const GRANTS: &str = "/v2/places/tiles/grants";
const ORIGIN: &str = "https://maps.example.com";

/// Builds a call that returns `status`, or `None` if the general case applies.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    match case.operation.id {
        "read_tilejson" | "read_tile" => shown(case, status).await,
        // An unknown grant, or the grants of an unknown product.
        "read_tile_grant" | "revoke_tile_grant" if status == 404 => {
            Some(case.call_at(&format!("{GRANTS}/unknown")))
        }
        "create_tile_grant" if status == 409 => {
            create_up_to_the_limit(case).await;
            Some(case.call_at(case.path))
        }
        _ if status == 404 => Some(case.call_at("/v2/markets/tiles/grants")),
        _ => None,
    }
}

/// Builds a call for a grant's TileJSON or tile, from a page of the grant's origin.
async fn shown<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let Case { world, path, .. } = case;
    let is_tile = case.operation.id == "read_tile";
    let at = |path: &str| -> Call<'a> { world.get(path).header("origin", ORIGIN) };
    let call = match status {
        200 => at(path),
        // A tile in the middle of the Pacific.
        204 => at(&path.replace("/0/0/0.mvt", "/14/400/8300.mvt")),
        304 => {
            let tag = at(path).send().await.header("etag").to_owned();
            at(path).header("if-none-match", &tag)
        }
        401 if is_tile => at(path.split('?').next().expect("the path is not empty")),
        401 => {
            world.clock.advance(91 * 24 * 60 * 60 * 1_000);
            at(path)
        }
        403 => world.get(path).header("origin", "https://other.example.com"),
        404 => at(&path.replace("/0/0/0", "/0/1/0").replace("tg_", "tg-")),
        410 => {
            revoke_all(case).await;
            world.clock.advance(30_000);
            at(path)
        }
        500 | 503 => {
            // Let the cached grant expire.
            world.clock.advance(30_000);
            if status == 500 {
                drop_table(world, "credentials").await;
            } else {
                world.wire.break_with(|_| Fault::ErrorBeforeCommit);
            }
            at(path)
        }
        _ => return None,
    };
    Some(call)
}

/// Creates grants up to the limit.
async fn create_up_to_the_limit(case: &Case<'_>) {
    let create = || case.call_at(case.path).send();
    while create().await.status != 409 {}
}

async fn revoke_all(case: &Case<'_>) {
    let Case { world, org, .. } = case;
    let listed = world.get(GRANTS).key(&org.key).send().await.data();
    for grant in listed.as_array().expect("a list") {
        let path = format!("{GRANTS}/{}", grant["grant_id"].as_str().expect("an ID"));
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
    }
}
