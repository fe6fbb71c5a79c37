//! Invitations that are not accepted: the answer says which, what to do, and nothing of whom they are for.

use harness::{Answer, Logs, TestOrg, World};
use serde_json::json;
use store::{Email, InvitationToken, Person, Revocation, Role};

use super::{ACCEPT, INVITATIONS, assert_consistent};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

async fn accept(world: &World, person: &Person, token: &InvitationToken) -> Answer {
    let call = world.post(ACCEPT).bearer(&world.token(person));
    call.json(&json!({ "token": token.reveal() })).send().await
}

async fn organization(world: &World) -> TestOrg {
    let org = world.org("org_a").await;
    world.owner_token(&org).await;
    org
}

#[track_caller]
fn assert_refused(answer: &Answer, (status, code): (u16, &str), words: &str) {
    assert_eq!(answer.error(), (status, code.to_owned()));
    let text = answer.text();
    assert!(text.contains(words), "{text}");
    assert!(!text.contains("guest@"), "{text}");
    assert!(!text.contains("org_a"), "{text}");
}

#[tokio::test]
async fn another_address_learns_nothing_whatever_has_become_of_the_invitation() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = world.person("guest");
    let stranger = world.person("stranger");
    let no_address = world.issuer.person("nameless", None);
    let (invitation, token) = world.invite(&org, &guest, Role::Member).await;
    let not_yours = ((403, "FORBIDDEN"), "for a different email address");
    assert_refused(&accept(&world, &stranger, &token).await, not_yours.0, not_yours.1);
    assert_refused(
        &accept(&world, &no_address, &token).await,
        (403, "EMAIL_NOT_VERIFIED"),
        "is not verified",
    );
    let (owner, now) = (world.owner(&org.id).subject, world.clock.now());
    let revoked = world.credentials().revoke_invitation(&org.id, &invitation.id, &owner, now).await;
    assert_eq!(revoked.expect("an answer"), Revocation::Done);
    assert_refused(&accept(&world, &stranger, &token).await, not_yours.0, not_yours.1);
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test]
async fn an_address_that_is_not_verified_proves_nothing() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = Person { is_email_verified: false, ..world.person("guest") };
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    world.wire.record();
    assert_refused(&accept(&world, &guest, &token).await, (403, "EMAIL_NOT_VERIFIED"), "verify it");
    assert!(!world.wire.take().iter().any(|sent| sent.body.to_string().contains("invitation#")));
}

#[tokio::test]
async fn is_used_once_whoever_has_the_address() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = world.person("guest");
    let email: Option<Email> = guest.email.clone();
    let namesake = world.issuer.person("another-subject", email);
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    assert_eq!(accept(&world, &guest, &token).await.status, 200);
    assert_refused(&accept(&world, &namesake, &token).await, (410, "GONE"), "has been used");
    // Who was removed does not come back by it.
    let owner = world.owner_token(&org).await;
    let path = super::member_path(&guest.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&owner).send().await.status, 200);
    assert_refused(&accept(&world, &guest, &token).await, (410, "GONE"), "has been used");
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test]
async fn lives_for_seven_days() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (guest, late) = (world.person("guest"), world.person("guest-who-is-late"));
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    let (_, late_token) = world.invite(&org, &late, Role::Member).await;
    world.clock.advance(7 * DAY_MILLIS - 1);
    assert_eq!(accept(&world, &guest, &token).await.status, 200);
    world.clock.advance(1);
    assert_refused(&accept(&world, &late, &late_token).await, (410, "GONE"), "has expired");
    world.clock.advance(30 * DAY_MILLIS);
    assert_refused(&accept(&world, &late, &late_token).await, (404, "NOT_FOUND"), "no such invitation");
}

#[tokio::test]
async fn nonsense_and_unknown_tokens_are_404_and_nonsense_costs_no_look() {
    let world = World::new().await;
    organization(&world).await;
    let guest = world.token(&world.person("guest"));
    let unknown = format!("mqi_{}", "1".repeat(64));
    for (token, looks) in [("nonsense", 0), ("", 0), (&unknown.to_uppercase(), 0), (unknown.as_str(), 1)] {
        world.wire.record();
        let answer = world.post(ACCEPT).bearer(&guest).json(&json!({ "token": token })).send().await;
        assert_refused(&answer, (404, "NOT_FOUND"), "ask the person who invited you");
        let sent = world.wire.take();
        let of_invitation = |sent: &&harness::Sent| sent.body.to_string().contains("invitation#");
        assert_eq!(sent.iter().filter(of_invitation).count(), looks, "{token}");
    }
}

#[tokio::test]
async fn one_who_belongs_to_an_organization_leaves_it_first() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = world.person("guest");
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    world.joined(&world.org("org_b").await, &guest, Role::Owner).await;
    let refused = accept(&world, &guest, &token).await;
    assert_refused(&refused, (409, "ALREADY_IN_ORGANIZATION"), "leave it first");
    // The invitation stays.
    let listed = world.get(INVITATIONS).bearer(&world.owner_token(&org).await).send().await.data();
    assert_eq!(listed[0]["state"], "live");
}

