//! Owners create, list, and revoke API keys.

use std::collections::BTreeSet;

use accounting::Scope;
use harness::{Answer, Call, Fault, Logs, StoredItem, TestOrg, World, samples};
use serde_json::{Value, json};
use store::{Credentials, Role};
use strum::IntoEnumIterator;
use tokio::task::JoinSet;

use super::INVITATIONS;

const KEYS: &str = "/v2/account/keys";
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

fn create<'a>(world: &'a World, token: &str) -> Call<'a> {
    world.post(KEYS).bearer(token).json(&json!({ "label": "import", "scopes": ["billing"] }))
}

async fn created(world: &World, token: &str, body: &Value) -> Value {
    let answer = world.post(KEYS).bearer(token).json(body).send().await;
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.data()
}

async fn listed(world: &World, token: &str) -> Vec<Value> {
    let answer = world.get(KEYS).bearer(token).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data().as_array().expect("a list").clone()
}

fn text(key: &Value, member: &str) -> String {
    key[member].as_str().unwrap_or_else(|| panic!("no {member} in {key}")).to_owned()
}

fn path_of(key: &Value) -> String {
    format!("{KEYS}/{}", text(key, "key_id"))
}

/// Creates an organization and revokes its first key. Returns the organization and an owner's token.
async fn without_keys(world: &World, name: &str) -> (TestOrg, String) {
    let org = world.org(name).await;
    let first = world.administrator.keys(&org.id).await.expect("the keys are listed").remove(0);
    world.administrator.revoke_key(&org.id, &first.id).await.expect("the key is live");
    // Makes later keys newer than the first key.
    world.clock.advance(1_000);
    let token = world.owner_token(&org).await;
    (org, token)
}

#[tokio::test]
async fn key_is_returned_once_and_listed_without_its_clear_text() {
    let world = World::new().await;
    let (org, token) = without_keys(&world, "org_a").await;
    let me = world.get("/v2/account").bearer(&token).send().await.data()["person"]["member_id"].clone();
    let body = json!({ "label": "  nightly import\n", "scopes": ["billing", "scenarios:read"], "expires_in_days": 90 });
    let mut key = created(&world, &token, &body).await;
    let api_key = text(&key, "api_key");
    assert!(api_key.starts_with("mq_live_") && api_key.len() == 72);
    key.as_object_mut().expect("an object").remove("api_key");
    let expected = json!({
        "key_id": key["key_id"],
        "label": "nightly import",
        "scopes": ["scenarios:read", "billing"],
        "last_four": api_key[68..],
        "state": "live",
        "created_at": "2026-11-20T09:00:31.000Z",
        "created_by": { "member_id": me, "name": null, "email": "owner-of-org_a@example.com" },
        "expires_at": "2027-02-18T09:00:31.000Z",
        "revoked_at": null,
        "revoked_by": null,
    });
    assert_eq!(key, expected);
    let list = listed(&world, &token).await;
    assert_eq!(list[0], expected, "the newest comes first");
    // Keys created by the administrator have no `created_by`.
    assert_eq!((&list[1]["created_by"], &list[1]["state"]), (&Value::Null, &json!("revoked")));
    assert_eq!(list.len(), 2);
    assert_eq!(world.get("/v2/billing/credits").key(&api_key).send().await.status, 200);
    assert_eq!(world.get("/v2/markets").key(&api_key).send().await.error(), (403, "FORBIDDEN".to_owned()));
    assert_eq!(world.account(&org).await.totals.used, 0, "managing keys is free");
}

#[tokio::test]
async fn accepts_values_at_the_limits_of_the_body() {
    let world = World::new().await;
    let (_, token) = without_keys(&world, "org_a").await;
    let all: Vec<_> = Scope::iter().collect();
    for body in [
        json!({ "label": "\u{e9}".repeat(200), "scopes": all, "expires_in_days": 365 }),
        json!({ "label": "x", "scopes": ["tiles"], "expires_in_days": 1 }),
        json!({ "label": "x", "scopes": ["tiles"], "expires_in_days": null }),
    ] {
        let key = created(&world, &token, &body).await;
        assert_eq!(key["scopes"], body["scopes"]);
        assert_eq!(key["expires_at"].is_null(), body["expires_in_days"].is_null(), "{key}");
    }
    assert_eq!(listed(&world, &token).await.len(), 4, "no other keys were created");
}

