//! People, by the subjects of their tokens: mapped to one organization, listed there, and taken from it.

use aws_sdk_dynamodb::types::AttributeValue;
use harness::{TestOrg, World, samples};
use marquee::administrator::AdministratorError;
use store::{Role, Subject};

/// How long a process may remember a subject, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

/// Asks for the balance with a token, and returns the status and whose balance it is.
async fn ask(world: &World, token: &str) -> (u16, String) {
    let answer = world.get("/v2/billing/credits").bearer(token).send().await;
    let org = answer.json()["data"]["org_id"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), org)
}

/// Returns issuer and subject of those who are mapped to an organization.
async fn listed(world: &World, org: &TestOrg) -> Vec<(String, String)> {
    let members = world.operator.members(&org.id).await.expect("the engine answers");
    members.into_iter().map(|member| (member.subject.issuer, member.subject.subject)).collect()
}

#[tokio::test]
async fn an_organization_lists_its_own_people_and_nobody_elses() {
    let (world, org, other) = World::with_two_orgs().await;
    let people = [("https://b.example", "1"), ("https://a.example", "2"), ("https://a.example", "1")];
    for (issuer, subject) in people {
        world
            .operator
            .add_member(&org.id, Subject::new(issuer, subject), Some(Role::Member))
            .await
            .expect("a mapping");
    }
    // Twice is once.
    world
        .operator
        .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
        .await
        .expect("a mapping");
    let expected = [("https://a.example", "1"), ("https://a.example", "2"), ("https://b.example", "1")];
    let expected = expected.map(|(issuer, subject)| (issuer.to_owned(), subject.to_owned()));
    assert_eq!(listed(&world, &org).await, expected);
    assert_eq!(listed(&world, &other).await, []);
    let nobody = "org_nobody".parse().expect("an id");
    assert!(matches!(world.operator.members(&nobody).await, Err(AdministratorError::UnknownOrg(_))));
    let keys = world.operator.keys(&org.id).await.expect("the engine answers");
    assert_eq!(keys.len(), 1, "the list of keys lies beside that of people");
}

#[tokio::test]
async fn who_is_mapped_to_another_organization_leaves_the_list_of_the_first() {
    let (world, org, other) = World::with_two_orgs().await;
    let token = world.bearer(&org).await;
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    world.bearer(&other).await;
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()));
    assert_eq!((listed(&world, &org).await.len(), listed(&world, &other).await.len()), (0, 1));
    // The first has no hold on the person any more.
    let refused = world.operator.remove_member(&org.id, world.issuer.developer().subject).await;
    let text = refused.expect_err("no person of this organization").to_string();
    let Subject { issuer, subject } = world.issuer.developer().subject;
    assert_eq!(text, format!("subject {subject:?} of issuer {issuer:?} is not a member of org_a"));
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()));
    assert_eq!(listed(&world, &other).await.len(), 1);
}

#[tokio::test]
async fn a_person_is_unmapped_once() {
    let (world, org) = World::with_org().await;
    world
        .operator
        .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
        .await
        .expect("a mapping");
    let unmap = || world.operator.remove_member(&org.id, Subject::new("https://a.example", "1"));
    assert!(unmap().await.is_ok());
    for result in
        [unmap().await, world.operator.remove_member(&org.id, Subject::new("https://a.example", "2")).await]
    {
        assert!(matches!(result, Err(AdministratorError::UnknownSubject { .. })), "{result:?}");
    }
}

#[tokio::test]
async fn two_who_map_one_person_at_once_leave_the_person_in_one_list() {
    let (world, org, other) = World::with_two_orgs().await;
    for _ in 0..10 {
        let map = async |org: &TestOrg| {
            world
                .operator
                .add_member(&org.id, Subject::new("https://a.example", "1"), Some(Role::Member))
                .await
        };
        let (one, two) = tokio::join!(map(&org), map(&other));
        assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
        assert_eq!(listed(&world, &org).await.len() + listed(&world, &other).await.len(), 1);
    }
}

#[tokio::test]
async fn a_person_who_is_in_no_list_can_be_unmapped_and_is_listed_once_mapped_again() {
    let (world, org) = World::with_org().await;
    let token = world.bearer(&org).await;
    // As people were mapped before there were lists.
    let unlist = async || {
        let client = world.engine();
        for item in world.stored("credentials").await {
            let (pk, sk) = (item["pk"].as_s().expect("a text"), item["sk"].as_s().expect("a text"));
            if pk.starts_with("org#") && sk.starts_with("subject#") {
                let delete = client.delete_item().table_name("marquee-credentials");
                let delete = delete.key("pk", AttributeValue::S(pk.clone()));
                let delete = delete.key("sk", AttributeValue::S(sk.clone()));
                delete.send().await.expect("the engine answers");
            }
        }
    };
    unlist().await;
    assert_eq!(listed(&world, &org).await, []);
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    world.bearer(&org).await;
    assert_eq!(listed(&world, &org).await.len(), 1);
    unlist().await;
    world.operator.remove_member(&org.id, world.issuer.developer().subject).await.expect("a person");
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask(&world, &token).await.0, 403);
}

#[tokio::test]
async fn who_comes_to_another_organization_writes_into_that_one_within_two_seconds() {
    let (world, org, other) = World::with_two_orgs().await;
    let token = world.bearer(&org).await;
    let create = async || {
        let call = world.post("/v2/scenarios/campaigns").bearer(&token).json(&samples::campaign());
        call.send().await.credits_remaining()
    };
    assert_eq!(create().await, 999_999);
    world.bearer(&other).await;
    world.clock.advance(2_000);
    // What only reads goes by what is remembered.
    assert_eq!(ask(&world, &token).await, (200, "org_a".to_owned()));
    assert_eq!(create().await, 999_999);
    let used = async |org: &TestOrg| world.account(org).await.totals.used;
    assert_eq!((used(&org).await, used(&other).await), (1, 1));
    assert_eq!(ask(&world, &token).await, (200, "org_b".to_owned()), "the call that wrote has looked");
}

#[tokio::test]
async fn who_belongs_to_no_organization_is_looked_up_once_in_five_seconds() {
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
    // The account's operations have a limit of their own, and look.
    world.member(&org, &stranger, Role::Member).await;
    let account = world.get("/v2/account").bearer(&token).send().await.data();
    assert_eq!(account["organization"]["org_id"], "org_a");
    assert_eq!(ask().await.0, 403);
    world.clock.advance(5_000);
    assert_eq!(ask().await.0, 200);
}
