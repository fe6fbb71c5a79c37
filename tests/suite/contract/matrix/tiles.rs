//! Calls of tile and tile grant operations that return a given status.

use harness::{Call, Fault};

use super::{Case, drop_table};

const GRANTS: &str = "/v2/places/tiles/grants";
const ORIGIN: &str = "https://maps.example.com";

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    match case.operation.id {
        "read_tilejson" | "read_tile" => shown(case, status).await,
        "read_base_map_tile" | "read_gazetteer" => of_base_map(case, status).await,
        // The grant doesn't exist.
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

/// Creates a call for TileJSON or a tile, from a page that the grant allows.
async fn shown<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let Case { world, path, .. } = case;
    let is_tile = case.operation.id == "read_tile";
    let at = |path: &str| -> Call<'a> { world.get(path).header("origin", ORIGIN) };
    let call = match status {
        200 => at(path),
        // This tile is in the middle of the Pacific.
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
            // Waits until the cached grant expires.
            world.clock.advance(30_000);
            if status == 500 {
                drop_table(world, "credentials").await;
            } else {
                world.wire.inject_faults(|_| Fault::ErrorBeforeCommit);
            }
            at(path)
        }
        _ => return None,
    };
    Some(call)
}

/// Creates a call for a base map tile or the gazetteer.
async fn of_base_map<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let Case { world, path, .. } = case;
    Some(match status {
        200 => world.get(path),
        // This tile is in Antarctica.
        204 => world.get("/v2/basemap/tiles/8/0/255"),
        304 => world.get(path).header("if-none-match", "*"),
        404 => world.get(&format!("{path}z")),
        _ => return None,
    })
}

/// Creates tile grants until the limit is reached.
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
