//! `POST /v2/account/organization`: each person and each mailbox gets only one organization and one sign-up
//! grant.

use std::collections::BTreeSet;

use accounting::{Account, OrgId, Scope, Timestamp};
use gateway::SelfSignUp;
use harness::{Answer, Logs, World, WorldOptions, samples};
use http::StatusCode;
use runtime::Clock;
use serde_json::json;
use store::{OrgPage, Person, Role};

use super::person::unverified;
use super::{ORGANIZATION, read, sign_up};

async fn world_of(per_day: u32) -> World {
    let self_sign_up = Some(SelfSignUp { per_day });
    World::with(WorldOptions { self_sign_up, ..WorldOptions::default() }).await
}

fn org_of(answer: &Answer) -> OrgId {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()["organization"]["org_id"].as_str().expect("there is an ID").parse().expect("valid ID")
}

async fn leave(world: &World, org: &OrgId, person: &Person) {
    world.administrator.remove_member(org, person.subject.clone()).await.expect("removed");
    // Waits until the cached membership expires.
    world.clock.advance(30_000);
}

/// Asserts that every organization's totals and history add up, and returns the accounts.
pub(crate) async fn accounts(world: &World) -> Vec<(OrgId, Account)> {
    let OrgPage { organizations, has_more } =
        world.administrator.accounts.list(None, 1_000).await.expect("read");
    assert!(!has_more);
    let mut accounts = Vec::new();
    for listed in organizations {
        let totals = listed.account.totals;
        assert_eq!(totals.granted, listed.account.left() + totals.used + totals.expired, "{}", listed.org);
        let history = world.administrator.credits_history(&listed.org).await.expect("read");
        let granted: u64 = history.iter().map(|life| life.granted).sum();
        assert_eq!(granted, totals.granted, "every grant of {} is in the history", listed.org);
        accounts.push((listed.org, listed.account));
    }
    accounts
}

#[tokio::test]
async fn sign_up_creates_a_sandbox_with_two_thousand_credits_for_sixty_days() {
    let world = World::new().await;
    world.clock.advance(412);
    let logs = Logs::capture();
    let person = world.person("newcomer");
    let answer = sign_up(&world, &person, "  Example Coffee ").await;
    let org = org_of(&answer);
    assert!(org.as_str().starts_with("org_"), "{org}");
    let organization = &answer.data()["organization"];
    for (member, expected) in [
        ("name", json!("Example Coffee")),
        ("role", json!("owner")),
        ("tier", json!("sandbox")),
        ("signed_up_at", json!("2026-11-20T09:00:30.412Z")),
        (
            "credits",
            json!({ "balance": 2_000, "used": 0, "total": 2_000, "expires_at": "2027-01-19T09:00:30.000Z" }),
        ),
    ] {
        assert_eq!(organization[member], expected, "{member}");
    }
    assert_eq!(answer.credits_used(), 0);
    // Reading the account returns the same data as the sign-up response.
    assert_eq!(read(&world, &person).await, answer.data());
    let [(listed, _)] = &accounts(&world).await[..] else { panic!("expected one organization") };
    assert_eq!(*listed, org);
    let members = world.administrator.members(&org).await.expect("a response");
    let [owner] = &members[..] else { panic!("expected one member") };
    assert_eq!((&owner.subject, owner.role, &owner.email), (&person.subject, Role::Owner, &person.email));
    let [logged] = &logs.of("signed_up")[..] else { panic!("expected one log line") };
    assert_eq!(logged["fields"]["org"], org.as_str());
    let all = logs.lines().concat();
    assert!(!all.contains("newcomer") && !all.contains("Example Coffee"), "{all}");
}

#[tokio::test]
async fn new_organization_is_usable_immediately() {
    let world = World::new().await;
    let person = world.person("newcomer");
    let org = org_of(&sign_up(&world, &person, "Example Coffee").await);
    let token = world.token(&person);
    let create = world
        .post("/v2/account/keys")
        .bearer(&token)
        .json(&json!({ "label": "first", "scopes": Scope::all() }));
    let key = create.send().await.data()["api_key"].as_str().expect("a key").to_owned();
    let created = world.post("/v2/scenarios/campaigns").key(&key).json(&samples::campaign());
    assert_eq!(created.send().await.credits_remaining(), 1_999);
    let balance = world.get("/v2/billing/credits").bearer(&token).send().await.data();
    assert_eq!((&balance["org_id"], &balance["balance"]), (&json!(org), &json!(1_999)));
    accounts(&world).await;
}

