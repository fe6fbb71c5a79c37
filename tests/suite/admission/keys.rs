//! The life of an API key: its shape, its scopes, how it is cached and stored, and how fast it is revoked.

use std::collections::BTreeSet;

use accounting::{KeyId, Product, Scope, Tier};
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{TestOrg, World, price, samples, sha256};
use http::Method;
use store::{Family, KeyState, MAX_ENDED_KEYS, MintedKey, NewKey};
use strum::IntoEnumIterator;
use tokio::task::JoinSet;

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

#[tokio::test]
async fn the_shape_of_a_key_is_checked_before_anything_is_read() {
    let world = World::new().await;
    let digits = "0123456789abcdef".repeat(4);
    let misshapen = [
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
    for key in misshapen {
        let answer = world.get(CAMPAIGNS).key(&key).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{key:?}");
        assert_eq!(world.wire.take(), [], "{key:?}");
    }
    let unknown = world.get(CAMPAIGNS).key(&format!("mq_live_{digits}")).send().await;
    assert_eq!(unknown.error(), (401, "UNAUTHORIZED".to_owned()));
    let read: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
    assert_eq!(read, ["GetItem"], "a well-shaped key is looked up, and nothing else is");
}

#[tokio::test]
async fn a_401_says_what_is_wrong_and_how_to_authenticate() {
    let (world, org) = World::with_org().await;
    let bearer_key = format!("Bearer {}", org.key);
    let cases: [(&[(&str, &str)], &str); 9] = [
        (&[], "X-API-Key"),
        (&[("x-api-key", "nonsense")], "mq_live_"),
        (&[("apikey", &org.key)], "X-API-Key"),
        (&[("authorization", &bearer_key)], "X-API-Key"),
        (&[("authorization", &org.key)], "X-API-Key"),
        (&[("authorization", &format!("bearer   {}", org.key))], "X-API-Key"),
        (&[("authorization", &format!("ApiKey {}", org.key))], "X-API-Key"),
        (&[("authorization", "Basic dXNlcjpwYXNz")], "Bearer"),
        (&[("x-api-key", &org.key), ("x-api-key", &org.key)], "API key"),
    ];
    for (headers, says) in cases {
        let call = headers.iter().fold(world.get(CAMPAIGNS), |call, (name, value)| call.header(name, value));
        let answer = call.send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{headers:?}");
        let message = answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.contains(says), "{headers:?}: {message}");
        assert!(answer.header("www-authenticate").contains("X-API-Key"), "{headers:?}");
        assert_eq!(answer.number("x-credits-used"), 0);
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}

#[tokio::test]
async fn a_header_that_is_not_text_is_no_credential_and_not_absent_either() {
    let (world, org) = World::with_org().await;
    let bytes = [org.key.as_bytes(), &[0xff]].concat();
    for name in ["x-api-key", "authorization"] {
        let answer = world.get(CAMPAIGNS).header_bytes(name, &bytes).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{name}");
        // On a public product an absent credential would be fine.
        let answer = world.get("/v2/health").header_bytes(name, &bytes).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()), "{name}");
    }
}

#[tokio::test]
async fn both_credentials_at_once_are_ambiguous_and_cost_nothing() {
    let (world, org) = World::with_org().await;
    let token = format!("Bearer {}", world.bearer(&org).await);
    world.wire.record();
    for (key, authorization) in
        [(org.key.as_str(), token.as_str()), ("nonsense", &token), (&org.key, "nonsense"), ("", "")]
    {
        for path in [CAMPAIGNS, "/v2/scenarios/events/summary", "/v2/billing/credits", "/v2/health"] {
            let answer = world.get(path).key(key).header("authorization", authorization).send().await;
            assert_eq!(
                answer.error(),
                (400, "AMBIGUOUS_AUTH".to_owned()),
                "{path} {key:?} {authorization:?}"
            );
        }
    }
    assert_eq!(world.wire.take(), [], "nothing is read for them");
    assert_eq!(world.account(&org).await.totals.used, 0);
}

#[tokio::test]
async fn a_revoked_key_is_dead_within_thirty_seconds_in_every_process() {
    let (world, org) = World::with_org().await;
    let (_, other) = world.another_process(8).await;
    let (_, fresh) = world.another_process(9).await;
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send().await.status, 200);
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send_to(other.clone()).await.status, 200);
    let spare = world.key(&org.id, Scope::all()).await;
    world.operator.revoke_key(&org.id, &first_key(&world, &org).await).await.expect("a live key");
    let never_met = world.get(CAMPAIGNS).key(&org.key).send_to(fresh).await;
    assert_eq!(never_met.status, 401, "a process that did not know the key reads that it is revoked");
    world.clock.advance(30_000);
    for answer in [
        world.get(CAMPAIGNS).key(&org.key).send().await,
        world.get(CAMPAIGNS).key(&org.key).send_to(other).await,
    ] {
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains("revoked"), "{}", answer.text());
    }
    assert_eq!(world.get(CAMPAIGNS).key(&spare).send().await.status, 200, "the new key of a rotation lives");
    let again = world.operator.revoke_key(&org.id, &first_key(&world, &org).await).await;
    assert!(again.is_err_and(|error| error.to_string().contains("no live key")));
}

