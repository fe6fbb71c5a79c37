//! Creating, listing, replacing, revoking, and accepting invitations.

use gateway::App;
use harness::{Answer, PUBLIC_URL, TestOrg, World};
use marquee::serve::Gateway;
use runtime::Random;
use serde_json::{Value, json};
use store::{Person, Role};

use super::{ACCEPT, INVITATIONS, MEMBERS, assert_consistent};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

async fn invite(world: &World, org: &TestOrg, email: &str, role: &str) -> Value {
    let body = json!({ "email": email, "role": role });
    world.post(INVITATIONS).bearer(&owner(world, org)).json(&body).send().await.data()
}

/// Creates a new token for the organization's owner.
fn owner(world: &World, org: &TestOrg) -> String {
    world.token(&world.owner(&org.id))
}

async fn list(world: &World, org: &TestOrg) -> Vec<Value> {
    let listed = world.get(INVITATIONS).bearer(&owner(world, org)).send().await.data();
    listed.as_array().expect("a list").clone()
}

async fn revoke(world: &World, org: &TestOrg, invitation: &Value) -> Answer {
    let path = format!("{INVITATIONS}/{}", invitation["invitation_id"].as_str().expect("an ID"));
    world.delete(&path).bearer(&owner(world, org)).send().await
}

async fn accept(world: &World, person: &Person, invitation: &Value) -> Answer {
    let body = json!({ "token": invitation["token"] });
    world.post(ACCEPT).bearer(&world.token(person)).json(&body).send().await
}

async fn organization(world: &World) -> TestOrg {
    let org = world.org("org_a").await;
    let owner = world.owner(&org.id);
    world.joined(&org, &owner, Role::Owner).await;
    org
}

#[tokio::test]
async fn invitation_link_is_returned_once_with_the_token_in_the_fragment() {
    let world = World::new().await;
    let org = organization(&world).await;
    let made = invite(&world, &org, "Guest@Example.com", "member").await;
    let token = made["token"].as_str().expect("a token");
    assert_eq!((token.len(), &token[..4]), (68, "mqi_"));
    assert_eq!(made["link"], format!("{PUBLIC_URL}/portal/invitation#invitation={token}"));
    let mut shown = made.clone();
    for once in ["token", "link", "mail"] {
        shown.as_object_mut().expect("an object").remove(once);
    }
    let owner = world.owner(&org.id);
    assert_eq!(
        shown,
        json!({
            "invitation_id": made["invitation_id"],
            "email": "guest@example.com",
            "role": "member",
            "state": "live",
            "created_at": "2026-11-20T09:00:30.000Z",
            "created_by": { "member_id": owner.subject.member_id(), "name": null, "email": owner.email },
            "expires_at": "2026-11-27T09:00:30.000Z",
        })
    );
    assert_eq!(list(&world, &org).await, [shown]);
    for table in ["credentials", "accounts"] {
        let stored = format!("{:?}", world.stored(table).await);
        assert!(!stored.contains(&token[4..]), "only the token's digest is stored");
    }
}

#[tokio::test]
async fn invitation_link_uses_the_configured_portal_url() {
    let world = World::new().await;
    let org = organization(&world).await;
    let mut config = (*world.app.config).clone();
    config.portal_url = Some("https://portal.example/app".to_owned());
    let app = App::new(config, world.clock.clone(), Random::seeded(99));
    let router = Gateway::new(&app, harness::sample()).into_router();
    let body = json!({ "email": "guest@example.com", "role": "owner" });
    let call = world.post(INVITATIONS).bearer(&owner(&world, &org)).json(&body);
    let made = call.send_to(router).await.data();
    let token = made["token"].as_str().expect("a token");
    assert_eq!(made["link"], format!("https://portal.example/app/#invitation={token}"));
}