#[tokio::test]
async fn repeated_sign_up_returns_the_same_organization() {
    let world = world_of(1).await;
    let person = world.person("newcomer");
    let first = sign_up(&world, &person, "Example Coffee").await;
    // The result is the same for a token without an email address, and when the daily limit is reached.
    let again = sign_up(&world, &person, "Another Name").await;
    assert_eq!((again.status, again.data()), (StatusCode::OK, first.data()));
    let without = Person { email: None, is_email_verified: false, ..person.clone() };
    assert_eq!(org_of(&sign_up(&world, &without, "Another Name").await), org_of(&first));
    world.clock.advance(24 * 60 * 60 * 1_000);
    assert_eq!(org_of(&sign_up(&world, &person, "Another Name").await), org_of(&first));
    assert_eq!(accounts(&world).await.len(), 1);
}

#[tokio::test]
async fn rejected_sign_up_returns_the_reason_and_creates_nothing() {
    let (world, org) = World::with_org().await;
    let member = world.person("member");
    world.member(&org, &member, Role::Member).await;
    let left = world.person("left");
    let made = org_of(&sign_up(&world, &left, "Left Behind").await);
    leave(&world, &made, &left).await;
    let moved = world.person("moved");
    let other = org_of(&sign_up(&world, &moved, "Moved On").await);
    leave(&world, &other, &moved).await;
    world.member(&org, &moved, Role::Member).await;
    let before = (accounts(&world).await, world.stored("credentials").await.len());
    let cases = [
        (world.issuer.person("no-email", None), 403, "EMAIL_NOT_VERIFIED"),
        (unverified(&world), 403, "EMAIL_NOT_VERIFIED"),
        (member.clone(), 409, "ALREADY_IN_ORGANIZATION"),
        (moved.clone(), 409, "ALREADY_IN_ORGANIZATION"),
        (left.clone(), 409, "SIGNED_UP_BEFORE"),
        (Person { email: "new@example.com".parse().ok(), ..left.clone() }, 409, "SIGNED_UP_BEFORE"),
        (world.issuer.person("somebody else", left.email.clone()), 409, "SIGNED_UP_BEFORE"),
        (world.issuer.person("shouting", "LEFT@Example.COM".parse().ok()), 409, "SIGNED_UP_BEFORE"),
    ];
    for (person, status, code) in cases {
        let refused = sign_up(&world, &person, "Another").await;
        assert_eq!(refused.error(), (status, code.to_owned()), "{person:?}");
        for address in ["left@example.com", "member@example.com"] {
            assert!(!refused.text().contains(address), "{}", refused.text());
        }
    }
    assert_eq!((accounts(&world).await, world.stored("credentials").await.len()), before);
}

#[tokio::test]
async fn removed_member_can_sign_up_despite_a_cached_membership() {
    let (world, org) = World::with_org().await;
    let person = world.person("newcomer");
    world.member(&org, &person, Role::Member).await;
    assert_eq!(read(&world, &person).await["organization"]["org_id"], "org_a");
    world.administrator.remove_member(&org.id, person.subject.clone()).await.expect("removed");
    let made = org_of(&sign_up(&world, &person, "My Own").await);
    assert_ne!(made, org.id);
    world.clock.advance(30_000);
    assert_eq!(read(&world, &person).await["organization"]["org_id"], json!(made));
}

#[tokio::test]
async fn closed_sign_up_returns_403() {
    let world = World::with(WorldOptions { self_sign_up: None, ..WorldOptions::default() }).await;
    let refused = sign_up(&world, &world.person("newcomer"), "Example Coffee").await;
    assert_eq!(refused.error(), (403, "SIGN_UP_CLOSED".to_owned()));
    assert_eq!(accounts(&world).await, []);
}

