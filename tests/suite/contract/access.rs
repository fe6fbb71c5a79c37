//! Whom each operation lets in, and what it says to everybody else.

use accounting::{Audience, Scope, Scopes};
use harness::{Answer, OPERATIONS, Operation, World, price};
use serde_json::json;
use store::Role;
use strum::IntoEnumIterator;

use Met::{Ambiguous, Forbidden, In, Unauthorized};

/// A minute, after which each caller has its calls again.
const MINUTE: i64 = 60_000;

/// What a call meets at the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    In,
    Ambiguous,
    Unauthorized,
    Forbidden,
}

/// Credentials, as headers.
type Presented<'a> = &'a [(&'a str, &'a str)];

/// Whom an audience lets in: who sends no credential, a key in `X-API-Key`, a key in `apikey`, a token of a member
/// and a token of somebody without an organization.
fn met_by(audience: Audience) -> [Met; 5] {
    match audience {
        Audience::Open => [In; 5],
        Audience::Public | Audience::Anyone => [In, In, Unauthorized, In, Forbidden],
        Audience::SearchKey => [Unauthorized, Unauthorized, In, Forbidden, Forbidden],
        Audience::SearchKeyOrBearer => [Unauthorized, Unauthorized, In, In, Forbidden],
        Audience::KeyOrBearer => [Unauthorized, In, Unauthorized, In, Forbidden],
        Audience::Person => [Unauthorized, Forbidden, Unauthorized, In, In],
        Audience::Member => [Unauthorized, Forbidden, Unauthorized, In, Forbidden],
    }
}

/// Calls an operation of things that there are not, with a body that it refuses, a minute after its last call.
async fn call(world: &World, operation: &Operation, presented: Presented<'_>) -> Answer {
    let call = world.call(operation.method.clone(), &operation.path_of_nothing());
    let call = match operation.body {
        Some(_) => call.json(&json!({ "unknown": 1 })),
        None => call,
    };
    presented.iter().fold(call, |call, (name, value)| call.header(name, value)).send().await
}

fn met(answer: &Answer) -> Met {
    match answer.status.as_u16() {
        400 if answer.error().1 == "AMBIGUOUS_AUTH" => Ambiguous,
        401 => Unauthorized,
        403 => Forbidden,
        _ => In,
    }
}

/// Holds a refusal to what it says, and to what it does not do.
fn assert_refused(operation: &Operation, presented: Presented<'_>, answer: &Answer, key: &str) {
    let (text, context) = (answer.text(), format!("{} {presented:?}", operation.name()));
    assert_eq!((answer.credits_used(), answer.header("x-session-token")), (0, ""), "{context}");
    assert!(!text.contains(key), "{context}: {text}");
    let error = answer.json()["error"].take();
    let said = (error["status"].as_u64(), error["product"].as_str());
    assert_eq!(said, (Some(answer.status.as_u16().into()), Some(operation.product.name())), "{context}");
    let own_header = match operation.key_header() {
        _ if operation.is_for_people() => "`Authorization: Bearer`",
        "apikey" => "`apikey`",
        _ => "`X-API-Key`",
    };
    let says = match (met(answer), operation.audience) {
        (Forbidden, Audience::SearchKey) => "this operation requires an API key in `apikey`",
        (Forbidden, _) if presented[0].0 == "x-api-key" => "this operation requires a signed-in person",
        (Forbidden, _) => "you do not belong to an organization yet",
        (Unauthorized, audience) => {
            assert_eq!(answer.header("www-authenticate"), challenge(audience), "{context}");
            let is_told_its_place = |(name, value): &(&str, &str)| {
                value.contains(key) && !(operation.is_for_people() && *name == "authorization")
            };
            match presented {
                [one, other] if one == other => "API key",
                _ if presented.iter().all(is_told_its_place) => own_header,
                _ => "",
            }
        }
        (In | Ambiguous, _) => "",
    };
    let is_known = met(answer) == Forbidden;
    for name in ["x-credits-remaining", "x-ratelimit-limit", "ratelimit", "ratelimit-policy"] {
        assert!(is_known || answer.header(name).is_empty(), "{context}: {name}");
    }
    assert!(text.contains(says), "{context}: {text}");
    assert!(own_header != "`apikey`" || !text.contains("X-API-Key"), "{context}: {text}");
}

/// Returns what a 401 asks for.
fn challenge(audience: Audience) -> &'static str {
    match audience {
        Audience::SearchKey => "ApiKey header=\"apikey\"",
        Audience::SearchKeyOrBearer => "ApiKey header=\"apikey\", Bearer",
        Audience::Person | Audience::Member => "Bearer",
        _ => "ApiKey header=\"X-API-Key\", Bearer",
    }
}

/// Operations whose callers are told apart at the door; a tile's are, by its capability, behind it.
fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(|operation| operation.id != "read_tile")
}

