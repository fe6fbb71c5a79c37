//! Memberships by token subject: adding, listing, and removing an organization's people.

use aws_sdk_dynamodb::types::AttributeValue;
use harness::{TestOrg, World, samples};
use marquee::administrator::AdministratorError;
use store::{Role, Subject};

/// How long memberships are cached, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

/// Reads the balance with a token and returns the status and the organization's ID.
async fn ask(world: &World, token: &str) -> (u16, String) {
    let answer = world.get("/v2/billing/credits").bearer(token).send().await;
    let org = answer.json()["data"]["org_id"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), org)
}

/// Returns the issuer and the subject of each member.
async fn listed(world: &World, org: &TestOrg) -> Vec<(String, String)> {
    let members = world.administrator.members(&org.id).await.expect("a response");
    members.into_iter().map(|member| (member.subject.issuer, member.subject.subject)).collect()
}

#[tokio::test]
async fn members_lists_only_the_organizations_own_people() {
    let (world, org, other) = World::with_two_orgs().await;
    let people = [("https://b.example", "1"), ("https://a.example", "2"), ("https://a.example", "1")];
    for (issuer, subject) in people {
        world
            .administrator
            .add_member(&org.id, Subject::new(issuer, subject), Some(Role::Member))
            .await
            .expect("added");
    }
    // Adding a member again doesn't change the list.
    world
        .administrator
        .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
        .await
        .expect("added");
    let expected = [("https://a.example", "1"), ("https://a.example", "2"), ("https://b.example", "1")];
    let expected = expected.map(|(issuer, subject)| (issuer.to_owned(), subject.to_owned()));
    assert_eq!(listed(&world, &org).await, expected);
    assert_eq!(listed(&world, &other).await, []);
    let unknown = "org_unknown".parse().expect("valid ID");
    assert!(matches!(world.administrator.members(&unknown).await, Err(AdministratorError::UnknownOrg(_))));
    let keys = world.administrator.keys(&org.id).await.expect("a response");
    assert_eq!(keys.len(), 1, "the key list is unaffected");
}

#[tokio::test]
async fn moving_to_another_organization_ends_the_first_membership() {
    let (world, org, other) = World::with_two_orgs().await;
    let token = world.bearer(&org).await;
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    world.bearer(&other).await;
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()));
    assert_eq!((listed(&world, &org).await.len(), listed(&world, &other).await.len()), (0, 1));
    // The first organization can no longer remove the person.
    let refused = world.administrator.remove_member(&org.id, world.issuer.developer().subject).await;
    let text = refused.expect_err("the person is not a member").to_string();
    let Subject { issuer, subject } = world.issuer.developer().subject;
    let rule = format!("subject {subject:?} of issuer {issuer:?} is not a member of org_a");
    assert_eq!(text, format!("{rule}; `marquee org members org_a` lists its members"));
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()));
    assert_eq!(listed(&world, &other).await.len(), 1);
}

#[tokio::test]
async fn removing_a_member_twice_fails() {
    let (world, org) = World::with_org().await;
    world
        .administrator
        .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
        .await
        .expect("added");
    let unmap = || world.administrator.remove_member(&org.id, Subject::new("https://a.example", "1"));
    assert!(unmap().await.is_ok());
    for result in [
        unmap().await,
        world.administrator.remove_member(&org.id, Subject::new("https://a.example", "2")).await,
    ] {
        assert!(matches!(result, Err(AdministratorError::UnknownSubject { .. })), "{result:?}");
    }
}

#[tokio::test]
async fn concurrent_adds_leave_a_person_in_one_organization() {
    let (world, org, other) = World::with_two_orgs().await;
    for _ in 0..10 {
        let map = async |org: &TestOrg| {
            world
                .administrator
                .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
                .await
        };
        let (one, two) = tokio::join!(map(&org), map(&other));
        assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
        assert_eq!(listed(&world, &org).await.len() + listed(&world, &other).await.len(), 1);
    }
}

#[tokio::test]
async fn unlisted_member_can_be_removed_and_is_listed_when_added_again() {
    let (world, org) = World::with_org().await;
    let token = world.bearer(&org).await;
    // Older versions stored memberships without list entries.
    let unlist = async || {
        let client = world.engine();
        for item in world.stored("credentials").await {
            let (pk, sk) = (item["pk"].as_s().expect("a string"), item["sk"].as_s().expect("a string"));
            if pk.starts_with("org#") && sk.starts_with("subject#") {
                let delete = client.delete_item().table_name("marquee-credentials");
                let delete = delete.key("pk", AttributeValue::S(pk.clone()));
                let delete = delete.key("sk", AttributeValue::S(sk.clone()));
                delete.send().await.expect("a response");
            }
        }
    };
    unlist().await;
    assert_eq!(listed(&world, &org).await, []);
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    world.bearer(&org).await;
    assert_eq!(listed(&world, &org).await.len(), 1);
    unlist().await;
    world.administrator.remove_member(&org.id, world.issuer.developer().subject).await.expect("removed");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask(&world, &token).await.0, 403);
}

#[tokio::test]
async fn writes_follow_an_organization_change_within_two_seconds() {
    let (world, org, other) = World::with_two_orgs().await;
    let token = world.bearer(&org).await;
    let create = async || {
        let call = world.post("/v2/scenarios/campaigns").bearer(&token).json(&samples::campaign());
        call.send().await.credits_remaining()
    };
    assert_eq!(create().await, 999_999);
    world.bearer(&other).await;
    world.clock.advance(2_000);
    // Reads still use the cached membership.
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    assert_eq!(create().await, 999_999);
    let used = async |org: &TestOrg| world.account(org).await.totals.used;
    assert_eq!((used(&org).await, used(&other).await), (1, 1));
    // The write has refreshed the cached membership.
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()));
}

#[tokio::test]
async fn missing_membership_is_cached_for_five_seconds() {
    let (world, org) = World::with_org().await;
    let stranger = world.person("stranger");
    let token = world.token(&stranger);
    let ask = async || {
        world.wire.record();
        let status = world.get("/v2/markets").bearer(&token).send().await.status.as_u16();
        (status, world.wire.take().len())
    };
    assert_eq!(ask().await, (403, 1));
    assert_eq!(ask().await, (403, 0));
    // Account operations have a separate rate limit and always look up the membership.
    world.member(&org, &stranger, Role::Member).await;
    let account = world.get("/v2/account").bearer(&token).send().await.data();
    assert_eq!(account["organization"]["org_id"], "org_a");
    assert_eq!(ask().await.0, 403);
    world.clock.advance(5_000);
    assert_eq!(ask().await.0, 200);
}
