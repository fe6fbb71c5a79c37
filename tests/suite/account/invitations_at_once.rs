//! Several people accept invitations concurrently, or one person accepts several invitations.

use harness::{Call, World};
use serde_json::json;
use store::{InvitationToken, Person, Role};
use tokio::task::JoinSet;

use super::{ACCEPT, INVITATIONS, ORGANIZATION, assert_consistent, is_change};

fn accept<'a>(world: &'a World, person: &Person, token: &InvitationToken) -> Call<'a> {
    world.post(ACCEPT).bearer(&world.token(person)).json(&json!({ "token": token.reveal() }))
}

#[tokio::test]
async fn only_one_of_two_users_with_the_same_email_can_accept() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    let guest = world.person("guest");
    let namesake = world.issuer.person("another-subject", guest.email.clone());
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    accept(&world, &namesake, &token).send_before(is_change, 200).await;
    let first = accept(&world, &guest, &token).send().await;
    assert_eq!(first.error(), (410, "GONE".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await.len(), 2);
}

#[tokio::test]
async fn accepting_two_invitations_at_once_joins_one_organization() {
    let (world, org, other) = World::with_two_orgs().await;
    world.owner_token(&org).await;
    world.owner_token(&other).await;
    let guest = world.person("guest");
    let (_, to_one) = world.invite(&org, &guest, Role::Member).await;
    let (_, to_other) = world.invite(&other, &guest, Role::Member).await;
    accept(&world, &guest, &to_other).send_before(is_change, 200).await;
    let first = accept(&world, &guest, &to_one).send().await;
    assert_eq!(first.error(), (409, "ALREADY_IN_ORGANIZATION".to_owned()));
    let lists = (assert_consistent(&world, &org).await.len(), assert_consistent(&world, &other).await.len());
    assert_eq!(lists, (1, 2));
}

#[tokio::test]
async fn signing_up_while_accepting_joins_one_organization() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    let guest = world.person("guest");
    let (_, invitation) = world.invite(&org, &guest, Role::Member).await;
    let sign_up =
        world.post(ORGANIZATION).bearer(&world.token(&guest)).json(&json!({ "name": "Guest's own" }));
    sign_up.send_before(is_change, 200).await;
    let accepted = accept(&world, &guest, &invitation).send().await;
    assert_eq!(accepted.error(), (409, "ALREADY_IN_ORGANIZATION".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
    let account = world.get("/v2/account").bearer(&world.token(&guest)).send().await.data();
    assert_eq!(account["organization"]["role"], "owner");
}

#[tokio::test]
async fn invitation_revoked_while_being_accepted_returns_410() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    let guest = world.person("guest");
    let (invitation, token) = world.invite(&org, &guest, Role::Member).await;
    let revoke = world.delete(&format!("{INVITATIONS}/{}", invitation.id)).bearer(&owner);
    revoke.send_before(is_change, 204).await;
    let accepted = accept(&world, &guest, &token).send().await;
    assert_eq!(accepted.error(), (410, "GONE".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_acceptances_never_exceed_the_member_limit() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    for _ in 0..21 {
        world.colleague(&org).await;
    }
    let guests: Vec<Person> = (0..6).map(|number| world.person(&format!("guest-{number}"))).collect();
    let routers = [world.router(), world.another_process(99).await.1];
    let mut invitations = Vec::new();
    for guest in &guests {
        invitations.push(world.invite(&org, guest, Role::Member).await.1);
    }
    let mut calls = JoinSet::new();
    for (number, (guest, invitation)) in guests.iter().zip(&invitations).enumerate() {
        calls.spawn(accept(&world, guest, invitation).send_to(routers[number % 2].clone()));
    }
    let mut statuses: Vec<_> = calls.join_all().await.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 409, 409, 409]);
    assert_eq!(assert_consistent(&world, &org).await.len(), 25);
}

#[tokio::test]
async fn concurrent_invitations_for_one_address_leave_one_live_link() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    let body = json!({ "email": "guest@example.com", "role": "member" });
    let invite = || world.post(INVITATIONS).bearer(&owner).json(&body);
    invite().send_before(is_change, 200).await;
    assert_eq!(invite().send().await.status, 200);
    let listed = world.get(INVITATIONS).bearer(&owner).send().await.data();
    let mut states: Vec<_> =
        listed.as_array().expect("a list").iter().map(|shown| shown["state"].to_string()).collect();
    states.sort();
    assert_eq!(states, ["\"live\"", "\"revoked\""]);
}
