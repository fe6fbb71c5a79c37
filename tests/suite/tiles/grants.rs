//! Creating, reading, and revoking tile grants.

use std::collections::BTreeSet;

use accounting::Scope;
use harness::{PUBLIC_URL, TestOrg, World};
use serde_json::{Value, json};
use store::{Role, TileGrants};

use super::{
    DAY_MILLIS, ORIGIN, PRODUCTS, create_grant, create_grant_with, grants, id, path_of_grant, revoke,
};

#[tokio::test]
async fn grant_is_returned_as_created() {
    let (world, org) = World::with_org().await;
    let key_id = world.administrator.keys(&org.id).await.expect("keys")[0].id.clone();
    for (product, layer) in PRODUCTS {
        let body = json!({
            "allowed_origins": [
                "HTTPS://Maps.Example.com:443/",
                "http://localhost:5173",
                "https://maps.example.com",
            ],
            "label": "store finder",
            "expires_in_days": 90,
        });
        let grant = create_grant_with(&world, &org, product, &body).await;
        let expected = json!({
            "grant_id": grant["grant_id"],
            "product": product,
            "layers": [layer],
            "allowed_origins": ["https://maps.example.com", "http://localhost:5173"],
            "include_visits": false,
            "label": "store finder",
            "tilejson_url": format!("{PUBLIC_URL}{}/tilejson", path_of_grant(&grant)),
            "created_at": "2026-11-20T09:00:30.000Z",
            "created_by": { "key_id": key_id },
            "responsible_member_id": null,
            "expires_at": "2027-02-18T09:00:30.000Z",
            "revoked_at": null,
            "revoked_by": null,
        });
        assert_eq!(grant, expected);
        assert!(id(&grant).starts_with("tg_") && id(&grant).len() == 35);
        let read = world.get(&path_of_grant(&grant)).key(&org.key).send().await;
        assert_eq!(read.data(), expected);
    }
}

#[tokio::test]
async fn create_returns_the_location_of_the_grant() {
    let (world, org) = World::with_org().await;
    for (product, _) in PRODUCTS {
        let body = json!({ "allowed_origins": [ORIGIN] });
        let created = world.post(&grants(product)).key(&org.key).json(&body).send().await;
        let path = path_of_grant(&created.data());
        assert_eq!(created.header("location"), format!("{PUBLIC_URL}{path}"));
        assert_eq!(world.get(&path).key(&org.key).send().await.data(), created.data());
    }
}

#[tokio::test]
async fn omitted_members_have_defaults() {
    let (world, org) = World::with_org().await;
    for body in [
        json!({ "allowed_origins": [ORIGIN] }),
        json!({ "allowed_origins": [ORIGIN], "label": null, "expires_in_days": null }),
    ] {
        let grant = create_grant_with(&world, &org, "places", &body).await;
        assert_eq!(grant["label"], Value::Null);
        assert_eq!(grant["expires_at"], "2026-12-20T09:00:30.000Z");
    }
}

#[tokio::test]
async fn accepts_values_at_the_limits() {
    let (world, org) = World::with_org().await;
    let origins =
        |count: usize| (0..count).map(|n| json!(format!("https://m{n}.example"))).collect::<Vec<_>>();
    for body in [
        json!({ "allowed_origins": origins(20), "label": "\u{e9}".repeat(200), "expires_in_days": 365 }),
        json!({ "allowed_origins": origins(1), "label": "x", "expires_in_days": 1 }),
        json!({ "allowed_origins": ["http://127.0.0.1:8080", "http://[::1]:8080", "https://[2001:db8::1]"] }),
    ] {
        create_grant_with(&world, &org, "displays", &body).await;
    }
}