#[tokio::test]
async fn returns_404_for_another_organizations_key() {
    let world = World::new().await;
    let (org, token) = without_keys(&world, "org_a").await;
    let (_, others) = without_keys(&world, "org_b").await;
    let key = created(&world, &others, &samples::api_key()).await;
    for path in
        [path_of(&key), format!("{KEYS}/ffffffff"), format!("{KEYS}/{}", &org.key[8..]), format!("{KEYS}/x")]
    {
        let answer = world.delete(&path).bearer(&token).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}");
    }
    let ids: Vec<_> = listed(&world, &token).await.iter().map(|key| text(key, "key_id")).collect();
    assert!(!ids.contains(&text(&key, "key_id")), "the other organization's key is not listed");
    assert_eq!(listed(&world, &others).await[0]["state"], "live");
}

#[tokio::test]
async fn revocation_takes_effect_within_thirty_seconds_and_records_the_revoker() {
    let world = World::new().await;
    let (org, token) = without_keys(&world, "org_a").await;
    let second = world.person("second-owner");
    world.member(&org, &second, Role::Owner).await;
    let key = created(&world, &token, &json!({ "label": "x", "scopes": ["billing"] })).await;
    let call = || world.get("/v2/billing/credits").key(key["api_key"].as_str().expect("a key"));
    assert_eq!(call().send().await.status, 200);
    let revoke = async |token: &str| {
        let answer = world.delete(&path_of(&key)).bearer(token).send().await;
        assert_eq!((answer.status.as_u16(), answer.text()), (204, String::new()));
    };
    world.clock.advance(1_000);
    revoke(&world.token(&second)).await;
    world.clock.advance(30_000);
    let answer = call().send().await;
    assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
    assert!(answer.text().contains("was revoked"), "{}", answer.text());
    revoke(&token).await;
    let list = listed(&world, &token).await;
    assert_eq!(list[0]["state"], "revoked");
    assert_eq!(list[0]["revoked_at"], "2026-11-20T09:00:32.000Z", "the first revocation is recorded");
    let by = json!({ "member_id": second.subject.member_id(), "name": null, "email": null });
    assert_eq!(list[0]["revoked_by"], by, "the first revoker is recorded");
}

#[tokio::test]
async fn key_works_until_its_expiry() {
    let world = World::new().await;
    let (_, token) = without_keys(&world, "org_a").await;
    let key =
        created(&world, &token, &json!({ "label": "x", "scopes": ["billing"], "expires_in_days": 1 })).await;
    let call = || world.get("/v2/billing/credits").key(key["api_key"].as_str().expect("a key"));
    world.clock.advance(DAY_MILLIS - 1);
    assert_eq!(call().send().await.status, 200);
    world.clock.advance(1);
    let (_, other) = world.another_process(8).await;
    let health = world.get("/v2/health").key(key["api_key"].as_str().expect("a key"));
    for answer in [call().send().await, health.send().await, call().send_to(other).await] {
        assert_eq!(answer.error(), (401, "UNAUTHORIZED".to_owned()));
        assert!(answer.text().contains("the API key has expired; create a new one"), "{}", answer.text());
    }
    // The person's first token has also expired.
    let token = world.token(&world.person("owner-of-org_a"));
    assert_eq!(listed(&world, &token).await[0]["state"], "expired");
    assert_eq!(world.delete(&path_of(&key)).bearer(&token).send().await.status, 204);
    assert_eq!(listed(&world, &token).await[0]["state"], "revoked");
}

#[tokio::test]
async fn eleventh_live_key_is_rejected_until_one_is_revoked_or_expires() {
    let world = World::new().await;
    let (_, token) = without_keys(&world, "org_a").await;
    let short =
        created(&world, &token, &json!({ "label": "short", "scopes": ["billing"], "expires_in_days": 1 }))
            .await;
    let other = created(&world, &token, &samples::api_key()).await;
    for _ in 2..10 {
        assert_eq!(create(&world, &token).send().await.status, 200);
    }
    let refused = create(&world, &token).send().await;
    assert_eq!(refused.error(), (409, "LIMIT_REACHED".to_owned()));
    assert!(refused.text().contains("10 active API keys"), "{}", refused.text());
    assert_eq!(world.delete(&path_of(&other)).bearer(&token).send().await.status, 204);
    assert_eq!(create(&world, &token).send().await.status, 200, "a revoked key doesn't count");
    assert_eq!(create(&world, &token).send().await.status, 409);
    world.clock.advance(DAY_MILLIS);
    let token = world.token(&world.person("owner-of-org_a"));
    assert_eq!(create(&world, &token).send().await.status, 200, "an expired key doesn't count");
    assert_eq!(create(&world, &token).send().await.status, 409);
    assert_eq!(world.delete(&path_of(&short)).bearer(&token).send().await.status, 204);
    assert_eq!(create(&world, &token).send().await.status, 409, "an expired key counts once");
    assert_eq!(live(&listed(&world, &token).await), 10);
}

