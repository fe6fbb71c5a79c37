//! Access control: the credentials that each operation accepts, and how it rejects all others.

use accounting::{AuthRequirement, Credits, Scope, Scopes};
use harness::{Answer, OPERATIONS, Operation, World, price};
use serde_json::json;
use store::Role;
use strum::IntoEnumIterator;

use AuthOutcome::{Ambiguous, Forbidden, In, Unauthorized};

/// In milliseconds. Rate limits reset every minute.
const MINUTE: i64 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AuthOutcome {
    In,
    Ambiguous,
    Unauthorized,
    Forbidden,
}

/// Credentials as header names and values.
type Presented<'a> = &'a [(&'a str, &'a str)];

/// Returns the expected results for an authentication requirement with each kind of credential: none, a key
/// in `X-API-Key`, a key in `apikey`, a member's token, and the token of a person without an organization.
fn expected_outcomes(requirement: AuthRequirement) -> [AuthOutcome; 5] {
    match requirement {
        AuthRequirement::Open => [In; 5],
        AuthRequirement::Public | AuthRequirement::Anyone => [In, In, Unauthorized, In, Forbidden],
        AuthRequirement::SearchKey => [Unauthorized, Unauthorized, In, Forbidden, Forbidden],
        AuthRequirement::SearchKeyOrBearer => [Unauthorized, Unauthorized, In, In, Forbidden],
        AuthRequirement::KeyOrBearer => [Unauthorized, In, Unauthorized, In, Forbidden],
        AuthRequirement::Person => [Unauthorized, Forbidden, Unauthorized, In, In],
        AuthRequirement::Member => [Unauthorized, Forbidden, Unauthorized, In, Forbidden],
    }
}

/// Calls an operation with IDs that don't exist and, if it takes a body, an invalid body.
async fn call(world: &World, operation: &Operation, presented: Presented<'_>) -> Answer {
    let call = world.call(operation.method.clone(), &operation.path_of_unknown_ids());
    let call = match operation.body {
        Some(_) => call.json(&json!({ "unknown": 1 })),
        None => call,
    };
    presented.iter().fold(call, |call, (name, value)| call.header(name, value)).send().await
}

/// Returns the price of a [`call`]. If the operation takes a body, this is the price of an error, because the
/// call's body is invalid.
fn price_of(operation: &Operation) -> Credits {
    if operation.body.is_some() { operation.price_of_errors() } else { price(operation.product) }
}

fn outcome_of(answer: &Answer) -> AuthOutcome {
    match answer.status.as_u16() {
        400 if answer.error().1 == "AMBIGUOUS_AUTH" => Ambiguous,
        401 => Unauthorized,
        403 => Forbidden,
        _ => In,
    }
}

/// Asserts that a rejection has the right message and headers, isn't charged, and doesn't open a session.
fn assert_refused(operation: &Operation, presented: Presented<'_>, answer: &Answer, key: &str) {
    let (text, context) = (answer.text(), format!("{} {presented:?}", operation.name()));
    assert_eq!((answer.credits_used(), answer.header("x-session-token")), (0, ""), "{context}");
    assert!(!text.contains(key), "{context}: {text}");
    let error = answer.json()["error"].take();
    let status_and_product = (error["status"].as_u64(), error["product"].as_str());
    assert_eq!(
        status_and_product,
        (Some(answer.status.as_u16().into()), Some(operation.product.name())),
        "{context}"
    );
    let own_header = match operation.key_header() {
        _ if operation.is_for_people() => "`Authorization: Bearer`",
        "apikey" => "`apikey`",
        _ => "`X-API-Key`",
    };
    let expected = match (outcome_of(answer), operation.auth) {
        (Forbidden, AuthRequirement::SearchKey) => "this operation requires an API key in `apikey`",
        (Forbidden, _) if presented[0].0 == "x-api-key" => "this operation requires a signed-in person",
        (Forbidden, _) => "you do not belong to an organization yet",
        (Unauthorized, requirement) => {
            assert_eq!(answer.header("www-authenticate"), challenge(requirement), "{context}");
            let is_misplaced_key = |(name, value): &(&str, &str)| {
                value.contains(key) && !(operation.is_for_people() && *name == "authorization")
            };
            match presented {
                [one, other] if one == other => "API key",
                _ if presented.iter().all(is_misplaced_key) => own_header,
                _ => "",
            }
        }
        (In | Ambiguous, _) => "",
    };
    let is_known = outcome_of(answer) == Forbidden;
    for name in ["x-credits-remaining", "x-ratelimit-limit", "ratelimit", "ratelimit-policy"] {
        assert!(is_known || answer.header(name).is_empty(), "{context}: {name}");
    }
    assert!(text.contains(expected), "{context}: {text}");
    assert!(own_header != "`apikey`" || !text.contains("X-API-Key"), "{context}: {text}");
}

