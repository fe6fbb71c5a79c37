//! Rejected invitations. Each error states the reason and the remedy, without disclosing the invited address
//! or the organization.

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
async fn other_address_gets_the_same_403_before_and_after_revocation() {
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
    assert_eq!(revoked.expect("a response"), Revocation::Done);
    assert_refused(&accept(&world, &stranger, &token).await, not_yours.0, not_yours.1);
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test]
async fn unverified_address_returns_403_without_an_invitation_read() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = Person { is_email_verified: false, ..world.person("guest") };
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    world.wire.record();
    assert_refused(&accept(&world, &guest, &token).await, (403, "EMAIL_NOT_VERIFIED"), "verify it");
    assert!(!world.wire.take().iter().any(|sent| sent.body.to_string().contains("invitation#")));
}

#[tokio::test]
async fn invitation_can_be_used_only_once() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = world.person("guest");
    let email: Option<Email> = guest.email.clone();
    let namesake = world.issuer.person("another-subject", email);
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    assert_eq!(accept(&world, &guest, &token).await.status, 200);
    assert_refused(&accept(&world, &namesake, &token).await, (410, "GONE"), "has been used");
    // A removed member can't reuse the invitation.
    let owner = world.owner_token(&org).await;
    let path = super::member_path(&guest.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&owner).send().await.status, 200);
    assert_refused(&accept(&world, &guest, &token).await, (410, "GONE"), "has been used");
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
}

#[tokio::test]
async fn invitation_expires_after_seven_days() {
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
async fn malformed_and_unknown_tokens_return_404_and_malformed_ones_are_not_looked_up() {
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
async fn member_of_another_organization_gets_409() {
    let world = World::new().await;
    let org = organization(&world).await;
    let guest = world.person("guest");
    let (_, token) = world.invite(&org, &guest, Role::Member).await;
    world.joined(&world.org("org_b").await, &guest, Role::Owner).await;
    let refused = accept(&world, &guest, &token).await;
    assert_refused(&refused, (409, "ALREADY_IN_ORGANIZATION"), "leave it first");
    // The invitation is still live.
    let listed = world.get(INVITATIONS).bearer(&world.owner_token(&org).await).send().await.data();
    assert_eq!(listed[0]["state"], "live");
}

#[tokio::test]
async fn twenty_sixth_member_is_rejected() {
    let world = World::new().await;
    let org = organization(&world).await;
    for _ in 0..23 {
        world.colleague(&org).await;
    }
    let (last, one_more) = (world.person("last"), world.person("guest"));
    let (_, last_invitation) = world.invite(&org, &last, Role::Member).await;
    let (_, one_more_invitation) = world.invite(&org, &one_more, Role::Member).await;
    assert_eq!(accept(&world, &last, &last_invitation).await.status, 200);
    let refused = accept(&world, &one_more, &one_more_invitation).await;
    assert_refused(&refused, (409, "LIMIT_REACHED"), "25 members");
    assert_eq!(assert_consistent(&world, &org).await.len(), 25);
    let path = super::member_path(&last.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&org.owner_token).send().await.status, 200);
    assert_eq!(accept(&world, &one_more, &one_more_invitation).await.status, 200);
}

#[tokio::test]
async fn invitation_is_valid_only_while_its_creator_is_an_owner() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (owner, guest, second_address) =
        (world.owner(&org.id), world.person("guest"), world.person("second-address"));
    let (_, guest_invitation) = world.invite(&org, &guest, Role::Member).await;
    let (_, second_invitation) = world.invite(&org, &second_address, Role::Owner).await;
    // The inviter is demoted, then removed, and finally made an owner again.
    world.member(&org, &owner, Role::Member).await;
    assert_refused(&accept(&world, &guest, &guest_invitation).await, (410, "GONE"), "is no longer an owner");
    world.administrator.remove_member(&org.id, owner.subject.clone()).await.expect("removed");
    let refused = accept(&world, &second_address, &second_invitation).await;
    assert_refused(&refused, (410, "GONE"), "is no longer an owner");
    assert_eq!(assert_consistent(&world, &org).await.len(), 0);
    world.member(&org, &owner, Role::Owner).await;
    assert_eq!(accept(&world, &guest, &guest_invitation).await.status, 200);
}

#[tokio::test]
async fn suspended_organization_rejects_new_members() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (guest, colleague) = (world.person("guest"), world.person("colleague"));
    let (_, guest_invitation) = world.invite(&org, &guest, Role::Member).await;
    let (_, colleague_invitation) = world.invite(&org, &colleague, Role::Member).await;
    assert_eq!(accept(&world, &colleague, &colleague_invitation).await.status, 200);
    world.administrator.suspend(&org.id).await.expect("an organization");
    let refused = accept(&world, &guest, &guest_invitation).await;
    assert_refused(&refused, (403, "ORGANIZATION_SUSPENDED"), "suspended");
    // Repeating the request succeeds for a person who has already joined.
    assert_eq!(accept(&world, &colleague, &colleague_invitation).await.status, 200);
    world.administrator.resume(&org.id).await.expect("an organization");
    assert_eq!(accept(&world, &guest, &guest_invitation).await.status, 200);
}

#[tokio::test]
async fn inviting_an_existing_member_returns_409() {
    let world = World::new().await;
    let org = organization(&world).await;
    world.joined(&org, &world.person("guest"), Role::Member).await;
    let body = json!({ "email": "GUEST@example.com", "role": "owner" });
    let refused = world.post(INVITATIONS).bearer(&org.owner_token).json(&body).send().await;
    assert_refused(&refused, (409, "ALREADY_IN_ORGANIZATION"), "change their role");
}

#[tokio::test]
async fn tokens_and_addresses_never_appear_in_logs_or_later_responses() {
    let world = World::new().await;
    let logs = Logs::capture();
    let org = organization(&world).await;
    let body = json!({ "email": "guest@example.com", "role": "member" });
    let made = world.post(INVITATIONS).bearer(&org.owner_token).json(&body).send().await.data();
    let token: InvitationToken =
        made["token"].as_str().and_then(|token| token.parse().ok()).expect("a valid token");
    let mut answers = vec![
        world.get(INVITATIONS).bearer(&org.owner_token).send().await,
        accept(&world, &world.person("stranger"), &token).await,
        accept(&world, &world.person("guest"), &token).await,
        accept(&world, &world.person("guest"), &token).await,
        world.get(super::MEMBERS).bearer(&org.owner_token).send().await,
    ];
    for fault in [harness::Fault::RequestLost, harness::Fault::ErrorAfterCommit] {
        world.wire.inject_faults(move |_| fault);
        answers.push(accept(&world, &world.person("guest"), &token).await);
        world.wire.stop_faults().await;
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
