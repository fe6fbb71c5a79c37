//! A removed member's API keys and tile grants keep working. Owners can list them and revoke them when
//! removing the member.

use accounting::Scope;
use harness::{Fault, Sent, TestOrg, World};
use serde_json::{Value, json};
use store::{Actor, Family, Person, Role, TileGrantId, TileGrants, TileProduct};

use super::{MEMBERS, assert_consistent, member_path};

/// An owner with two keys and two tile grants, in an organization whose first owner also has keys and grants.
struct Creator {
    org: TestOrg,
    owner_token: String,
    person: Person,
    path: String,
    key: String,
    grant: TileGrantId,
}

async fn creator(world: &World) -> Creator {
    let org = world.org("org_a").await;
    let owner_token = world.owner_token(&org).await;
    let person = world.person("creator");
    world.joined(&org, &person, Role::Owner).await;
    let (owner, id) = (world.owner(&org.id).subject.member_id(), person.subject.member_id());
    world.owner_token(&org).await;
    world.create_key_by(&org, &world.owner(&org.id).subject, "the owner's").await;
    world.create_tile_grant_by(&org, Some(Actor::Member(owner)), TileProduct::Places).await;
    world.create_tile_grant_by(&org, None, TileProduct::Displays).await;
    let key = world.create_key_by(&org, &person.subject, "first").await;
    world.create_key_by(&org, &person.subject, "second").await;
    let grant = world.create_tile_grant_by(&org, Some(Actor::Member(id.clone())), TileProduct::Places).await;
    world.create_tile_grant_by(&org, Some(Actor::Member(id.clone())), TileProduct::Displays).await;
    Creator { org, owner_token, person, path: member_path(&id), key, grant }
}

/// Returns the labels of the keys and the products of the tile grants in a response.
fn resources(shown: &Value) -> (Vec<&str>, Vec<&str>) {
    let texts = |list: &str, name: &str| -> Vec<&str> {
        let list = shown[list].as_array().expect("a list");
        list.iter().map(|one| one[name].as_str().expect("a string")).collect()
    };
    (texts("keys", "label"), texts("tile_grants", "product"))
}

const ALL: ([&str; 2], [&str; 2]) = (["second", "first"], ["displays", "places"]);

fn all() -> (Vec<&'static str>, Vec<&'static str>) {
    (ALL.0.into(), ALL.1.into())
}