/// Returns the `WWW-Authenticate` header of a 401.
fn challenge(requirement: AuthRequirement) -> &'static str {
    match requirement {
        AuthRequirement::SearchKey => "ApiKey header=\"apikey\"",
        AuthRequirement::SearchKeyOrBearer => "ApiKey header=\"apikey\", Bearer",
        AuthRequirement::Person | AuthRequirement::Member => "Bearer",
        _ => "ApiKey header=\"X-API-Key\", Bearer",
    }
}

/// Returns all operations except `read_tile`, which ignores credentials in headers and requires a token in
/// the URL.
fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(|operation| operation.id != "read_tile")
}

#[tokio::test]
async fn every_operation_accepts_only_its_audience_and_rejects_others_uncharged() {
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
        let [anonymous, by_key, by_search_key, by_member, by_stranger] = expected_outcomes(operation.auth);
        let of = |outcome_of| if operation.auth == AuthRequirement::Open { In } else { outcome_of };
        let presented: [(AuthOutcome, Presented<'_>); 20] = [
            (anonymous, &[]),
            (anonymous, &[("x-session-token", session)]),
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
            assert_eq!(outcome_of(&answer), expected, "{context}: {}", answer.text());
            if expected != In {
                assert_refused(operation, presented, &answer, key);
                assert!(expected != Ambiguous || read.is_empty(), "{context}: the database is not read");
            } else if presented.iter().any(|(name, _)| *name != "x-session-token") {
                used += answer.credits_used();
            }
        }
    }
    assert_eq!(world.account(&org).await.totals.used, used);
}

#[tokio::test]
async fn key_is_accepted_only_for_operations_of_its_scope() {
    let (world, org) = World::with_org().await;
    let mut keys = Vec::new();
    for scope in Scope::iter().map(Some).chain([None]) {
        keys.push((scope, world.key(&org.id, scope.into_iter().collect::<Scopes>()).await));
    }
    let mut used = 0;
    let take_keys =
        |operation: &&Operation| operation.auth != AuthRequirement::Open && !operation.is_for_people();
    for operation in operations().filter(take_keys) {
        world.clock.advance(MINUTE);
        let needed = operation.product.scope(operation.method.is_safe());
        for (scope, key) in &keys {
            let answer = call(&world, operation, &[(operation.key_header(), key)]).await;
            let context = format!("{} with {scope:?}: {}", operation.name(), answer.text());
            let outcome = (outcome_of(&answer), answer.credits_used());
            match needed {
                Some(needed) if *scope != Some(needed) => {
                    assert_eq!(outcome, (Forbidden, 0), "{context}");
                    assert!(answer.text().contains(&format!("`{needed}`")), "{context}");
                }
                _ => assert_eq!(outcome, (In, price_of(operation)), "{context}"),
            }
            used += answer.credits_used();
        }
    }
    assert_eq!(world.account(&org).await.totals.used, used);
}

#[tokio::test]
async fn suspended_organization_can_call_only_the_permitted_operations() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await.totals;
    let member = format!("Bearer {}", world.bearer(&org).await);
    // `suspend` returns whether the account has changed.
    assert!(world.administrator.suspend(&org.id).await.expect("a response"));
    for operation in operations() {
        world.clock.advance(MINUTE);
        let [_, _, _, by_member, by_stranger] = expected_outcomes(operation.auth);
        let by_key = if operation.is_for_people() { Forbidden } else { In };
        // Members of a suspended organization can still call the operations that don't require an
        // organization.
        let is_open = operation.product.is_for_suspended() || by_stranger == In;
        for (expected, header, value) in
            [(by_key, operation.key_header(), &org.key), (by_member, "authorization", &member)]
        {
            if expected != In {
                continue;
            }
            let account = world.account(&org).await;
            let answer = call(&world, operation, &[(header, value)]).await;
            let context = format!("{} by {header}: {}", operation.name(), answer.text());
            if is_open {
                assert_eq!(outcome_of(&answer), In, "{context}");
            } else {
                assert_eq!(answer.error(), (403, "ORGANIZATION_SUSPENDED".to_owned()), "{context}");
                assert_eq!(answer.credits_used(), 0, "{context}");
                assert_eq!(world.account(&org).await, account, "{context}: the call is not counted");
            }
        }
    }
    assert_eq!(world.account(&org).await.totals, before);
}

#[tokio::test]
async fn members_cannot_call_operations_for_owners() {
    let (world, org) = World::with_org().await;
    let member = world.person("planner");
    let token = world.joined(&org, &member, Role::Member).await;
    let for_all_members = ["list_members"];
    for operation in operations().filter(|operation| operation.auth == AuthRequirement::Member) {
        let path = operation.path_for(&world, &org, &world.router()).await;
        if for_all_members.contains(&operation.id) {
            assert_eq!(operation.call(&world, &path).bearer(&token).send().await.status, 200);
            continue;
        }
        let before = world.stored("credentials").await;
        let answer = operation.call(&world, &path).bearer(&token).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()), "{}", operation.name());
        let expected = "only owners of your organization can do this";
        assert!(answer.text().contains(expected), "{}: {}", operation.name(), answer.text());
        assert_eq!(world.stored("credentials").await, before, "{}", operation.name());
    }
}