#[tokio::test]
async fn accepting_grants_the_invited_role_and_can_be_retried() {
    for role in ["owner", "member"] {
        let world = World::new().await;
        let org = organization(&world).await;
        let invitation = invite(&world, &org, "GUEST@example.com", role).await;
        let guest = world.person("guest");
        world.clock.advance(1_000);
        let accepted = accept(&world, &guest, &invitation).await;
        assert_eq!(accepted.credits_used(), 0);
        let account = accepted.data();
        assert_eq!(account["organization"]["org_id"], "org_a");
        assert_eq!(account["organization"]["role"], role);
        assert_eq!(account["person"]["member_id"], guest.subject.member_id().as_str());
        assert_eq!(accept(&world, &guest, &invitation).await.data(), account);
        assert_eq!(world.get("/v2/account").bearer(&world.token(&guest)).send().await.data(), account);
        let mut listed = list(&world, &org).await;
        assert_eq!(listed[0]["state"].take(), "accepted");
        let members = world.get(MEMBERS).bearer(&owner(&world, &org)).send().await.data();
        let joined = members.as_array().expect("a list").iter().find(|member| member["is_you"] == false);
        let joined = joined.expect("a member");
        assert_eq!(joined["joined_at"], "2026-11-20T09:00:31.000Z");
        assert_eq!((&joined["email"], &joined["role"]), (&json!("guest@example.com"), &json!(role)));
        assert_eq!(revoke(&world, &org, &invitation).await.error(), (409, "STATE_CONFLICT".to_owned()));
        assert_eq!(assert_consistent(&world, &org).await.len(), 2);
    }
}

#[tokio::test]
async fn person_who_left_an_organization_can_join_another_immediately() {
    let world = World::new().await;
    let org = organization(&world).await;
    let other = world.org("org_b").await;
    let guest = world.person("guest");
    let token = world.joined(&other, &guest, Role::Member).await;
    // Makes the process cache the guest's membership in the other organization.
    assert_eq!(world.get("/v2/account").bearer(&token).send().await.status, 200);
    let invitation = invite(&world, &org, "guest@example.com", "member").await;
    assert_eq!(
        accept(&world, &guest, &invitation).await.error(),
        (409, "ALREADY_IN_ORGANIZATION".to_owned())
    );
    let path = super::member_path(&guest.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&token).send().await.status, 200);
    assert_eq!(accept(&world, &guest, &invitation).await.data()["organization"]["org_id"], "org_a");
}

#[tokio::test]
async fn new_invitation_replaces_the_live_one_for_the_same_address() {
    let world = World::new().await;
    let org = organization(&world).await;
    let first = invite(&world, &org, "guest@example.com", "owner").await;
    world.clock.advance(1_000);
    let second = invite(&world, &org, "guest@example.com", "member").await;
    let states: Vec<_> = list(&world, &org).await.iter().map(|shown| shown["state"].clone()).collect();
    assert_eq!(states, ["live", "revoked"]);
    let guest = world.person("guest");
    let refused = accept(&world, &guest, &first).await;
    assert_eq!(refused.error(), (410, "GONE".to_owned()));
    assert!(refused.text().contains("replaced by a newer one"), "{}", refused.text());
    assert_eq!(accept(&world, &guest, &second).await.data()["organization"]["role"], "member");
}

#[tokio::test]
async fn revocation_takes_effect_immediately_and_is_idempotent() {
    let world = World::new().await;
    let org = organization(&world).await;
    let (revoked, expired) = (
        invite(&world, &org, "guest@example.com", "member").await,
        invite(&world, &org, "late@example.com", "member").await,
    );
    for _ in 0..2 {
        assert_eq!(revoke(&world, &org, &revoked).await.status, 204);
    }
    assert_eq!(accept(&world, &world.person("guest"), &revoked).await.error(), (410, "GONE".to_owned()));
    world.clock.advance(7 * DAY_MILLIS);
    assert_eq!(revoke(&world, &org, &expired).await.status, 204);
    let mut states: Vec<_> =
        list(&world, &org).await.iter().map(|shown| shown["state"].to_string()).collect();
    states.sort();
    assert_eq!(states, ["\"expired\"", "\"revoked\""]);
    for nonsense in ["inv_0000000000000000", "inv_x", "x"] {
        let answer = revoke(&world, &org, &json!({ "invitation_id": nonsense })).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{nonsense}");
    }
}

