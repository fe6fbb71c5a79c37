//! The limit of 100 active grants, and the deletion of ended grants after 30 days.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use harness::{Answer, TestOrg, World};
use serde_json::{Value, json};

use super::{
    DAY_MILLIS, MEMORY_MILLIS, ORIGIN, ask_tilejson, ask_world_tile, create_grant, create_grant_with, grants,
    id, path_of_grant, revoke, tiles,
};

const MOST: usize = 100;

async fn try_to_create(world: &World, org: &TestOrg, product: &str) -> Answer {
    world.post(&grants(product)).key(&org.key).json(&json!({ "allowed_origins": [ORIGIN] })).send().await
}

/// Creates the maximum number of grants, alternating between the two products.
async fn create_most(world: &World, org: &TestOrg) -> Vec<Value> {
    let mut created = Vec::new();
    for n in 0..MOST {
        created.push(create_grant(world, org, ["places", "displays"][n % 2]).await);
    }
    created
}

async fn assert_full(world: &World, org: &TestOrg) {
    for product in ["places", "displays"] {
        let answer = try_to_create(world, org, product).await;
        assert_eq!(answer.error(), (409, "LIMIT_REACHED".to_owned()), "{}", answer.text());
        assert_eq!(answer.credits_used(), 0);
    }
}

async fn total(world: &World, org: &TestOrg, product: &str) -> i64 {
    let listed = world.get(&grants(product)).key(&org.key).send().await.json();
    listed["pagination"]["total"].as_i64().expect("a number")
}

/// Reads all items in a partition of the credentials table.
async fn partition(client: &Client, name: &str) -> Vec<HashMap<String, AttributeValue>> {
    let query = client.query().table_name("marquee-credentials").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S(name.to_owned()));
    query.send().await.expect("a response").items.expect("items")
}

#[tokio::test]
async fn at_most_100_live_grants_across_products() {
    let (world, org, other) = World::with_two_orgs().await;
    let created = create_most(&world, &org).await;
    let refused = try_to_create(&world, &org, "places").await;
    let text = refused.text();
    assert!(text.contains("has 100 active tile grants") && text.contains("revoke one"), "{text}");
    assert_full(&world, &org).await;
    assert_eq!((total(&world, &org, "places").await, total(&world, &org, "displays").await), (50, 50));
    create_grant(&world, &other, "places").await;
    // Each revocation makes room for one new grant for either product.
    revoke(&world, &org, &created[0]).await;
    revoke(&world, &org, &created[1]).await;
    create_grant(&world, &org, "places").await;
    create_grant(&world, &org, "places").await;
    assert_full(&world, &org).await;
    let listed = world.get(&path_of_grant(&created[0])).key(&org.key).send().await;
    assert_eq!(listed.status, 200, "a revoked grant stays listed after its slot is reused");
}

#[tokio::test]
async fn expired_grants_free_their_slot_immediately() {
    let (world, org) = World::with_org().await;
    let of_a_day = json!({ "allowed_origins": [ORIGIN], "expires_in_days": 1 });
    create_grant_with(&world, &org, "places", &of_a_day).await;
    for _ in 1..MOST {
        create_grant(&world, &org, "places").await;
    }
    world.clock.advance(DAY_MILLIS - 1);
    assert_full(&world, &org).await;
    world.clock.advance(1);
    create_grant(&world, &org, "displays").await;
    assert_full(&world, &org).await;
}

#[tokio::test]
async fn concurrent_creates_stop_at_100_grants() {
    let (world, org) = World::with_org().await;
    let (_, router) = world.another_process(99).await;
    let body = json!({ "allowed_origins": [ORIGIN] });
    let calls = (0..MOST + 20).map(|n| {
        let call = world.post(&grants("places")).key(&org.key).json(&body);
        call.send_to(if n % 2 == 0 { world.router() } else { router.clone() })
    });
    let statuses: Vec<u16> = join_all(calls).await.iter().map(|answer| answer.status.as_u16()).collect();
    let count = |status: u16| statuses.iter().filter(|seen| **seen == status).count();
    assert_eq!((count(200), count(409)), (MOST, 20), "{statuses:?}");
    let slots = partition(&world.engine(), "grants#org_a").await;
    assert_eq!(
        slots.iter().filter(|item| item["sk"].as_s().expect("a string").starts_with("slot#")).count(),
        MOST
    );
}