#[tokio::test]
async fn twenty_five_members_are_the_most() {
    let world = World::new().await;
    let org = organization(&world).await;
    for _ in 0..23 {
        world.colleague(&org).await;
    }
    let (last, one_more) = (world.person("last"), world.person("guest"));
    let (_, of_last) = world.invite(&org, &last, Role::Member).await;
    let (_, of_one_more) = world.invite(&org, &one_more, Role::Member).await;
    assert_eq!(accept(&world, &last, &of_last).await.status, 200);
    let refused = accept(&world, &one_more, &of_one_more).await;
    assert_refused(&refused, (409, "LIMIT_REACHED"), "25 members");
    assert_eq!(assert_consistent(&world, &org).await.len(), 25);
    let path = super::member_path(&last.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&org.owner_token).send().await.status, 200);
    assert_eq!(accept(&world, &one_more, &of_one_more).await.status, 200);
}

#[tokio::test]
async fn an_invitation_stands_while_whoever_made_it_is_an_owner() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (owner, guest, second_address) =
        (world.owner(&org.id), world.person("guest"), world.person("second-address"));
    let (_, of_guest) = world.invite(&org, &guest, Role::Member).await;
    let (_, of_second_address) = world.invite(&org, &second_address, Role::Owner).await;
    // Demoted, removed, and an owner again.
    world.member(&org, &owner, Role::Member).await;
    assert_refused(&accept(&world, &guest, &of_guest).await, (410, "GONE"), "is no owner");
    world.operator.remove_member(&org.id, owner.subject.clone()).await.expect("a member");
    let refused = accept(&world, &second_address, &of_second_address).await;
    assert_refused(&refused, (410, "GONE"), "is no owner");
    assert_eq!(assert_consistent(&world, &org).await.len(), 0);
    world.member(&org, &owner, Role::Owner).await;
    assert_eq!(accept(&world, &guest, &of_guest).await.status, 200);
}

#[tokio::test]
async fn nobody_comes_to_a_suspended_organization() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (guest, colleague) = (world.person("guest"), world.person("colleague"));
    let (_, of_guest) = world.invite(&org, &guest, Role::Member).await;
    let (_, of_colleague) = world.invite(&org, &colleague, Role::Member).await;
    assert_eq!(accept(&world, &colleague, &of_colleague).await.status, 200);
    world.operator.suspend(&org.id).await.expect("an organization");
    let refused = accept(&world, &guest, &of_guest).await;
    assert_refused(&refused, (403, "ORGANIZATION_SUSPENDED"), "suspended");
    // Who has joined is answered again.
    assert_eq!(accept(&world, &colleague, &of_colleague).await.status, 200);
    world.operator.resume(&org.id).await.expect("an organization");
    assert_eq!(accept(&world, &guest, &of_guest).await.status, 200);
}

#[tokio::test]
async fn a_member_is_not_invited_again() {
    let world = World::new().await;
    let org = organization(&world).await;
    world.joined(&org, &world.person("guest"), Role::Member).await;
    let body = json!({ "email": "GUEST@example.com", "role": "owner" });
    let refused = world.post(INVITATIONS).bearer(&org.owner_token).json(&body).send().await;
    assert_refused(&refused, (409, "ALREADY_IN_ORGANIZATION"), "change their role");
}

#[tokio::test]
async fn no_log_line_and_no_later_answer_holds_a_token_or_an_address() {
    let world = World::new().await;
    let logs = Logs::capture();
    let org = organization(&world).await;
    let body = json!({ "email": "guest@example.com", "role": "member" });
    let made = world.post(INVITATIONS).bearer(&org.owner_token).json(&body).send().await.data();
    let token: InvitationToken =
        made["token"].as_str().and_then(|token| token.parse().ok()).expect("a token");
    let mut answers = vec![
        world.get(INVITATIONS).bearer(&org.owner_token).send().await,
        accept(&world, &world.person("stranger"), &token).await,
        accept(&world, &world.person("guest"), &token).await,
        accept(&world, &world.person("guest"), &token).await,
        world.get(super::MEMBERS).bearer(&org.owner_token).send().await,
    ];
    for fault in [harness::Fault::RequestLost, harness::Fault::ErrorAfterCommit] {
        world.wire.break_with(move |_| fault);
        answers.push(accept(&world, &world.person("guest"), &token).await);
        world.wire.mend().await;
    }
    for answer in &answers {
        assert!(!answer.text().contains(&token.reveal()[4..]), "{}", answer.text());
    }
    for line in logs.lines() {
        for secret in [&token.reveal()[4..], token.digest().as_str(), "guest@", "example.com"] {
            assert!(!line.contains(secret), "{line}");
        }
    }
}
