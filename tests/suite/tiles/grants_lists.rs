//! An organization's list of grants: complete, newest first, and isolated from other organizations.

use harness::{TestOrg, World};
use serde_json::{Value, json};

use super::{create_grant, create_grant_with, grants, id, revoke};

async fn page(world: &World, org: &TestOrg, product: &str, query: &str) -> Value {
    let answer = world.get(&format!("{}?{query}", grants(product))).key(&org.key).send().await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

fn ids(page: &Value) -> Vec<String> {
    page["data"].as_array().expect("a list").iter().map(|grant| id(grant).to_owned()).collect()
}

#[tokio::test]
async fn pages_list_every_grant_once_newest_first() {
    let (world, org) = World::with_org().await;
    let mut expected = Vec::new();
    for n in 0..7 {
        expected.insert(0, id(&create_grant(&world, &org, "places").await).to_owned());
        create_grant(&world, &org, "displays").await;
        // Some grants are created in the same millisecond.
        world.clock.advance(i64::from(n % 2) * 1_000);
    }
    let whole = page(&world, &org, "places", "").await;
    assert_eq!(whole["pagination"], json!({ "cursor": null, "has_more": false, "total": 7 }));
    let all = ids(&whole);
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    assert_eq!(sorted(all.clone()), sorted(expected.clone()));
    let created: Vec<_> =
        whole["data"].as_array().expect("a list").iter().map(|grant| &grant["created_at"]).collect();
    assert!(created.is_sorted_by_key(|at| std::cmp::Reverse(at.as_str())), "{created:?}");
    for limit in 1..=8 {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = page(&world, &org, "places", &format!("limit={limit}{cursor}")).await;
            let pagination = &page["pagination"];
            assert_eq!(pagination["total"], 7);
            assert!(ids(&page).len() <= limit);
            found.extend(ids(&page));
            assert_eq!(pagination["has_more"], !pagination["cursor"].is_null());
            match pagination["cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(found, all, "page size {limit}");
    }
}

#[tokio::test]
async fn organization_without_grants_has_an_empty_list() {
    let (world, org) = World::with_org().await;
    let page = page(&world, &org, "displays", "").await;
    assert_eq!(page["data"], json!([]));
    assert_eq!(page["pagination"], json!({ "cursor": null, "has_more": false, "total": 0 }));
}

#[tokio::test]
async fn list_includes_expired_and_revoked_grants_but_not_those_of_others() {
    let (world, org, other) = World::with_two_orgs().await;
    let expired = create_grant_with(
        &world,
        &org,
        "places",
        &json!({ "allowed_origins": [super::ORIGIN], "expires_in_days": 1 }),
    )
    .await;
    world.clock.advance(2 * super::DAY_MILLIS);
    let revoked = create_grant(&world, &org, "places").await;
    revoke(&world, &org, &revoked).await;
    create_grant(&world, &other, "places").await;
    assert_eq!(ids(&page(&world, &org, "places", "").await), [id(&revoked), id(&expired)]);
    assert_eq!(page(&world, &other, "places", "").await["pagination"]["total"], 1);
}

#[tokio::test]
async fn cursor_of_another_list_returns_400() {
    let (world, org, other) = World::with_two_orgs().await;
    for _ in 0..2 {
        create_grant(&world, &org, "places").await;
    }
    let page = page(&world, &org, "places", "limit=1").await;
    let cursor = page["pagination"]["cursor"].as_str().expect("a cursor").to_owned();
    let campaign = format!("/v2/scenarios/campaigns?cursor={cursor}");
    assert_eq!(world.get(&campaign).key(&org.key).send().await.status, 400);
    let other_way = cursor.chars().rev().collect::<String>();
    for (org, product, cursor) in [
        (&other, "places", cursor.as_str()),
        (&org, "displays", &cursor),
        (&org, "places", &cursor[..cursor.len() - 4]),
        (&org, "places", &other_way),
        (&org, "places", "AQ"),
        (&org, "places", ""),
        (&org, "places", "%00"),
    ] {
        let answer = world.get(&format!("{}?cursor={cursor}", grants(product))).key(&org.key).send().await;
        answer.assert_invalid(&[("?cursor", "that this list returned")], cursor);
    }
}