#[tokio::test]
async fn surrounding_whitespace_is_removed_from_the_name() {
    let world = World::new().await;
    let token = world.token(&world.person("newcomer"));
    let longest = "\u{c4}".repeat(100);
    let body = json!({ "name": format!("\u{a0}{longest}\n") });
    let made = world.post(ORGANIZATION).bearer(&token).json(&body).send().await;
    assert_eq!(made.data()["organization"]["name"], longest);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_sign_ups_of_one_person_create_one_organization() {
    let world = World::new().await;
    let person = world.person("newcomer");
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..20 {
        let (_, router) = world.another_process(1_000 + number).await;
        let call = world.post(ORGANIZATION).bearer(&world.token(&person));
        calls.spawn(call.json(&json!({ "name": format!("name {number}") })).send_to(router));
    }
    let orgs: BTreeSet<_> = calls.join_all().await.iter().map(org_of).collect();
    assert_eq!(orgs.len(), 1, "{orgs:?}");
    let accounts = accounts(&world).await;
    assert_eq!((accounts.len(), accounts[0].1.totals.granted), (1, 2_000));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_sign_ups_with_one_email_create_one_organization() {
    let world = World::new().await;
    for round in 0..10 {
        let person = |name: &str, email: String| world.issuer.person(name, email.parse().ok());
        let one = person(&format!("one-{round}"), format!("Same-{round}@Example.com"));
        let other = person(&format!("other-{round}"), format!("same-{round}@example.COM"));
        let (one, other) = tokio::join!(sign_up(&world, &one, "One"), sign_up(&world, &other, "Other"));
        let statuses = BTreeSet::from([one.status.as_u16(), other.status.as_u16()]);
        assert_eq!(statuses, BTreeSet::from([200, 409]), "{} {}", one.text(), other.text());
        let refused = if one.status == 409 { one } else { other };
        assert_eq!(refused.error().1, "SIGNED_UP_BEFORE");
    }
    assert_eq!(accounts(&world).await.len(), 10);
}

#[tokio::test]
async fn daily_limit_admits_one_of_two_concurrent_sign_ups_and_resets_at_midnight() {
    let world = world_of(3).await;
    let logs = Logs::capture();
    for name in ["first", "second"] {
        org_of(&sign_up(&world, &world.person(name), name).await);
    }
    let people = ["third", "fourth"].map(|name| world.person(name));
    let (third, fourth) =
        tokio::join!(sign_up(&world, &people[0], "third"), sign_up(&world, &people[1], "fourth"));
    let (refused, waiting) = if third.status == 200 { (&fourth, &people[1]) } else { (&third, &people[0]) };
    assert_eq!(BTreeSet::from([third.status.as_u16(), fourth.status.as_u16()]), BTreeSet::from([200, 429]));
    assert_eq!(refused.error().1, "SIGN_UPS_EXHAUSTED");
    let midnight = Timestamp::parse("2026-11-21T00:00:00Z").expect("valid timestamp");
    let left = midnight.unix_seconds() - world.clock.now().unix_seconds();
    assert_eq!(refused.number("retry-after"), left);
    assert_eq!(refused.number("x-ratelimit-remaining"), 59, "the caller's rate limit is not exhausted");
    assert_eq!(logs.of("sign_ups_exhausted").len(), 1);
    let account = read(&world, waiting).await;
    assert_eq!(account["sign_up"]["refusal"]["code"], "SIGN_UPS_EXHAUSTED");
    // Reading the account also logs that the limit is exhausted.
    assert_eq!(logs.of("sign_ups_exhausted").len(), 2);
    assert_eq!(accounts(&world).await.len(), 3);
    world.clock.advance(left * 1_000 - 1);
    assert_eq!(sign_up(&world, waiting, "waiting").await.status, 429);
    world.clock.advance(1);
    assert_eq!(sign_up(&world, waiting, "waiting").await.status, 200);
    assert_eq!(accounts(&world).await.len(), 4);
}

#[tokio::test]
async fn process_with_a_wrong_clock_rejects_sign_ups() {
    let world = World::new().await;
    for millis in [2 * 24 * 60 * 60 * 1_000, -6 * 60 * 1_000] {
        let clock = Clock::fixed(world.clock.now());
        clock.advance(millis);
        let (_, router) = world.another_process_at(8, clock.clone()).await;
        // The token is created with the process's clock, so it isn't expired for the process.
        let token = world.issuer.create(&world.person("newcomer"), clock.now());
        let call = world.post(ORGANIZATION).bearer(&token).json(&samples::sign_up());
        assert_eq!(call.send_to(router).await.status, 503, "{millis}");
    }
    assert_eq!(accounts(&world).await, []);
    assert_eq!(sign_up(&world, &world.person("newcomer"), "Example Coffee").await.status, 200);
}
