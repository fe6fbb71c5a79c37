//! Calls of the account function that return a given status.

use harness::{Call, samples};
use marquee::webhooks::record_batch;
use serde_json::json;
use store::{Family, Revocation, Role};

use super::Case;

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    match (case.operation.id, status) {
        ("sign_up", 409) => Some(case.call().bearer(&case.world.owner_token(case.org).await)),
        ("read_member" | "edit_member" | "remove_member", 404) => {
            Some(case.call_at("/v2/account/members/0000000000000000"))
        }
        ("edit_member", 409) => Some(call_on_last_owner(case).json(&json!({ "role": "member" }))),
        ("remove_member", 409) => Some(call_on_last_owner(case)),
        ("invite_member", 409) => {
            let body = samples::invitation();
            let name = body["email"].as_str().and_then(|email| email.split('@').next()).expect("an address");
            case.world.joined(case.org, &case.world.person(name), Role::Member).await;
            Some(case.good_call())
        }
        ("revoke_invitation", 404) => Some(case.call_at("/v2/account/invitations/inv_0000000000000000")),
        ("revoke_invitation", 409) => {
            accept(case).await;
            Some(case.good_call())
        }
        ("accept_invitation", 404) => {
            let unknown = json!({ "token": format!("mqi_{}", "1".repeat(64)) });
            Some(case.call_of("application/json", unknown.to_string()))
        }
        ("accept_invitation", 409) => {
            let other = case.world.org("org_b").await;
            case.world.member(&other, &case.world.invitee(&case.org.id), Role::Member).await;
            Some(case.good_call())
        }
        ("accept_invitation", 410) => {
            let (id, now) = (newest_invitation(case).await.id, case.world.clock.now());
            let owner = case.world.owner(&case.org.id).subject;
            let revoked = case.world.credentials().revoke_invitation(&case.org.id, &id, &owner, now).await;
            assert_eq!(revoked.expect("a response"), Revocation::Done);
            Some(case.good_call())
        }
        (_, 404) if case.operation.path.contains("{webhook_id}") => {
            Some(case.call_at(&case.operation.path_of_unknown_ids()))
        }
        ("create_webhook", 409) => {
            while case.good_call().send().await.status != 409 {}
            Some(case.good_call())
        }
        ("test_webhook", 409) => {
            let webhook = case.path.trim_end_matches("/test");
            let disabled = case.world.patch(webhook).bearer(&case.world.owner_token(case.org).await);
            disabled.json(&json!({ "enabled": false })).send().await;
            Some(case.good_call())
        }
        ("redeliver_webhook_delivery", 409) => {
            assert_eq!(case.good_call().send().await.status, 200);
            Some(case.good_call())
        }
        ("list_changes", 410) => {
            let mut records = case.world.records();
            let first = case.good_call().send().await.data()["cursor"].clone();
            case.world.draft(case.org, Family::Event).await;
            let batch = records.take().expect("a record");
            record_batch(&case.world.app, batch).await.expect("the database responds");
            case.world.clock.advance(31 * 24 * 60 * 60 * 1000);
            Some(case.call_at(&format!("/v2/changes?cursor={}", first.as_str().expect("a cursor"))))
        }
        ("revoke_key", 404) => Some(case.call_at(&case.operation.path_of_unknown_ids())),
        ("create_key", 409) => {
            while case.good_call().send().await.status != 409 {}
            Some(case.good_call())
        }
        // The health check doesn't require a scope, so this uses a person without an organization instead of
        // a key.
        (_, 403) if !case.operation.is_for_people() => {
            Some(case.call().bearer(&case.world.token(&case.world.person("outsider"))))
        }
        _ => None,
    }
}

/// Creates a call for the member resource of an organization's only owner. The organization has other
/// members.
fn call_on_last_owner<'a>(case: &Case<'a>) -> Call<'a> {
    let owner = case.world.owner(&case.org.id).subject.member_id();
    let (header, value) = &case.credential;
    let path = format!("/v2/account/members/{owner}");
    case.world.call(case.operation.method.clone(), &path).header(header, value)
}

async fn newest_invitation(case: &Case<'_>) -> store::Invitation {
    let invitations = case.world.credentials().invitations(&case.org.id).await.expect("a response");
    invitations.into_iter().next().expect("there is an invitation")
}

/// Accepts the newest invitation as the invited person.
async fn accept(case: &Case<'_>) {
    let invitation = newest_invitation(case).await;
    let seen = case.world.members(&case.org.id).await;
    let member = store::Member {
        subject: case.world.person("guest").subject,
        role: invitation.role,
        name: None,
        email: Some(invitation.email),
        joined_at: case.world.clock.now(),
    };
    let credentials = case.world.credentials();
    let accepted = credentials.accept_invitation(&case.org.id, &invitation.id, &member, &seen).await;
    assert!(accepted.expect("a response"));
}