#[tokio::test]
async fn at_most_fifty_are_live_and_a_hundred_are_listed_for_thirty_days() {
    let world = World::new().await;
    let org = organization(&world).await;
    for round in 0..3 {
        for number in 0..50 {
            world.clock.advance(1_500);
            invite(&world, &org, &format!("guest-{round}-{number}@example.com"), "member").await;
        }
        let body = json!({ "email": "another@example.com", "role": "member" });
        let refused = world.post(INVITATIONS).bearer(&owner(&world, &org)).json(&body).send().await;
        assert_eq!(refused.error(), (409, "LIMIT_REACHED".to_owned()));
        // Replacing an open invitation doesn't increase the number of open invitations.
        invite(&world, &org, &format!("guest-{round}-7@example.com"), "owner").await;
        world.clock.advance(60_000);
        for shown in list(&world, &org).await.iter().filter(|shown| shown["state"] == "live") {
            world.clock.advance(1_500);
            assert_eq!(revoke(&world, &org, shown).await.status, 204);
        }
    }
    let listed = list(&world, &org).await;
    assert_eq!(listed.len(), 100);
    // The newest invitation comes first.
    assert!(listed[0]["created_at"].as_str() > listed[99]["created_at"].as_str());
    let invitation_items = |stored: Vec<harness::StoredItem>| {
        let is_one = |item: &harness::StoredItem| {
            let is = |name: &str| item[name].as_s().is_ok_and(|key| key.starts_with("invitation"));
            is("pk") || is("sk")
        };
        stored.iter().filter(|item| is_one(item)).count()
    };
    assert_eq!(invitation_items(world.stored("credentials").await), 200, "each invitation has two items");
    world.clock.advance(30 * DAY_MILLIS);
    assert_eq!(list(&world, &org).await, [Value::Null; 0]);
}

#[tokio::test]
async fn returns_404_for_another_organizations_invitation() {
    let world = World::new().await;
    let org = organization(&world).await;
    let invitation = invite(&world, &org, "guest@example.com", "member").await;
    let path = format!("{INVITATIONS}/{}", invitation["invitation_id"].as_str().expect("an ID"));
    let other = world.org("org_b").await;
    let stranger = world.owner_token(&other).await;
    assert_eq!(world.delete(&path).bearer(&stranger).send().await.error(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(world.get(INVITATIONS).bearer(&stranger).send().await.data(), json!([]));
    assert_eq!(list(&world, &org).await[0]["state"], "live");
}

#[tokio::test]
async fn demoted_owner_cannot_invite_despite_a_cached_role() {
    let world = World::new().await;
    let org = organization(&world).await;
    let second = world.person("second");
    let token = world.joined(&org, &second, Role::Owner).await;
    assert_eq!(world.get(MEMBERS).bearer(&token).send().await.status, 200);
    world.member(&org, &second, Role::Member).await;
    let body = json!({ "email": "friend@example.com", "role": "owner" });
    let refused = world.post(INVITATIONS).bearer(&token).json(&body).send().await;
    assert_eq!(refused.error(), (403, "FORBIDDEN".to_owned()));
    assert_eq!(list(&world, &org).await, [Value::Null; 0]);
}

#[tokio::test]
async fn list_shows_the_inviters_email_only_while_they_are_a_member() {
    let world = World::new().await;
    let org = organization(&world).await;
    let second = world.person("second");
    let token = world.joined(&org, &second, Role::Owner).await;
    let body = json!({ "email": "friend@example.com", "role": "member" });
    world.post(INVITATIONS).bearer(&token).json(&body).send().await.data();
    let by = list(&world, &org).await[0]["created_by"].take();
    assert_eq!(
        by,
        json!({ "member_id": second.subject.member_id(), "name": null, "email": "second@example.com" })
    );
    let path = super::member_path(&second.subject.member_id());
    assert_eq!(world.delete(&path).bearer(&token).send().await.status, 200);
    let by = list(&world, &org).await[0]["created_by"].take();
    assert_eq!(by, json!({ "member_id": second.subject.member_id(), "name": null, "email": null }));
}