#[tokio::test]
async fn revoking_is_permanent_and_idempotent() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    world.clock.advance(5_000);
    revoke(&world, &org, &grant).await;
    world.clock.advance(5_000);
    revoke(&world, &TestOrg { key: world.key(&org.id, Scope::all()).await, ..org.clone() }, &grant).await;
    let key_id = world.administrator.keys(&org.id).await.expect("keys")[1].id.clone();
    for path in [path_of_grant(&grant), grants("places")] {
        let data = world.get(&path).key(&org.key).send().await.data();
        let found = if data.is_array() { &data[0] } else { &data };
        assert_eq!(found["revoked_at"], "2026-11-20T09:00:35.000Z", "{path}: the first revocation counts");
        assert_eq!(
            found["revoked_by"],
            json!({ "key_id": key_id }),
            "{path}: the first revocation's key is kept"
        );
    }
}

#[tokio::test]
async fn concurrent_revocations_both_succeed() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let calls = [0, 1].map(|_| world.delete(&path_of_grant(&grant)).key(&org.key).send());
    let [one, other] = calls;
    let (one, other) = tokio::join!(one, other);
    assert_eq!((one.status.as_u16(), other.status.as_u16()), (204, 204));
}

#[tokio::test]
async fn grants_are_found_only_by_their_organization_product_and_id() {
    let (world, org, other) = World::with_two_orgs().await;
    let grant = create_grant(&world, &org, "places").await;
    let id = id(&grant);
    let unknown = format!("tg_{}", "A".repeat(32));
    let cases = [
        (&other, grants("places") + "/" + id),
        (&org, grants("displays") + "/" + id),
        (&org, grants("places") + "/" + &unknown),
        (&org, grants("places") + "/" + &id.to_uppercase()),
        (&org, grants("places") + "/" + &id[3..]),
        (&org, grants("places") + "/x"),
        (&org, grants("places") + "/%20"),
        (&org, grants("places") + "/%FF"),
        (&org, grants("places") + "/" + &"x".repeat(2_000)),
    ];
    for (org, path) in cases {
        for call in [world.get(&path), world.delete(&path)] {
            let answer = call.key(&org.key).send().await;
            assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path:.90}: {}", answer.text());
        }
    }
    let read = world.get(&path_of_grant(&grant)).key(&org.key).send().await.data();
    assert_eq!(read, grant, "the refused calls revoke nothing");
}

#[tokio::test]
async fn unknown_product_returns_404() {
    let (world, org) = World::with_org().await;
    for product in ["markets", "Displays", "DISPLAYS", "faces", "%20", "%FF"] {
        let path = grants(product);
        for call in [world.get(&path), world.post(&path).json(&json!({ "allowed_origins": [ORIGIN] }))] {
            assert_eq!(call.key(&org.key).send().await.error(), (404, "NOT_FOUND".to_owned()), "{product}");
        }
    }
}

#[tokio::test]
async fn removed_and_moved_members_cannot_create_grants_despite_caching() {
    let (world, org, other) = World::with_two_orgs().await;
    let (removed, moved) = (world.person("removed"), world.person("moved"));
    for person in [&removed, &moved] {
        world.member(&org, person, Role::Member).await;
        let list = world.get(&grants("places")).bearer(&world.token(person));
        assert_eq!(list.send().await.status, 200);
    }
    world.administrator.remove_member(&org.id, removed.subject.clone()).await.expect("a member");
    world.member(&other, &moved, Role::Member).await;
    let body = json!({ "allowed_origins": [ORIGIN] });
    for token in [&removed, &moved].map(|person| world.token(person)) {
        let answer = world.post(&grants("places")).bearer(&token).json(&body).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
        assert!(answer.text().contains("you do not belong to an organization"), "{}", answer.text());
    }
    for org in [&org, &other] {
        let list = world.get(&grants("places")).key(&org.key).send().await;
        assert_eq!(list.json()["pagination"]["total"], 0);
    }
}