#[tokio::test]
async fn a_key_is_read_once_in_thirty_seconds() {
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
async fn each_operation_needs_its_own_scope() {
    let (world, org) = World::with_org().await;
    let mut operations = vec![(Method::GET, "/v2/billing/credits".to_owned(), Scope::Billing)];
    for family in [Family::Campaign, Family::Event] {
        let library = samples::library(family);
        let asset = world.draft(&org, family).await;
        operations.extend([
            (Method::GET, library.to_owned(), Scope::ScenariosRead),
            (Method::GET, format!("{library}/summary"), Scope::ScenariosRead),
            (Method::GET, asset.clone(), Scope::ScenariosRead),
            (Method::POST, library.to_owned(), Scope::ScenariosWrite),
            (Method::PATCH, asset.clone(), Scope::ScenariosWrite),
            (Method::DELETE, asset, Scope::ScenariosWrite),
        ]);
    }
    let mut keys = Vec::new();
    for scope in Scope::iter() {
        keys.push((scope, world.key(&org.id, [scope].into_iter().collect()).await));
    }
    let before = world.account(&org).await.totals.used;
    let (mut allowed, mut used) = (0, 0);
    for (method, path, needed) in &operations {
        for (scope, key) in &keys {
            let answer = world.call(method.clone(), path).key(key).json(&serde_json::json!({})).send().await;
            if scope == needed {
                assert!(
                    answer.status.is_success() || answer.status == 400,
                    "{method} {path} {scope}: {answer:?}"
                );
                allowed += 1;
                used += answer.credits_used();
            } else {
                assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()), "{method} {path} with {scope}");
                assert!(answer.text().contains(needed.as_str()), "{}", answer.text());
                assert_eq!(answer.number("x-credits-used"), 0);
            }
        }
    }
    assert_eq!(allowed, 13, "each operation was called once with its scope");
    let prices = price(Product::ScenarioCampaignCrud) + price(Product::ScenarioEventCrud);
    assert_eq!(used, 6 * prices, "each call has its price");
    assert_eq!(world.account(&org).await.totals.used, before + used, "a 403 costs nothing");
}

#[tokio::test]
async fn an_organization_has_at_most_ten_live_keys() {
    let world = std::sync::Arc::new(World::new().await);
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    let mut mints = JoinSet::new();
    for _ in 0..20 {
        let (world, id) = (world.clone(), org.id.clone());
        mints.spawn(async move { world.operator.mint_key(&id, &new("one of many")).await.is_ok() });
    }
    let minted = mints.join_all().await.into_iter().filter(|minted| *minted).count();
    assert_eq!(minted, 9, "beside the one that it had");
    let refused = world.operator.mint_key(&org.id, &new("eleventh")).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("has 10 live keys")));
    world.operator.revoke_key(&org.id, &first_key(&world, &org).await).await.expect("a live key");
    world.operator.mint_key(&org.id, &new("eleventh")).await.expect("there is room for one");
    assert!(world.operator.mint_key(&org.id, &new("twelfth")).await.is_err());
    let keys = world.operator.keys(&org.id).await.expect("keys");
    assert_eq!(keys.len(), 11, "revoked keys stay listed");
    assert_eq!(keys.iter().filter(|key| key.revoked_at.is_none()).count(), 10);
    let handles: BTreeSet<_> = keys.iter().map(|key| key.id.clone()).collect();
    assert_eq!(handles.len(), 11);
}

#[tokio::test]
async fn a_key_that_has_expired_is_refused_at_once_even_where_it_is_remembered() {
    let (world, org) = World::with_org().await;
    let expires_at = Some(world.clock.now().plus_seconds(10));
    let key = world.mint(&org.id, NewKey { expires_at, ..new("short") }).await;
    world.clock.advance(9_999);
    assert_eq!(world.get(CAMPAIGNS).key(&key).send().await.status, 200);
    world.clock.advance(1);
    let (_, other) = world.another_process(8).await;
    for answer in [
        world.get(CAMPAIGNS).key(&key).send().await,
        world.get("/v2/health").key(&key).send().await,
        world.get(CAMPAIGNS).key(&key).send_to(other).await,
    ] {
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains("the API key has expired; mint a new one"), "{}", answer.text());
    }
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send().await.status, 200, "the one without an end lives");
}