#[tokio::test]
async fn resources_are_listed_before_and_after_removal_and_keep_working() {
    let world = World::new().await;
    let Creator { owner_token, path, key, grant, .. } = creator(&world).await;
    let before = world.get(&path).bearer(&owner_token).send().await.data();
    assert_eq!(resources(&before), all());
    assert_eq!(before["member"]["email"], "creator@example.com");
    let first = &before["keys"][1];
    assert_eq!(first["last_four"], key[key.len() - 4..]);
    assert_eq!((&first["expires_at"], &first["scopes"]), (&Value::Null, &json!(Scope::all())));
    assert_eq!(before["tile_grants"][1]["grant_id"], grant.reveal());

    let removed = world.delete(&path).bearer(&owner_token).send().await.data();
    assert_eq!(resources(&removed), all());
    assert_eq!((&removed["member"], &removed["keys"]), (&before["member"], &before["keys"]));
    assert_eq!(resources(&removed["revoked"]), (vec![], vec![]));
    world.clock.advance(30_000);
    assert_eq!(world.get("/v2/billing/credits").key(&key).send().await.status, 200);
    let after = world.get(&path).bearer(&owner_token).send().await.data();
    assert_eq!((resources(&after), &after["member"]), (all(), &Value::Null));
    assert_eq!(world.get(MEMBERS).bearer(&owner_token).send().await.data().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn removal_revokes_only_the_requested_kinds() {
    let kinds = [
        ("keys", (vec![], ALL.1.to_vec()), (ALL.0.to_vec(), vec![])),
        ("tile_grants", (ALL.0.to_vec(), vec![]), (vec![], ALL.1.to_vec())),
        ("tile_grants,keys", (vec![], vec![]), all()),
    ];
    for (revoke, left, revoked) in kinds {
        let world = World::new().await;
        let Creator { org, owner_token, path, key, grant, .. } = creator(&world).await;
        let removed =
            world.delete(&format!("{path}?revoke={revoke}")).bearer(&owner_token).send().await.data();
        assert_eq!((resources(&removed), resources(&removed["revoked"])), (left, revoked), "{revoke}");
        world.clock.advance(30_000);
        let is_live = world.get("/v2/billing/credits").key(&key).send().await.status == 200;
        assert_eq!(is_live, !revoke.contains("keys"), "{revoke}");
        let tilejson = format!("/v2/places/tiles/grants/{}/tilejson", grant.reveal());
        let is_shown = world.get(&tilejson).send().await.status == 200;
        assert_eq!(is_shown, !revoke.contains("tile_grants"), "{revoke}");
        // The organization's other keys keep working.
        assert_eq!(world.get("/v2/billing/credits").key(&org.key).send().await.status, 200);
        let owner = world.owner(&org.id).subject.member_id();
        let keys = world.credentials().list(&org.id).await.expect("a response");
        for key in keys.iter().filter(|key| key.revoked_at.is_some()) {
            assert_eq!(key.revoked_by, Some(owner.clone()), "{}", key.label);
        }
        let grants = TileGrants::new(world.app.dynamo.clone());
        let signed = grants.find(&grant.digest()).await.expect("a response").expect("a grant");
        let by = revoke.contains("tile_grants").then_some(Actor::Member(owner));
        assert_eq!(signed.grant.revoked_by, by, "{revoke}");
    }
}

#[tokio::test]
async fn repeated_removal_revokes_the_rest_and_then_returns_404() {
    let world = World::new().await;
    let Creator { owner_token, path, .. } = creator(&world).await;
    assert_eq!(world.delete(&path).bearer(&owner_token).send().await.status, 200);
    let again = world.delete(&path).bearer(&owner_token).send().await.data();
    assert_eq!((resources(&again), &again["member"]), (all(), &Value::Null));
    let revoking = format!("{path}?revoke=keys,tile_grants");
    let revoked = world.delete(&revoking).bearer(&owner_token).send().await.data();
    assert_eq!((resources(&revoked), resources(&revoked["revoked"])), ((vec![], vec![]), all()));
    for call in [world.delete(&revoking), world.delete(&path), world.get(&path)] {
        assert_eq!(call.bearer(&owner_token).send().await.error(), (404, "NOT_FOUND".to_owned()));
    }
}

/// Makes all transactions fail except the first `successful` ones.
fn allow_changes(world: &World, successful: usize) {
    let mut changes = 0;
    world.wire.inject_faults(move |sent: &Sent| {
        if sent.operation != "TransactWriteItems" {
            return Fault::None;
        }
        changes += 1;
        if changes > successful { Fault::ErrorBeforeCommit } else { Fault::None }
    });
}

#[tokio::test]
async fn partially_failed_removal_is_completed_by_a_retry() {
    for successful in 0..5 {
        let world = World::new().await;
        let Creator { org, owner_token, path, .. } = creator(&world).await;
        allow_changes(&world, successful);
        let revoking = format!("{path}?revoke=keys,tile_grants");
        let failed = world.delete(&revoking).bearer(&owner_token).send().await;
        assert_eq!(failed.error().0, 503, "{successful}");
        world.wire.stop_faults().await;
        assert_eq!(assert_consistent(&world, &org).await.len(), if successful == 0 { 2 } else { 1 });
        let finished = world.delete(&revoking).bearer(&owner_token).send().await.data();
        assert_eq!(resources(&finished), (vec![], vec![]), "{successful}");
        assert_eq!(world.delete(&revoking).bearer(&owner_token).send().await.error().0, 404, "{successful}");
    }
}

#[tokio::test]
async fn owner_leaves_only_after_all_revocations_succeed() {
    for successful in 0..5 {
        let world = World::new().await;
        let Creator { org, owner_token, person, path, .. } = creator(&world).await;
        allow_changes(&world, successful);
        let leaving = format!("{path}?revoke=keys,tile_grants");
        let token = world.token(&person);
        assert_eq!(world.delete(&leaving).bearer(&token).send().await.error().0, 503, "{successful}");
        world.wire.stop_faults().await;
        assert_eq!(assert_consistent(&world, &org).await, [Role::Owner; 2], "{successful}");
        let left = world.delete(&leaving).bearer(&token).send().await.data();
        assert_eq!(resources(&left), (vec![], vec![]), "{successful}");
        assert_eq!(assert_consistent(&world, &org).await, [Role::Owner], "{successful}");
        assert_eq!(world.get(&path).bearer(&owner_token).send().await.error().0, 404, "{successful}");
    }
}

#[tokio::test]
async fn rejected_removal_of_the_last_owner_revokes_nothing() {
    let world = World::new().await;
    let Creator { owner_token, person, path, .. } = creator(&world).await;
    let owner = member_path(&world.owner(&"org_a".parse().expect("valid ID")).subject.member_id());
    let demoted = world.patch(&owner).bearer(&owner_token).json(&json!({ "role": "member" })).send().await;
    assert_eq!(demoted.status, 200);
    let token = world.token(&person);
    let refused = world.delete(&format!("{path}?revoke=keys,tile_grants")).bearer(&token).send().await;
    assert_eq!(refused.error(), (409, "STATE_CONFLICT".to_owned()));
    assert_eq!(resources(&world.get(&path).bearer(&token).send().await.data()), all());
}

#[tokio::test]
async fn leaving_owner_can_revoke_only_in_the_same_call() {
    let world = World::new().await;
    let Creator { org, path, person, .. } = creator(&world).await;
    let token = world.token(&person);
    let left = world.delete(&format!("{path}?revoke=keys")).bearer(&token).send().await.data();
    assert_eq!(resources(&left), (vec![], ALL.1.to_vec()));
    assert_eq!(resources(&left["revoked"]).0, ALL.0);
    // The person is no longer a member, and the cached role doesn't grant access.
    let again = world.delete(&format!("{path}?revoke=tile_grants")).bearer(&token).send().await;
    assert_eq!(again.error(), (403, "FORBIDDEN".to_owned()));
    assert_eq!(world.delete(&path).bearer(&token).send().await.error(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

/// Creates a tile grant with an API key and returns its ID.
async fn create_grant_with(world: &World, key: &str) -> String {
    let body = json!({ "allowed_origins": ["https://maps.example.com"] });
    let created = world.post("/v2/displays/tiles/grants").key(key).json(&body).send().await.data();
    created["grant_id"].as_str().expect("an ID").to_owned()
}

#[tokio::test]
async fn grants_of_the_members_keys_are_listed_and_revoked_even_after_the_key_has_ended() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let owner_token = world.owner_token(&org).await;
    let person = world.person("creator");
    world.joined(&org, &person, Role::Owner).await;
    let key = world.create_key_by(&org, &person.subject, "maps").await;
    let grant = create_grant_with(&world, &key).await;
    create_grant_with(&world, &org.key).await;
    let listed = world.get("/v2/account/keys").bearer(&owner_token).send().await.data();
    let key_id = listed.as_array().and_then(|keys| keys.iter().find(|key| key["label"] == "maps"));
    let key_id = key_id.and_then(|key| key["key_id"].as_str()).expect("the key").to_owned();
    let ended = world.delete(&format!("/v2/account/keys/{key_id}")).bearer(&owner_token).send().await;
    assert_eq!(ended.status, 204);

    let path = member_path(&person.subject.member_id());
    let removed = world.delete(&path).bearer(&owner_token).send().await.data();
    let shown = [("grant_id", json!(grant)), ("created_by", json!({ "key_id": key_id }))];
    assert_eq!(removed["tile_grants"].as_array().map(Vec::len), Some(1));
    for (member, expected) in &shown {
        assert_eq!(removed["tile_grants"][0][member], *expected, "{member}");
    }
    assert_eq!(
        world.get(&path).bearer(&owner_token).send().await.data()["tile_grants"],
        removed["tile_grants"]
    );
    let revoking = format!("{path}?revoke=tile_grants");
    let revoked = world.delete(&revoking).bearer(&owner_token).send().await.data();
    assert_eq!(revoked["revoked"]["tile_grants"], removed["tile_grants"]);
    world.clock.advance(30_000);
    let tilejson = format!("/v2/displays/tiles/grants/{grant}/tilejson");
    assert_eq!(world.get(&tilejson).send().await.status, 410);
}

#[tokio::test]
async fn another_organizations_keys_are_neither_listed_nor_revoked() {
    let world = World::new().await;
    let Creator { path, key, .. } = creator(&world).await;
    let stranger = world.owner_token(&world.org("org_b").await).await;
    let revoking = format!("{path}?revoke=keys,tile_grants");
    for call in [world.get(&path), world.delete(&path), world.delete(&revoking)] {
        assert_eq!(call.bearer(&stranger).send().await.error(), (404, "NOT_FOUND".to_owned()));
    }
    world.clock.advance(30_000);
    assert_eq!(world.get("/v2/billing/credits").key(&key).send().await.status, 200);
}

#[tokio::test]
async fn client_links_are_listed_and_revoked_with_their_creator() {
    let world = World::new().await;
    let Creator { org, owner_token, person, path, .. } = creator(&world).await;
    let links = format!("{}/links", world.draft(&org, Family::Campaign).await);
    let create = async |token: &str| world.post(&links).bearer(token).json(&json!({})).send().await.data();
    let (own, kept) = (create(&world.token(&person)).await, create(&owner_token).await);
    let made = world.get(&path).bearer(&owner_token).send().await.data();
    let ids = |shown: &Value| -> Vec<Value> {
        let list = shown["client_links"].as_array().expect("a list");
        list.iter().map(|link| link["link_id"].clone()).collect()
    };
    assert_eq!(ids(&made), [own["link_id"].clone()]);
    let revoking = format!("{path}?revoke=client_links");
    let removed = world.delete(&revoking).bearer(&owner_token).send().await.data();
    assert_eq!((ids(&removed), ids(&removed["revoked"])), (vec![], ids(&made)));
    let live = world.get(&links).bearer(&owner_token).send().await.data();
    assert_eq!(ids(&json!({ "client_links": live })), [kept["link_id"].clone()]);
}
