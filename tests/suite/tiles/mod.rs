//! Tests of vector tiles, TileJSON, and tile grants.

mod base_map;
mod grants;
mod grants_lists;
mod headers;
mod limits;
mod origins;
mod suspension;
mod tile;
mod tilejson;
mod tokens;
mod visits;

use harness::{Answer, Call, PUBLIC_URL, TestOrg, World};
use serde_json::{Value, json};

const ORIGIN: &str = "https://maps.example.com";
const PRODUCTS: [(&str, &str); 2] = [("displays", "faces"), ("places", "places")];

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// How long grants are cached, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

fn grants(product: &str) -> String {
    format!("/v2/{product}/tiles/grants")
}

fn id(grant: &Value) -> &str {
    grant["grant_id"].as_str().expect("an ID")
}

fn path_of_grant(grant: &Value) -> String {
    format!("{}/{}", grants(grant["product"].as_str().expect("a product")), id(grant))
}

async fn create_grant(world: &World, org: &TestOrg, product: &str) -> Value {
    create_grant_with(world, org, product, &json!({ "allowed_origins": [ORIGIN] })).await
}

async fn create_grant_with(world: &World, org: &TestOrg, product: &str, body: &Value) -> Value {
    let answer = world.post(&grants(product)).key(&org.key).json(body).send().await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.data()
}

async fn revoke(world: &World, org: &TestOrg, grant: &Value) {
    assert_eq!(world.delete(&path_of_grant(grant)).key(&org.key).send().await.status, 204);
}

/// Creates a page's call for a grant's TileJSON.
fn ask_tilejson<'a>(world: &'a World, grant: &Value) -> Call<'a> {
    world.get(&path_of(&grant["tilejson_url"])).header("origin", ORIGIN)
}

/// Returns the path template of a grant's tiles, which contains `{z}/{x}/{y}`.
async fn tiles(world: &World, grant: &Value) -> String {
    let answer = ask_tilejson(world, grant).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    path_of(&answer.json()["tiles"][0])
}

/// Requests tile `0/0/0`, which shows the whole world.
async fn ask_world_tile(world: &World, tiles: &str) -> Answer {
    world.get(&at(tiles, "0/0/0")).header("origin", ORIGIN).send().await
}

fn at(tiles: &str, place: &str) -> String {
    tiles.replace("{z}/{x}/{y}", place)
}

/// Returns a service URL's path and query.
fn path_of(url: &Value) -> String {
    let url = url.as_str().expect("an address");
    url.strip_prefix(PUBLIC_URL).unwrap_or_else(|| panic!("{url} must be a URL of the service")).to_owned()
}

/// Splits a tile's path into the part before the token, and the token.
fn split_token(tiles: &str) -> (&str, &str) {
    tiles.split_once("?token=").expect("a token")
}