#[tokio::test]
async fn a_key_that_expires_makes_room_for_another_and_can_still_be_revoked() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let expires_at = Some(world.clock.now().plus_days(1));
    for _ in 0..9 {
        world.mint(&org.id, NewKey { expires_at, ..new("for a day") }).await;
    }
    assert!(world.operator.mint_key(&org.id, &new("eleventh")).await.is_err());
    world.clock.advance(24 * 60 * 60 * 1_000);
    for _ in 0..9 {
        world.mint(&org.id, new("next")).await;
    }
    assert!(world.operator.mint_key(&org.id, &new("eleventh")).await.is_err());
    let keys = world.operator.keys(&org.id).await.expect("keys");
    let now = world.clock.now();
    assert_eq!(keys.iter().filter(|key| key.is_live(now)).count(), 10);
    let expired = keys.iter().find(|key| key.state(now) == KeyState::Expired).expect("an expired key");
    world.operator.revoke_key(&org.id, &expired.id).await.expect("a key that was not revoked");
    assert!(world.operator.mint_key(&org.id, &new("eleventh")).await.is_err(), "it had made room already");
}

#[tokio::test]
async fn a_list_keeps_the_last_hundred_keys_that_ended_and_those_that_live() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let mut revoked = Vec::new();
    for number in 0..110 {
        world.clock.advance(1_000);
        let minted = world.operator.mint_key(&org.id, &new(&format!("key {number}"))).await.expect("a key");
        world.operator.revoke_key(&org.id, &minted.key.id).await.expect("a live key");
        revoked.push(minted);
    }
    world.clock.advance(1_000);
    let live = world.operator.mint_key(&org.id, &new("live")).await.expect("a key");
    let keys = world.operator.keys(&org.id).await.expect("keys");
    assert_eq!(keys.len(), 1 + MAX_ENDED_KEYS + 1, "the first key lives, too");
    assert_eq!(keys[0].id, live.key.id, "the newest comes first");
    assert!(keys.is_sorted_by_key(|key| std::cmp::Reverse(key.created_at)));
    let kept = |minted: &MintedKey| keys.iter().any(|key| key.id == minted.key.id);
    assert!(!revoked[..10].iter().any(kept) && revoked[10..].iter().all(kept), "the last ones stay");
    for (minted, says) in [(&revoked[0], "unknown"), (&revoked[10], "revoked")] {
        let answer = world.get(CAMPAIGNS).key(minted.api_key.reveal()).send().await;
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains(says), "{}", answer.text());
    }
    assert_eq!(world.get(CAMPAIGNS).key(&org.key).send().await.status, 200);
}

#[tokio::test]
async fn an_organization_whose_live_keys_were_counted_before_mints_within_the_same_bound() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = world.engine().put_item().table_name("marquee-credentials");
    let put = put.item("pk", text("org#org_a")).item("sk", text("keys"));
    put.item("live", AttributeValue::N("1".to_owned())).send().await.expect("the engine answers");
    for _ in 0..9 {
        world.mint(&org.id, new("next")).await;
    }
    assert!(world.operator.mint_key(&org.id, &new("eleventh")).await.is_err());
}

#[tokio::test]
async fn a_key_of_one_organization_neither_revokes_nor_reads_anothers() {
    let world = World::new().await;
    let (a, b) = (world.org("org_a").await, world.org("org_b").await);
    let revoked = world.operator.revoke_key(&b.id, &first_key(&world, &a).await).await;
    assert!(revoked.is_err());
    let credits = world.get("/v2/billing/credits").key(&a.key).send().await;
    assert_eq!(credits.data()["org_id"], a.id.as_str());
    let credits = world.get("/v2/billing/credits").key(&b.key).send().await;
    assert_eq!(credits.data()["org_id"], b.id.as_str());
}

#[tokio::test]
async fn only_the_digest_of_a_key_is_stored() {
    let (world, org) = World::with_org().await;
    assert_eq!(world.post(CAMPAIGNS).key(&org.key).json(&samples::campaign()).send().await.status, 200);
    let secret = org.key.strip_prefix("mq_live_").expect("a key");
    let stored =
        [world.stored("credentials").await, world.stored("accounts").await, world.stored("assets").await];
    let shown = format!("{stored:?}");
    assert!(stored.iter().all(|items| !items.is_empty()), "there is something in every table");
    assert!(!shown.contains(secret), "the key itself lies nowhere");
    assert!(!shown.contains(&secret[..60]), "nor does most of it");
    let digest = sha256(org.key.as_bytes());
    assert!(stored[0].iter().any(|item| item["pk"].as_s().is_ok_and(|pk| *pk == format!("key#{digest}"))));
}

fn new(label: &str) -> NewKey {
    NewKey { label: label.parse().expect("a label"), scopes: Scope::all(), expires_at: None }
}

/// Returns the handle of the organization's oldest key: the one in `org.key`.
async fn first_key(world: &World, org: &TestOrg) -> KeyId {
    let keys = world.operator.keys(&org.id).await.expect("keys");
    keys.into_iter().find(|key| org.key.ends_with(&key.last_four)).expect("the first key").id
}