#[tokio::test]
async fn every_operation_meets_just_its_audience_and_its_refusals_cost_nothing() {
    let (world, org) = World::with_org().await;
    let session = world.post("/v2/msearch").json(&json!({})).send().await;
    let (key, session) = (org.key.as_str(), session.header("x-session-token"));
    let as_bearer = format!("Bearer {key}");
    let member = format!("Bearer {}", world.bearer(&org).await);
    let stranger = format!("Bearer {}", world.newcomer_token());
    let mut used = 0;
    for operation in operations() {
        world.clock.advance(MINUTE);
        let own_header = operation.key_header();
        let [nobody, by_key, by_search_key, by_member, by_stranger] = met_by(operation.audience);
        let of = |met| if operation.audience == Audience::Open { In } else { met };
        let presented: [(Met, Presented<'_>); 20] = [
            (nobody, &[]),
            (nobody, &[("x-session-token", session)]),
            (by_key, &[("x-api-key", key)]),
            (by_key, &[("x-api-key", key), ("x-session-token", session)]),
            (by_search_key, &[("apikey", key)]),
            (by_member, &[("authorization", &member)]),
            (by_stranger, &[("authorization", &stranger)]),
            (of(Unauthorized), &[("authorization", &as_bearer)]),
            (of(Unauthorized), &[("authorization", key)]),
            (of(Unauthorized), &[("authorization", &format!("bearer   {key}"))]),
            (of(Unauthorized), &[("authorization", &format!("ApiKey {key}"))]),
            (of(Unauthorized), &[(own_header, key), (own_header, key)]),
            (of(Unauthorized), &[("authorization", "")]),
            (of(Unauthorized), &[("authorization", "Bearer a.b.c")]),
            (of(Unauthorized), &[("x-api-key", "nonsense")]),
            (of(Unauthorized), &[("x-api-key", "")]),
            (of(Unauthorized), &[("apikey", "nonsense")]),
            (of(Unauthorized), &[("apikey", "")]),
            (of(Ambiguous), &[(own_header, key), ("authorization", &member)]),
            (of(Ambiguous), &[(own_header, "nonsense"), ("authorization", "nonsense")]),
        ];
        for (expected, presented) in presented {
            let context = format!("{} {presented:?}", operation.name());
            world.wire.record();
            let answer = call(&world, operation, presented).await;
            let read = world.wire.take();
            assert_eq!(met(&answer), expected, "{context}: {}", answer.text());
            if expected != In {
                assert_refused(operation, presented, &answer, key);
                assert!(expected != Ambiguous || read.is_empty(), "{context}: nothing is read");
            } else if presented.iter().any(|(name, _)| *name != "x-session-token") {
                used += answer.credits_used();
            }
        }
    }
    assert_eq!(world.account(&org).await.totals.used, used);
}

#[tokio::test]
async fn a_key_opens_the_operations_of_its_scope_and_no_others() {
    let (world, org) = World::with_org().await;
    let mut keys = Vec::new();
    for scope in Scope::iter().map(Some).chain([None]) {
        keys.push((scope, world.key(&org.id, scope.into_iter().collect::<Scopes>()).await));
    }
    let mut used = 0;
    let take_keys =
        |operation: &&Operation| operation.audience != Audience::Open && !operation.is_for_people();
    for operation in operations().filter(take_keys) {
        world.clock.advance(MINUTE);
        let needed = operation.product.scope(operation.method.is_safe());
        for (scope, key) in &keys {
            let answer = call(&world, operation, &[(operation.key_header(), key)]).await;
            let context = format!("{} with {scope:?}: {}", operation.name(), answer.text());
            let told = (met(&answer), answer.credits_used());
            match needed {
                Some(needed) if *scope != Some(needed) => {
                    assert_eq!(told, (Forbidden, 0), "{context}");
                    assert!(answer.text().contains(&format!("`{needed}`")), "{context}");
                }
                _ => assert_eq!(told, (In, price(operation.product)), "{context}"),
            }
            used += answer.credits_used();
        }
    }
    assert_eq!(world.account(&org).await.totals.used, used);
}

#[tokio::test]
async fn a_suspended_organization_reads_what_it_has_and_owes_and_nothing_else() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await.totals;
    let member = format!("Bearer {}", world.bearer(&org).await);
    assert!(world.operator.suspend(&org.id).await.expect("the engine answers"), "it was not suspended");
    for operation in operations() {
        world.clock.advance(MINUTE);
        let [_, _, _, by_member, by_stranger] = met_by(operation.audience);
        let by_key = if operation.is_for_people() { Forbidden } else { In };
        // A person without an organization may call what a person of any may.
        let is_open = operation.product.is_for_suspended() || by_stranger == In;
        for (meets, header, value) in
            [(by_key, operation.key_header(), &org.key), (by_member, "authorization", &member)]
        {
            if meets != In {
                continue;
            }
            let account = world.account(&org).await;
            let answer = call(&world, operation, &[(header, value)]).await;
            let context = format!("{} by {header}: {}", operation.name(), answer.text());
            if is_open {
                assert_eq!(met(&answer), In, "{context}");
            } else {
                assert_eq!(answer.error(), (403, "ORGANIZATION_SUSPENDED".to_owned()), "{context}");
                assert_eq!(answer.credits_used(), 0, "{context}");
                assert_eq!(world.account(&org).await, account, "{context}: it does not count");
            }
        }
    }
    assert_eq!(world.account(&org).await.totals, before);
}

#[tokio::test]
async fn what_is_for_owners_changes_nothing_for_a_member() {
    let (world, org) = World::with_org().await;
    let member = world.person("planner");
    let token = world.joined(&org, &member, Role::Member).await;
    for operation in operations().filter(|operation| operation.audience == Audience::Member) {
        let path = operation.path_for(&world, &org, &world.router()).await;
        let before = world.stored("credentials").await;
        let answer = operation.call(&world, &path).bearer(&token).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()), "{}", operation.name());
        let says = "owners of your organization; ask one of them";
        assert!(answer.text().contains(says), "{}: {}", operation.name(), answer.text());
        assert_eq!(world.stored("credentials").await, before, "{}", operation.name());
    }
}
