//! API keys in admission: format, caching, storage, and revocation.

use accounting::{KeyId, Scope, Tier};
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{TestOrg, World, samples};
use store::{CreatedKey, MAX_ENDED_KEYS, NewKey};

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

#[tokio::test]
async fn malformed_key_returns_401_without_a_database_read() {
    let world = World::new().await;
    let digits = "0123456789abcdef".repeat(4);
    let malformed = [
        String::new(),
        " ".to_owned(),
        "mq_live_".to_owned(),
        digits.clone(),
        format!("mq_test_{digits}"),
        format!("MQ_LIVE_{digits}"),
        format!("mq_live_{}", digits.to_uppercase()),
        format!("mq_live_{}", &digits[1..]),
        format!("mq_live_{digits}0"),
        format!("mq_live_{}g", &digits[1..]),
        format!(" mq_live_{digits}"),
        format!("mq_live_{digits} "),
        format!("mq_live_{digits},mq_live_{digits}"),
        "x".repeat(10_000),
    ];
    world.wire.record();
    for key in malformed {
        let answer = world.get(CAMPAIGNS).key(&key).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{key:?}");
        assert_eq!(world.wire.take(), [], "{key:?}");
    }
    let unknown = world.get(CAMPAIGNS).key(&format!("mq_live_{digits}")).send().await;
    assert_eq!(unknown.error(), (401, "UNAUTHORIZED".to_owned()));
    let read: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
    assert_eq!(read, ["GetItem"], "a well-formed key costs one lookup");
}

#[tokio::test]
async fn credential_header_with_invalid_bytes_returns_401() {
    let (world, org) = World::with_org().await;
    let bytes = [org.key.as_bytes(), &[0xff]].concat();
    for name in ["x-api-key", "authorization"] {
        let answer = world.get(CAMPAIGNS).header_bytes(name, &bytes).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{name}");
        // Public products don't require a credential, but reject an invalid one.
        let answer = world.get("/v2/health").header_bytes(name, &bytes).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{name}");
    }
}

#[tokio::test]
async fn revoked_key_stops_working_within_thirty_seconds_in_every_process() {
    let (world, org) = World::with_org().await;
    let (_, other) = world.another_process(8).await;
    let (_, fresh) = world.another_process(9).await;
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send().await.status, 200);
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send_to(other.clone()).await.status, 200);
    let spare = world.key(&org.id, Scope::all()).await;
    world.administrator.revoke_key(&org.id, &first_key(&world, &org).await).await.expect("the key is live");
    let uncached = world.get(CAMPAIGNS).key(&org.key).send_to(fresh).await;
    assert_eq!(uncached.status, 401, "a process that hasn't cached the key rejects it immediately");
    world.clock.advance(30_000);
    for answer in [
        world.get(CAMPAIGNS).key(&org.key).send().await,
        world.get(CAMPAIGNS).key(&org.key).send_to(other).await,
    ] {
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains("revoked"), "{}", answer.text());
    }
    // The organization's other key still works.
    assert_eq!(world.get(CAMPAIGNS).key(&spare).send().await.status, 200);
    let again = world.administrator.revoke_key(&org.id, &first_key(&world, &org).await).await;
    assert!(again.is_err_and(|error| error.to_string().contains("no active key")));
}

#[tokio::test]
async fn key_is_cached_for_thirty_seconds() {
    let (world, org) = World::with_org().await;
    assert_eq!(world.get("/v2/health").key(&org.key).send().await.status, 200);
    let reads_of_keys =
        |world: &World| world.wire.take().iter().filter(|sent| sent.body["Key"]["sk"]["S"] == "key").count();
    world.wire.record();
    world.clock.advance(29_999);
    world.get(CAMPAIGNS).key(&org.key).send().await;
    assert_eq!(reads_of_keys(&world), 0);
    world.clock.advance(1);
    world.get(CAMPAIGNS).key(&org.key).send().await;
    assert_eq!(reads_of_keys(&world), 1);
}

#[tokio::test]
async fn list_keeps_live_keys_and_the_last_hundred_ended_ones() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let mut revoked = Vec::new();
    for number in 0..110 {
        world.clock.advance(1_000);
        let created =
            world.administrator.create_key(&org.id, &new(&format!("key {number}"))).await.expect("created");
        world.administrator.revoke_key(&org.id, &created.key.id).await.expect("the key is live");
        revoked.push(created);
    }
    world.clock.advance(1_000);
    let owner = world.owner_token(&org).await;
    let created = world.post("/v2/account/keys").bearer(&owner).json(&samples::api_key()).send().await;
    let keys = world.administrator.keys(&org.id).await.expect("the keys are listed");
    assert_eq!(keys.len(), 1 + MAX_ENDED_KEYS + 1, "expected the first key, the ended keys and the new key");
    assert_eq!(created.data()["key_id"], keys[0].id.to_string(), "the newest comes first");
    assert!(keys.is_sorted_by_key(|key| std::cmp::Reverse(key.created_at)));
    let kept = |created: &CreatedKey| keys.iter().any(|key| key.id == created.key.id);
    // The most recently ended keys are kept.
    assert!(!revoked[..10].iter().any(kept) && revoked[10..].iter().all(kept));
    for (created, words) in [(&revoked[0], "unknown"), (&revoked[10], "revoked")] {
        let answer = world.get(CAMPAIGNS).key(created.api_key.reveal()).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains(words), "{}", answer.text());
    }
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send().await.status, 200);
}

#[tokio::test]
async fn key_limit_applies_with_a_counter_stored_before_key_creation() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = world.engine().put_item().table_name("marquee-credentials");
    let put = put.item("pk", text("org#org_a")).item("sk", text("keys"));
    put.item("live", AttributeValue::N("1".to_owned())).send().await.expect("a response");
    for _ in 0..9 {
        world.create(&org.id, new("next")).await;
    }
    let refused = world.administrator.create_key(&org.id, &new("eleventh")).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("has 10 active keys")));
}

fn new(label: &str) -> NewKey {
    NewKey { label: label.parse().expect("valid label"), scopes: Scope::all(), expires_at: None }
}

/// Returns the ID of the organization's first key, `org.key`.
async fn first_key(world: &World, org: &TestOrg) -> KeyId {
    let keys = world.administrator.keys(&org.id).await.expect("the keys are listed");
    keys.into_iter().find(|key| org.key.ends_with(&key.last_four)).expect("the first key is listed").id
}