#[tokio::test]
async fn live_grants_can_be_listed_by_the_responsible_member() {
    let (world, org, other) = World::with_two_orgs().await;
    let maker = world.person("maker");
    let token = world.joined(&org, &maker, Role::Owner).await;
    let by_key = TestOrg { key: world.create_key_by(&org, &maker.subject, "maps").await, ..org.clone() };
    let by_person =
        world.post(&grants("places")).bearer(&token).json(&json!({ "allowed_origins": [ORIGIN] }));
    let made = [create_grant(&world, &by_key, "displays").await, by_person.send().await.data()];
    for grant in &made {
        assert_eq!(grant["responsible_member_id"], json!(maker.subject.member_id()));
    }
    let revoked = create_grant(&world, &by_key, "places").await;
    revoke(&world, &org, &revoked).await;
    let short = json!({ "allowed_origins": [ORIGIN], "expires_in_days": 1 });
    create_grant_with(&world, &by_key, "places", &short).await;
    create_grant(&world, &org, "places").await;
    create_grant(&world, &other, "places").await;
    world.clock.advance(DAY_MILLIS);
    let (id_of_maker, now) = (maker.subject.member_id(), world.clock.now());
    let grants = TileGrants::new(world.app.dynamo.clone());
    let live = grants.live_made_by(&org.id, &id_of_maker, now).await.expect("grants");
    let ids: BTreeSet<_> = live.iter().map(|listed| listed.id.reveal().to_owned()).collect();
    assert_eq!(ids, made.iter().map(|grant| id(grant).to_owned()).collect());
    let found = grants.live_made_by(&other.id, &id_of_maker, now).await.expect("grants");
    assert!(found.is_empty(), "grants belong to their organization");
}

#[tokio::test]
async fn members_revoke_only_their_own_grants_and_owners_and_keys_revoke_any() {
    let (world, org) = World::with_org().await;
    let (owner, member, other) = (world.person("owner"), world.person("member"), world.person("other"));
    let owner_token = world.joined(&org, &owner, Role::Owner).await;
    let member_token = world.joined(&org, &member, Role::Member).await;
    let other_token = world.joined(&org, &other, Role::Member).await;
    let create = async |token: &str| {
        let body = json!({ "allowed_origins": [ORIGIN] });
        world.post(&grants("displays")).bearer(token).json(&body).send().await.data()
    };
    let (owners, others, own) =
        (create(&owner_token).await, create(&other_token).await, create(&member_token).await);
    let of_key = create_grant(&world, &org, "displays").await;
    for grant in [&owners, &others, &of_key] {
        let refused = world.delete(&path_of_grant(grant)).bearer(&member_token).send().await;
        assert_eq!(refused.error(), (403, "FORBIDDEN".to_owned()));
        assert!(refused.text().contains("ask an owner"), "{}", refused.text());
        let read = world.get(&path_of_grant(grant)).bearer(&member_token).send().await.data();
        assert_eq!(read["revoked_at"], Value::Null);
    }
    let unknown = format!("{}/tg_{}", grants("displays"), "A".repeat(32));
    assert_eq!(world.delete(&unknown).bearer(&member_token).send().await.error().0, 404);
    for (token, grant) in [(&member_token, &own), (&owner_token, &others), (&owner_token, &of_key)] {
        assert_eq!(world.delete(&path_of_grant(grant)).bearer(token).send().await.status, 204);
    }
    revoke(&world, &org, &owners).await;
}

#[tokio::test]
async fn demoted_owner_revokes_the_grants_of_their_key_but_no_others() {
    let (world, org) = World::with_org().await;
    let maker = world.person("maker");
    world.joined(&org, &maker, Role::Owner).await;
    let by_key = TestOrg { key: world.create_key_by(&org, &maker.subject, "maps").await, ..org.clone() };
    let (own, others) =
        (create_grant(&world, &by_key, "places").await, create_grant(&world, &org, "places").await);
    let token = world.joined(&org, &maker, Role::Member).await;
    let delete = async |grant: &Value| world.delete(&path_of_grant(grant)).bearer(&token).send().await.status;
    assert_eq!((delete(&own).await.as_u16(), delete(&others).await.as_u16()), (204, 403));
}