fn live(keys: &[Value]) -> usize {
    keys.iter().filter(|key| key["state"] == "live").count()
}

#[tokio::test]
async fn concurrent_creates_never_exceed_the_key_limit() {
    let world = World::new().await;
    let (_, token) = without_keys(&world, "org_a").await;
    for _ in 0..7 {
        assert_eq!(create(&world, &token).send().await.status, 200);
    }
    let mut creates = JoinSet::new();
    for seed in 0..8 {
        let (_, router) = world.another_process(100 + seed).await;
        creates.spawn(create(&world, &token).send_to(router));
    }
    let mut statuses: Vec<_> = creates.join_all().await.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 409, 409, 409, 409, 409]);
    let list = listed(&world, &token).await;
    assert_eq!((live(&list), list.len()), (10, 11));
    let handles: BTreeSet<_> = list.iter().map(|key| text(key, "key_id")).collect();
    assert_eq!(handles.len(), 11);
}

#[tokio::test]
async fn former_owner_cannot_make_changes_despite_a_cached_role() {
    let world = World::new().await;
    let (org, owner) = without_keys(&world, "org_a").await;
    let demoted = world.person("demoted");
    let removed = world.person("removed");
    for person in [&demoted, &removed] {
        world.member(&org, person, Role::Owner).await;
        assert_eq!(world.get(KEYS).bearer(&world.token(person)).send().await.status, 200);
    }
    world.member(&org, &demoted, Role::Member).await;
    world.administrator.remove_member(&org.id, removed.subject.clone()).await.expect("removed");
    let key = format!("{KEYS}/{}", world.key_to_revoke(&org).await);
    let (invitation, _) = world.invite(&org, &world.person("guest"), Role::Member).await;
    let invitation = format!("{INVITATIONS}/{}", invitation.id);
    for token in [&demoted, &removed].map(|person| world.token(person)) {
        let revoke = |path: &str| world.delete(path).bearer(&token);
        for call in [create(&world, &token), revoke(&key), revoke(&invitation)] {
            let answer = call.send().await;
            assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
            assert!(answer.text().contains("only owners of your organization"), "{}", answer.text());
        }
    }
    let keys = listed(&world, &owner).await;
    assert_eq!((keys.len(), live(&keys)), (2, 1), "expected the administrator's revoked and active keys");
    assert_eq!(world.get(INVITATIONS).bearer(&owner).send().await.data()[0]["state"], "live");
}

#[tokio::test]
async fn key_shows_its_creators_email_only_while_they_are_a_member() {
    let world = World::new().await;
    let (org, token) = without_keys(&world, "org_a").await;
    let leaver = world.person("leaver");
    let subject = leaver.subject.clone();
    let credentials = Credentials::new(world.app.dynamo.clone());
    let leaver_token = world.joined(&org, &leaver, Role::Owner).await;
    let key = created(&world, &leaver_token, &samples::api_key()).await;
    let named = json!({ "member_id": subject.member_id(), "name": null, "email": "leaver@example.com" });
    assert_eq!(key["created_by"], named);
    assert_eq!(listed(&world, &token).await[0]["created_by"], named);
    let found = credentials.live_keys_made_by(&org.id, &subject.member_id(), world.clock.now()).await;
    let found: Vec<_> =
        found.expect("the keys are listed").into_iter().map(|key| key.id.to_string()).collect();
    assert_eq!(found, [text(&key, "key_id")], "the removal finds the member's keys");
    world.administrator.remove_member(&org.id, subject.clone()).await.expect("removed");
    let list = listed(&world, &token).await;
    assert_eq!(
        list[0]["created_by"],
        json!({ "member_id": subject.member_id(), "name": null, "email": null })
    );
    assert_eq!(list[0]["state"], "live", "a removed member's key stays live until it is revoked");
}

