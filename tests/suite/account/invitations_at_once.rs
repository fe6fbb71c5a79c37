//! Invitations that several accept at the same time, or one person several of.

use harness::{Sent, World};
use http::Method;
use serde_json::json;
use store::{InvitationToken, Person, Role};
use tokio::task::JoinSet;

use super::{ACCEPT, INVITATIONS, assert_consistent, send_meanwhile};

fn is_change(sent: &Sent) -> bool {
    sent.operation == "TransactWriteItems"
}

/// Accepts an invitation in a process.
async fn accept(router: axum::Router, person_token: String, token: InvitationToken) -> u16 {
    let body = json!({ "token": token.reveal() });
    send_meanwhile(router, Method::POST, ACCEPT.to_owned(), person_token, Some(body)).await
}

fn again(token: &InvitationToken) -> InvitationToken {
    token.reveal().parse().expect("a token")
}

#[tokio::test]
async fn of_two_people_with_one_address_one_uses_an_invitation() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    let guest = world.person("guest");
    let namesake = world.issuer.person("another-subject", guest.email.clone());
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    let (_, router) = world.another_process(99).await;
    let second = accept(router, world.token(&namesake), again(&token));
    world.wire.before_first(is_change, async move { assert_eq!(second.await, 200) });
    let first = world.post(ACCEPT).bearer(&world.token(&guest)).json(&json!({ "token": token.reveal() }));
    assert_eq!(first.send().await.error(), (410, "GONE".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await.len(), 2);
}

#[tokio::test]
async fn a_person_who_accepts_two_invitations_at_once_comes_to_one_organization() {
    let (world, org, other) = World::with_two_orgs().await;
    world.owner_token(&org).await;
    world.owner_token(&other).await;
    let guest = world.person("guest");
    let (_, to_one) = world.invite(&org, &guest, Role::Member).await;
    let (_, to_other) = world.invite(&other, &guest, Role::Member).await;
    let (_, router) = world.another_process(99).await;
    let second = accept(router, world.token(&guest), to_other);
    world.wire.before_first(is_change, async move { assert_eq!(second.await, 200) });
    let first = world.post(ACCEPT).bearer(&world.token(&guest)).json(&json!({ "token": to_one.reveal() }));
    assert_eq!(first.send().await.error(), (409, "ALREADY_IN_ORGANIZATION".to_owned()));
    let lists = (assert_consistent(&world, &org).await.len(), assert_consistent(&world, &other).await.len());
    assert_eq!(lists, (1, 2));
}

#[tokio::test]
async fn a_person_who_signs_up_while_they_accept_comes_to_one_organization() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    let guest = world.person("guest");
    let (_, invitation) = world.invite(&org, &guest, Role::Member).await;
    let (_, router) = world.another_process(99).await;
    let (path, body) = ("/v2/account/organization".to_owned(), json!({ "name": "Guest's own" }));
    let signs_up = send_meanwhile(router, Method::POST, path, world.token(&guest), Some(body));
    world.wire.before_first(is_change, async move { assert_eq!(signs_up.await, 200) });
    let accepted =
        world.post(ACCEPT).bearer(&world.token(&guest)).json(&json!({ "token": invitation.reveal() }));
    assert_eq!(accepted.send().await.error(), (409, "ALREADY_IN_ORGANIZATION".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
    let account = world.get("/v2/account").bearer(&world.token(&guest)).send().await.data();
    assert_eq!(account["organization"]["role"], "owner");
}

#[tokio::test]
async fn an_invitation_that_is_revoked_while_it_is_accepted_takes_nobody_in() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    let guest = world.person("guest");
    let (invitation, token) = world.invite(&org, &guest, Role::Member).await;
    let (_, router) = world.another_process(99).await;
    let path = format!("{INVITATIONS}/{}", invitation.id);
    let revokes = send_meanwhile(router, Method::DELETE, path, owner, None);
    world.wire.before_first(is_change, async move { assert_eq!(revokes.await, 204) });
    let accepted = world.post(ACCEPT).bearer(&world.token(&guest)).json(&json!({ "token": token.reveal() }));
    assert_eq!(accepted.send().await.error(), (410, "GONE".to_owned()));
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_accept_at_once_as_many_come_as_there_is_room_for() {
    let (world, org) = World::with_org().await;
    world.owner_token(&org).await;
    for _ in 0..21 {
        world.colleague(&org).await;
    }
    let guests: Vec<Person> = (0..6).map(|number| world.person(&format!("guest-{number}"))).collect();
    let routers = [world.router(), world.another_process(99).await.1];
    let mut invitations = Vec::new();
    for guest in &guests {
        invitations.push((world.token(guest), world.invite(&org, guest, Role::Member).await.1));
    }
    let mut calls = JoinSet::new();
    for (number, (guest, invitation)) in invitations.into_iter().enumerate() {
        calls.spawn(accept(routers[number % 2].clone(), guest, invitation));
    }
    let mut statuses = calls.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 409, 409, 409]);
    assert_eq!(assert_consistent(&world, &org).await.len(), 25);
}

#[tokio::test]
async fn of_two_who_are_invited_by_one_address_at_once_one_link_works() {
    let (world, org) = World::with_org().await;
    let owner = world.owner_token(&org).await;
    let (_, router) = world.another_process(99).await;
    let body = json!({ "email": "guest@example.com", "role": "member" });
    let second =
        send_meanwhile(router, Method::POST, INVITATIONS.to_owned(), owner.clone(), Some(body.clone()));
    world.wire.before_first(is_change, async move { assert_eq!(second.await, 200) });
    assert_eq!(world.post(INVITATIONS).bearer(&owner).json(&body).send().await.status, 200);
    let listed = world.get(INVITATIONS).bearer(&owner).send().await.data();
    let mut states: Vec<_> =
        listed.as_array().expect("a list").iter().map(|shown| shown["state"].to_string()).collect();
    states.sort();
    assert_eq!(states, ["\"live\"", "\"revoked\""]);
}
