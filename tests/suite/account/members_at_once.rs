//! Concurrent member changes. Every change is based on the current member list.

use harness::{Call, TestOrg, World};
use serde_json::json;
use store::{Person, Role};

use super::{ACCEPT, assert_consistent, is_change, member_path};

/// An organization with two owners and one member, and the owners' bearer tokens.
struct TwoOwners {
    org: TestOrg,
    owners: [Person; 2],
    tokens: [String; 2],
}

async fn two_owners(world: &World) -> TwoOwners {
    let org = world.org("org_a").await;
    let owners = ["one", "two"].map(|name| world.person(name));
    let mut tokens = Vec::new();
    for owner in &owners {
        tokens.push(world.joined(&org, owner, Role::Owner).await);
    }
    world.colleague(&org).await;
    TwoOwners { org, owners, tokens: tokens.try_into().expect("there are two tokens") }
}

#[tokio::test]
async fn two_owners_who_demote_or_remove_each_other_leave_one_owner() {
    for second_removes in [false, true] {
        for first_removes in [false, true] {
            let world = World::new().await;
            let TwoOwners { org, owners: [one, two], tokens: [token_one, token_two] } =
                two_owners(&world).await;
            let act = |removes, token: &str, target: &Person| {
                let path = member_path(&target.subject.member_id());
                let demotion = || world.patch(&path).json(&json!({ "role": "member" }));
                if removes { world.delete(&path) } else { demotion() }.bearer(token)
            };
            act(second_removes, &token_two, &one).send_before(is_change, 200).await;
            let first = act(first_removes, &token_one, &two).send().await;
            // The other owner's change has already demoted or removed the first caller.
            assert_eq!(first.error(), (403, "FORBIDDEN".to_owned()));
            let roles = assert_consistent(&world, &org).await;
            let owners = roles.iter().filter(|role| **role == Role::Owner).count();
            assert_eq!((roles.len(), owners), (if second_removes { 2 } else { 3 }, 1));
        }
    }
}

#[tokio::test]
async fn two_owners_cannot_both_leave_at_once() {
    let world = World::new().await;
    let TwoOwners { org, owners: [one, two], tokens: [token_one, token_two] } = two_owners(&world).await;
    let leave = |person: &Person| world.delete(&member_path(&person.subject.member_id()));
    leave(&two).bearer(&token_two).send_before(is_change, 200).await;
    let first = leave(&one).bearer(&token_one).send().await;
    assert_eq!(first.error(), (409, "STATE_CONFLICT".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await.len(), 2);
}

#[tokio::test]
async fn last_member_cannot_leave_while_another_person_joins() {
    let (world, org) = World::with_org().await;
    let (owner, guest) = (world.owner(&org.id), world.person("guest"));
    let (token, guest_token) = (world.owner_token(&org).await, world.token(&guest));
    let (_, invitation) = world.invite(&org, &guest, Role::Member).await;
    let joins = world.post(ACCEPT).bearer(&guest_token).json(&json!({ "token": invitation.reveal() }));
    joins.send_before(is_change, 200).await;
    let left = world.delete(&member_path(&owner.subject.member_id())).bearer(&token).send().await;
    assert_eq!(left.error(), (409, "STATE_CONFLICT".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await.len(), 2);
}

#[tokio::test]
async fn change_that_keeps_losing_races_returns_503_and_changes_nothing() {
    let world = World::new().await;
    let TwoOwners { org, owners: [one, two], tokens: [token_one, _] } = two_owners(&world).await;
    let (app, _) = world.another_process(99).await;
    let credentials = store::Credentials::new(app.dynamo.clone());
    let (id, other) = (org.id.clone(), one.subject.clone());
    // Another change commits just before every attempt.
    world.wire.interleave(move |sent| {
        let is_demotion = is_change(sent) && sent.body.to_string().contains(&"\"member\"".to_owned());
        if !is_demotion {
            return None;
        }
        let (credentials, id, other) = (credentials.clone(), id.clone(), other.clone());
        Some(Box::pin(async move {
            let seen = credentials.members(&id).await.expect("a response");
            credentials.set_role(&id, &seen, &other, Role::Owner).await.expect("a response");
        }))
    });
    let path = member_path(&two.subject.member_id());
    let answer = world.patch(&path).bearer(&token_one).json(&json!({ "role": "member" })).send().await;
    assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
    world.wire.stop_faults().await;
    let roles = assert_consistent(&world, &org).await;
    assert_eq!(roles.iter().filter(|role| **role == Role::Owner).count(), 2);
}

/// Makes random member changes in two processes concurrently.
#[tokio::test]
async fn concurrent_changes_never_leave_members_without_an_owner() {
    for seed in 0..4 {
        let world = World::new().await;
        let mut rng = fastrand::Rng::with_seed(seed);
        let org = world.org("org_a").await;
        let routers = [world.router(), world.another_process(100 + seed).await.1];
        let people: Vec<Person> = (0..5).map(|number| world.person(&format!("p-{number}"))).collect();
        world.joined(&org, &people[0], Role::Owner).await;
        for _ in 0..40 {
            // Cached memberships expire within two steps, and the rate limit resets within three.
            world.clock.advance(20_000);
            let mut draw = || random_change(&world, &org, &people, rng.fork());
            let (one, two) = (draw(), draw());
            let (one, two) = (one.await, two.await);
            let [first, second] = routers.clone();
            let (one, two) = tokio::join!(one.send_to(first), two.send_to(second));
            for answer in [one, two] {
                let is_expected = [200, 403, 404, 409, 410].contains(&answer.status.as_u16());
                assert!(is_expected, "{}", answer.text());
            }
            let roles = assert_consistent(&world, &org).await;
            assert!(roles.is_empty() || roles.contains(&Role::Owner), "seed {seed}: {roles:?}");
            if roles.is_empty() {
                world.joined(&org, &people[0], Role::Owner).await;
            }
        }
    }
}

/// Returns a random change: removing a member, leaving, setting a role, or accepting an invitation.
async fn random_change<'a>(
    world: &'a World,
    org: &TestOrg,
    people: &[Person],
    mut rng: fastrand::Rng,
) -> Call<'a> {
    let (asker, target) = (&people[rng.usize(..people.len())], &people[rng.usize(..people.len())]);
    let role = if rng.bool() { Role::Owner } else { Role::Member };
    let path = member_path(&target.subject.member_id());
    let call = match rng.u8(..5) {
        0 => world.delete(&path),
        1 => world.delete(&member_path(&asker.subject.member_id())),
        2 => world.patch(&path).json(&json!({ "role": role })),
        _ => {
            let (_, invitation) = world.invite(org, asker, role).await;
            world.post(ACCEPT).json(&json!({ "token": invitation.reveal() }))
        }
    };
    call.bearer(&world.token(asker))
}
