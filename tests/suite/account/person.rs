//! `GET /v2/account`: the caller, their organization, and whether they can sign up.

use accounting::Tier;
use gateway::SelfSignUp;
use harness::{World, WorldOptions};
use serde_json::{Value, json};
use store::{Person, Role};

use super::{ACCOUNT, read, sign_up};

/// How long memberships are cached, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

#[tokio::test]
async fn member_sees_organization_limits_and_credits() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 500).await;
    let person = world.person("member");
    world.member(&org, &person, Role::Member).await;
    let shown = read(&world, &person).await;
    assert_eq!(
        shown,
        json!({
            "person": {
                "member_id": person.subject.member_id(),
                "name": null,
                "email": "member@example.com",
                "email_verified": true,
            },
            "organization": {
                "org_id": "org_a",
                "name": null,
                "role": "member",
                "tier": "pay_as_you_go",
                "signed_up_at": null,
                "suspended_at": null,
                "limits": {
                    "calls_per_minute": 100,
                    "account_calls_per_minute": 60,
                    "live_keys": 10,
                    "live_tile_grants": 100,
                    "members": 25,
                },
                "credits": { "balance": 20_500, "used": 0, "total": 500, "expires_at": null },
            },
            "sign_up": null,
        })
    );
}

#[tokio::test]
async fn person_without_organization_sees_whether_sign_up_is_available() {
    let world = World::new().await;
    let shown = async |person: &Person| read(&world, person).await["sign_up"].clone();
    let refused = |code: &str| json!({ "available": false, "code": code });
    let in_short = |shown: Value| match shown["refusal"]["code"].as_str() {
        Some(code) => refused(code),
        None => shown,
    };
    let newcomer = world.person("anybody");
    assert_eq!(shown(&newcomer).await, json!({ "available": true, "refusal": null }));
    for person in [world.issuer.person("no-email", None), unverified(&world)] {
        assert_eq!(in_short(shown(&person).await), refused("EMAIL_NOT_VERIFIED"));
    }
    let left = world.person("left");
    sign_up(&world, &left, "Left Behind").await;
    let org = read(&world, &left).await["organization"]["org_id"].as_str().expect("an ID").to_owned();
    world
        .administrator
        .remove_member(&org.parse().expect("an ID"), left.subject.clone())
        .await
        .expect("removed");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(in_short(shown(&left).await), refused("SIGNED_UP_BEFORE"));
    let same_address = world.issuer.person("another", left.email.clone());
    assert_eq!(in_short(shown(&same_address).await), refused("SIGNED_UP_BEFORE"));
}

#[tokio::test]
async fn account_reports_closed_or_exhausted_sign_up() {
    let closed = World::with(WorldOptions { self_sign_up: None, ..WorldOptions::default() }).await;
    let shown = read(&closed, &closed.person("anybody")).await;
    assert_eq!(shown["sign_up"]["refusal"]["code"], "SIGN_UP_CLOSED", "{shown}");
    let self_sign_up = Some(SelfSignUp { per_day: 1 });
    let busy = World::with(WorldOptions { self_sign_up, ..WorldOptions::default() }).await;
    assert_eq!(sign_up(&busy, &busy.person("first"), "First").await.status, 200);
    let shown = read(&busy, &busy.person("second")).await;
    assert_eq!(shown["sign_up"]["refusal"]["code"], "SIGN_UPS_EXHAUSTED", "{shown}");
}

#[tokio::test]
async fn member_sees_that_the_organization_is_suspended() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    world.administrator.suspend(&org.id).await.expect("a response");
    let elsewhere = world.get("/v2/billing/credits").key(&org.key).send().await;
    assert_eq!(elsewhere.status, 200);
    let shown = world.get(ACCOUNT).bearer(&owner).send().await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    assert_eq!(shown.data()["organization"]["suspended_at"], "2026-11-20T09:00:30.000Z");
}

/// Returns a person whose email address isn't verified.
pub(super) fn unverified(world: &World) -> Person {
    Person { is_email_verified: false, ..world.person("unverified") }
}