#[tokio::test]
async fn lost_response_leaves_one_complete_key_or_nothing() {
    let mut outcomes = BTreeSet::new();
    for fault in [Fault::RequestLost, Fault::ErrorBeforeCommit, Fault::ErrorAfterCommit] {
        for (first, lasts) in (0..9).flat_map(|first| [(first, false), (first, true)]) {
            let at = format!("{fault:?} from call {first}, lasting: {lasts}");
            let world = World::new().await;
            let (org, token) = without_keys(&world, "org_a").await;
            let mut sent = 0;
            world.wire.inject_faults(move |_| {
                sent += 1;
                let is_hit = sent - 1 == first || (lasts && sent > first);
                if is_hit { fault } else { Fault::None }
            });
            let answer = create(&world, &token).send().await;
            world.wire.inject_faults(|_| Fault::None);
            assert!(answer.status == 200 || (lasts && answer.status == 503), "{at}: {}", answer.text());
            let keys = assert_whole(&world, &org, &token, &answer).await;
            outcomes.insert((answer.status.as_u16(), keys));
            world.clock.advance(60_000);
            for _ in live(&listed(&world, &token).await)..10 {
                assert_eq!(create(&world, &token).send().await.status, 200, "{at}");
            }
            assert_eq!(create(&world, &token).send().await.status, 409, "{at}");
        }
    }
    // If all responses are lost, a key may exist that the caller never received. The key is in the list.
    assert_eq!(outcomes, BTreeSet::from([(200, 1), (503, 0), (503, 1)]));
}

/// Asserts that each key is stored both in the list and under its digest, and that a returned key is stored.
/// Returns the number of keys, not counting the administrator's first key.
async fn assert_whole(world: &World, org: &TestOrg, token: &str, answer: &Answer) -> usize {
    let items = world.stored("credentials").await;
    let of = |sort_key: &str| {
        let is = |item: &StoredItem, name: &str, text: &str| {
            item.get(name).and_then(|value| value.as_s().ok()).is_some_and(|value| value.starts_with(text))
        };
        let of_org = items.iter().filter(|item| is(item, "org", org.id.as_str()));
        let of_kind = of_org.filter(|item| is(item, "sk", sort_key) && item.contains_key("key_id"));
        of_kind.map(|item| item["key_id"].as_s().expect("an ID").clone()).collect::<Vec<_>>()
    };
    let by_digest: BTreeSet<_> = of("key").into_iter().collect();
    let in_list: BTreeSet<_> = of("key#").into_iter().collect();
    assert_eq!((of("key").len(), of("key#").len()), (2 * in_list.len(), in_list.len()));
    assert_eq!(by_digest, in_list);
    if answer.status == 200 {
        assert!(in_list.contains(&text(&answer.data(), "key_id")), "{in_list:?}");
    }
    assert_eq!(listed(world, token).await.len(), in_list.len());
    in_list.len() - 1
}

#[tokio::test]
async fn clear_text_appears_only_in_the_create_response_and_never_in_logs() {
    let world = World::new().await;
    let logs = Logs::capture();
    let (_, token) = without_keys(&world, "org_a").await;
    let key = created(&world, &token, &samples::api_key()).await;
    let secret = text(&key, "api_key")["mq_live_".len()..].to_owned();
    let api_key = text(&key, "api_key");
    let mut answers = vec![
        world.get(KEYS).bearer(&token).send().await,
        world.delete(&format!("{KEYS}/{api_key}")).bearer(&token).send().await,
        world.post(KEYS).bearer(&token).json(&json!({ "label": 1, "scopes": [api_key] })).send().await,
        world.get("/v2/billing/credits").key(&api_key).send().await,
        world.delete(&path_of(&key)).bearer(&token).send().await,
    ];
    world.clock.advance(30_000);
    answers.push(world.get("/v2/billing/credits").key(&api_key).send().await);
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses, [200, 404, 400, 200, 204, 401]);
    for answer in [&answers[0], &answers[1], &answers[3], &answers[4], &answers[5]] {
        assert!(!answer.text().contains(&secret), "{}", answer.text());
    }
    for line in logs.lines() {
        assert!(!line.contains(&secret), "{line}");
    }
    let stored = format!("{:?}", world.stored("credentials").await);
    assert!(!stored.contains(&secret), "only the key's digest is stored");
}
