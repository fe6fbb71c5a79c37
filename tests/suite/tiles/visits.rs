//! Place tiles show visits only if an owner included visits in the grant.

use harness::{Answer, TestOrg, World};
use serde_json::{Value, json};
use store::Role;

use super::{ORIGIN, ask_tilejson, at, create_grant, create_grant_with, grants, path_of_grant, tiles};

/// Midtown Manhattan, where the sample has places with visits.
const MIDTOWN: &str = "14/4824/6156";

fn with_visits() -> Value {
    json!({ "allowed_origins": [ORIGIN], "include_visits": true })
}

/// Creates a grant with a bearer token.
async fn create_by(world: &World, token: &str, product: &str, body: &Value) -> Answer {
    world.post(&grants(product)).bearer(token).json(body).send().await
}

/// Creates an organization, and returns it with its owner's token.
async fn owned(world: &World) -> (TestOrg, String) {
    let org = world.org("org_a").await;
    let token = world.joined(&org, &world.person("owner"), Role::Owner).await;
    (org, token)
}

/// Returns whether an encoded tile contains visits. Encoded tiles contain attribute names as text.
fn shows_visits(tile: &Answer) -> bool {
    assert_eq!(tile.status, 200, "{}", tile.text());
    let name = b"weekly_visits";
    tile.body.windows(name.len()).any(|part| part == name)
}

async fn has_field(world: &World, grant: &Value) -> bool {
    let described = ask_tilejson(world, grant).send().await.json();
    let fields = described["vector_layers"][0]["fields"].as_object().expect("fields").clone();
    assert!(fields.contains_key("place_id"));
    fields.contains_key("weekly_visits")
}

#[tokio::test]
async fn tiles_show_visits_only_if_the_grant_includes_them() {
    let world = World::new().await;
    let (org, owner) = owned(&world).await;
    let included = create_by(&world, &owner, "places", &with_visits()).await.data();
    assert_eq!(included["include_visits"], true);
    let read = world.get(&path_of_grant(&included)).key(&org.key).send().await.data();
    assert_eq!(read["include_visits"], true);
    let path = tiles(&world, &included).await;
    assert!(shows_visits(&world.get(&at(&path, MIDTOWN)).send().await));
    assert!(has_field(&world, &included).await);

    let plain = json!({ "allowed_origins": [ORIGIN], "include_visits": false });
    let omitted = [
        create_by(&world, &owner, "places", &json!({ "allowed_origins": [ORIGIN] })).await.data(),
        create_by(&world, &owner, "places", &plain).await.data(),
        create_grant(&world, &org, "places").await,
        create_grant_with(
            &world,
            &org,
            "places",
            &json!({ "allowed_origins": [ORIGIN], "include_visits": null }),
        )
        .await,
    ];
    for grant in omitted {
        assert_eq!(grant["include_visits"], false);
        let path = tiles(&world, &grant).await;
        assert!(!shows_visits(&world.get(&at(&path, MIDTOWN)).send().await));
        assert!(!has_field(&world, &grant).await);
    }
}

#[tokio::test]
async fn tile_cached_for_a_grant_with_visits_is_not_served_to_another_grant() {
    let world = World::new().await;
    let (org, owner) = owned(&world).await;
    let included = tiles(&world, &create_by(&world, &owner, "places", &with_visits()).await.data()).await;
    let omitted = tiles(&world, &create_grant(&world, &org, "places").await).await;
    let first = world.get(&at(&included, MIDTOWN)).send().await;
    let second = world.get(&at(&omitted, MIDTOWN)).send().await;
    assert_eq!((shows_visits(&first), shows_visits(&second)), (true, false));
    let (with, without) = (first.header("etag"), second.header("etag"));
    assert_ne!(with, without);
    for (path, tag, is_shown) in [(&omitted, with, false), (&included, without, true)] {
        let answer = world.get(&at(path, MIDTOWN)).header("if-none-match", tag).send().await;
        assert_eq!(shows_visits(&answer), is_shown, "a tag of the other kind isn't current");
    }
}

#[tokio::test]
async fn only_owners_can_include_visits() {
    let world = World::new().await;
    let (org, owner) = owned(&world).await;
    let member = world.joined(&org, &world.person("member"), Role::Member).await;
    let owners_key = world.create_key_by(&org, &world.person("owner").subject, "the owner's").await;
    let with_key = |key: &str| world.post(&grants("places")).key(key).json(&with_visits()).send();
    for refused in [
        create_by(&world, &member, "places", &with_visits()).await,
        with_key(&org.key).await,
        with_key(&owners_key).await,
    ] {
        assert_eq!(refused.error(), (403, "FORBIDDEN".to_owned()));
        assert!(refused.text().contains("ask an owner"), "{}", refused.text());
    }
    let list = world.get(&grants("places")).bearer(&owner).send().await;
    assert_eq!(list.json()["pagination"]["total"], 0);
}

#[tokio::test]
async fn demoted_owner_cannot_include_visits_despite_a_cached_role() {
    let world = World::new().await;
    let (org, owner) = owned(&world).await;
    assert_eq!(create_by(&world, &owner, "places", &with_visits()).await.status, 200);
    world.member(&org, &world.person("owner"), Role::Member).await;
    let refused = create_by(&world, &owner, "places", &with_visits()).await;
    assert_eq!(refused.error(), (403, "FORBIDDEN".to_owned()));
    assert!(refused.text().contains("ask an owner"), "{}", refused.text());
}

#[tokio::test]
async fn visits_of_displays_return_400() {
    let world = World::new().await;
    let (_, owner) = owned(&world).await;
    let refused = create_by(&world, &owner, "displays", &with_visits()).await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()));
    assert_eq!(refused.json()["error"]["context"]["errors"][0]["pointer"], "/include_visits");
}