#[tokio::test]
async fn ended_grants_disappear_after_30_days() {
    let (world, org) = World::with_org().await;
    let of_a_day = json!({ "allowed_origins": [ORIGIN], "expires_in_days": 1 });
    let expired = create_grant_with(&world, &org, "places", &of_a_day).await;
    let revoked = create_grant_with(
        &world,
        &org,
        "places",
        &json!({ "allowed_origins": [ORIGIN], "expires_in_days": 365 }),
    )
    .await;
    world.clock.advance(DAY_MILLIS);
    revoke(&world, &org, &revoked).await;
    let found = async |grant: &Value| {
        let read = world.get(&path_of_grant(grant)).key(&org.key).send().await;
        let tilejson = ask_tilejson(&world, grant).send().await;
        (read.status.as_u16(), tilejson.status.as_u16())
    };
    world.clock.advance(30 * DAY_MILLIS - 1);
    assert_eq!((found(&expired).await, found(&revoked).await), ((200, 401), (200, 410)));
    assert_eq!(total(&world, &org, "places").await, 2);
    // Waits until the cached grants expire.
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!((found(&expired).await, found(&revoked).await), ((404, 404), (404, 404)));
    assert_eq!(total(&world, &org, "places").await, 0);
    let listed = world.get(&grants("places")).key(&org.key).send().await;
    assert_eq!(listed.data(), json!([]));
    let again = world.delete(&path_of_grant(&revoked)).key(&org.key).send().await;
    assert_eq!(again.status, 404);
}

#[tokio::test]
async fn grant_items_have_a_time_to_live() {
    let (world, org) = World::with_org().await;
    let now = world.clock.now().unix_seconds();
    let day = DAY_MILLIS / 1_000;
    let grant = create_grant(&world, &org, "places").await;
    let times = async || {
        let items = partition(&world.engine(), "grants#org_a").await;
        items
            .iter()
            .map(|item| item["ttl"].as_n().expect("a number").parse().expect("seconds"))
            .collect::<Vec<i64>>()
    };
    // The grant's list entry and its slot.
    assert_eq!(times().await, [now + 60 * day, now + 30 * day + 1]);
    revoke(&world, &org, &grant).await;
    assert_eq!(times().await, [now + 30 * day, now + 30 * day + 1]);
}

#[tokio::test]
async fn administrator_revokes_all_live_grants_of_an_organization() {
    let (world, org, other) = World::with_two_orgs().await;
    let of_other = create_grant(&world, &other, "places").await;
    let mut of_org = Vec::new();
    for product in ["places", "displays", "places"] {
        of_org.push(create_grant(&world, &org, product).await);
    }
    revoke(&world, &org, &of_org[0]).await;
    let shown = [tiles(&world, &of_org[1]).await, tiles(&world, &of_org[2]).await];
    let revoked_at = |grant: &Value| grant["revoked_at"].clone();
    world.clock.advance(1_000);
    assert_eq!(world.administrator.revoke_tile_grants(&org.id).await.expect("a response"), 2);
    assert_eq!(world.administrator.revoke_tile_grants(&org.id).await.expect("a response"), 0);
    world.clock.advance(MEMORY_MILLIS);
    for path in &shown {
        assert_eq!(ask_world_tile(&world, path).await.error(), (410, "GONE".to_owned()));
    }
    for (grant, expected) in [(&of_org[0], "09:00:30"), (&of_org[1], "09:00:31"), (&of_org[2], "09:00:31")] {
        let read = world.get(&path_of_grant(grant)).key(&org.key).send().await.data();
        assert!(revoked_at(&read).as_str().is_some_and(|at| at.contains(expected)), "{}: {read}", id(grant));
    }
    let read = world.get(&path_of_grant(&of_other)).key(&other.key).send().await.data();
    assert_eq!(revoked_at(&read), Value::Null);
}
