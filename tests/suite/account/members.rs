//! Owners list members, change their roles, and remove them. The last owner can leave only when no other
//! members remain.

use harness::{Answer, TestOrg, World};
use serde_json::{Value, json};
use store::{MemberId, Person, Role};

use super::{INVITATIONS, MEMBERS, MEMORY_MILLIS, assert_consistent, member_path};

fn id(person: &Person) -> MemberId {
    person.subject.member_id()
}

async fn set_role(world: &World, token: &str, target: &Person, role: Role) -> Answer {
    let edit = world.patch(&member_path(&id(target))).bearer(token).json(&json!({ "role": role }));
    edit.send().await
}

async fn remove(world: &World, token: &str, target: &Person) -> Answer {
    world.delete(&member_path(&id(target))).bearer(token).send().await
}

/// Creates an organization whose owner's email address is known. Returns the organization, the owner, and the
/// owner's token.
async fn organization(world: &World) -> (TestOrg, Person, String) {
    let org = world.org("org_a").await;
    let owner = world.person("owner");
    let token = world.joined(&org, &owner, Role::Owner).await;
    (org, owner, token)
}

#[tokio::test]
async fn lists_owners_first_then_members_by_joining_date() {
    let world = World::new().await;
    let (org, owner, token) = organization(&world).await;
    let (first, second, mapped) = (world.person("first"), world.person("second"), world.person("mapped"));
    let second = Person { name: Some("Ada Planner".parse().expect("a name")), ..second };
    for (person, role) in [(&first, Role::Member), (&second, Role::Owner)] {
        world.clock.advance(1_000);
        world.joined(&org, person, role).await;
    }
    world.clock.advance(1_000);
    world.member(&org, &mapped, Role::Member).await;
    let listed = world.get(MEMBERS).bearer(&token).send().await;
    assert_eq!((listed.credits_used(), listed.number("x-ratelimit-limit")), (0, 60));
    let shown = |person: &Person, email: Value, role: &str, joined_at: &str| {
        let is_you = person.subject == owner.subject;
        let name = person.name.as_ref();
        json!({ "member_id": id(person), "name": name, "email": email, "role": role, "joined_at": joined_at, "is_you": is_you })
    };
    let expected = [
        shown(&owner, json!("owner@example.com"), "owner", "2026-11-20T09:00:30.000Z"),
        shown(&second, json!("second@example.com"), "owner", "2026-11-20T09:00:32.000Z"),
        shown(&first, json!("first@example.com"), "member", "2026-11-20T09:00:31.000Z"),
        shown(&mapped, Value::Null, "member", "2026-11-20T09:00:33.000Z"),
    ];
    assert_eq!(listed.data(), json!(expected));
    let one = world.get(&member_path(&id(&first))).bearer(&token).send().await.data();
    let made = json!({
        "member": expected[2], "keys": [], "tile_grants": [], "client_links": [], "webhooks": [],
    });
    assert_eq!(one, made);
}

#[tokio::test]
async fn members_see_other_members_but_not_their_resources() {
    let world = World::new().await;
    let (org, owner, _) = organization(&world).await;
    let member = world.person("member");
    let token = world.joined(&org, &member, Role::Member).await;
    let listed = world.get(MEMBERS).bearer(&token).send().await.data();
    let shown = |index: usize| (listed[index]["email"].clone(), listed[index]["is_you"].clone());
    assert_eq!(
        [shown(0), shown(1)],
        [(json!(owner.email), json!(false)), (json!(member.email), json!(true))]
    );
    for person in [&owner, &member] {
        let answer = world.get(&member_path(&id(person))).bearer(&token).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
    }
}

#[tokio::test]
async fn reading_the_account_refreshes_the_members_name_and_verified_address() {
    let world = World::new().await;
    let (org, _, token) = organization(&world).await;
    let plain = world.person("mapped");
    world.member(&org, &plain, Role::Member).await;
    let named = |name: &str, email: &str, is_email_verified| Person {
        name: Some(name.parse().expect("a name")),
        email: Some(email.parse().expect("an address")),
        is_email_verified,
        ..plain.clone()
    };
    let cases = [
        (named("Ada", "ada@example.com", false), json!("Ada"), json!(null)),
        (named("Ada Planner", "ada@example.com", true), json!("Ada Planner"), json!("ada@example.com")),
        (named("Ada Planner", "new@example.com", true), json!("Ada Planner"), json!("new@example.com")),
        // A token without a name and an address doesn't delete the stored ones.
        (Person { name: None, email: None, ..plain.clone() }, json!("Ada Planner"), json!("new@example.com")),
    ];
    for (person, name, email) in cases {
        let account = world.get("/v2/account").bearer(&world.token(&person)).send().await.data();
        assert_eq!(account["person"]["name"], json!(person.name));
        let members = world.get(MEMBERS).bearer(&token).send().await.data();
        let shown = ["name", "email", "joined_at"].map(|member| members[1][member].clone());
        assert_eq!(shown, [name, email, json!("2026-11-20T09:00:30.000Z")]);
    }
    assert_consistent(&world, &org).await;
}

#[tokio::test]
async fn member_may_leave_but_not_change_their_role_or_revoke_their_keys() {
    let world = World::new().await;
    let (org, owner, token) = organization(&world).await;
    let (member, other) = (world.person("member"), world.colleague(&org).await);
    let member_token = world.joined(&org, &member, Role::Member).await;
    let path = member_path(&id(&member));
    let revoking = world.delete(&format!("{path}?revoke=keys"));
    for call in [world.patch(&path).json(&json!({ "role": "owner" })), revoking] {
        let answer = call.bearer(&member_token).send().await;
        assert_eq!(answer.error(), (403, "FORBIDDEN".to_owned()));
        assert!(answer.text().contains("ask an owner"), "{}", answer.text());
    }
    let left = remove(&world, &member_token, &member).await.data();
    assert_eq!(
        (&left["member"]["email"], &left["member"]["is_you"]),
        (&json!("member@example.com"), &json!(true))
    );
    assert_eq!(remove(&world, &token, &other).await.data()["member"]["is_you"], false);
    assert_eq!(assert_consistent(&world, &org).await, [Role::Owner]);
    assert_eq!(remove(&world, &token, &owner).await.status, 200, "the last member can leave");
    assert_eq!(assert_consistent(&world, &org).await, []);
}

#[tokio::test]
async fn returns_404_for_unknown_members_and_those_of_another_organization() {
    let world = World::new().await;
    let (_, _, token) = organization(&world).await;
    let stranger = world.colleague(&world.org("org_b").await).await;
    let unknown = ["0000000000000000".to_owned(), "unknown".to_owned(), "D22FC13FDD24BA36".to_owned()];
    for id in unknown.into_iter().chain([id(&stranger).to_string()]) {
        let path = format!("{MEMBERS}/{id}");
        for call in [
            world.get(&path),
            world.patch(&path).json(&json!({ "role": "member" })),
            world.delete(&path),
            world.delete(&format!("{path}?revoke=keys,tile_grants")),
        ] {
            assert_eq!(call.bearer(&token).send().await.error(), (404, "NOT_FOUND".to_owned()), "{id}");
        }
    }
}

#[tokio::test]
async fn last_owner_cannot_leave_while_other_members_remain() {
    let world = World::new().await;
    let (org, owner, token) = organization(&world).await;
    let other = world.person("other");
    let other_token = world.joined(&org, &other, Role::Member).await;
    for answer in [remove(&world, &token, &owner).await, set_role(&world, &token, &owner, Role::Member).await]
    {
        assert_eq!(answer.error(), (409, "STATE_CONFLICT".to_owned()));
        assert!(answer.text().contains("make another member an owner first"), "{}", answer.text());
    }
    assert_eq!(set_role(&world, &token, &other, Role::Owner).await.data()["role"], "owner");
    // Repeating the request changes nothing.
    assert_eq!(set_role(&world, &token, &other, Role::Owner).await.data()["role"], "owner");
    let demoted = set_role(&world, &token, &owner, Role::Member).await.data();
    assert_eq!((&demoted["role"], &demoted["email"]), (&json!("member"), &json!("owner@example.com")));
    assert_eq!(assert_consistent(&world, &org).await.len(), 2);
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(remove(&world, &other_token, &other).await.error().0, 409);
    assert_eq!(remove(&world, &token, &owner).await.status, 200);
    // The last owner can't be demoted.
    assert_eq!(set_role(&world, &other_token, &other, Role::Member).await.error().0, 409);
    assert_eq!(remove(&world, &other_token, &other).await.status, 200);
    assert_eq!(assert_consistent(&world, &org).await, []);
}

#[tokio::test]
async fn removed_members_token_stops_working_within_thirty_seconds() {
    let world = World::new().await;
    let (org, owner, token) = organization(&world).await;
    let member = world.person("member");
    let member_token = world.joined(&org, &member, Role::Owner).await;
    let ask = async || world.get("/v2/billing/credits").bearer(&member_token).send().await.status.as_u16();
    assert_eq!(
        (ask().await, world.get(MEMBERS).bearer(&member_token).send().await.status.as_u16()),
        (200, 200)
    );
    assert_eq!(remove(&world, &token, &member).await.status, 200);
    let (_, router) = world.another_process(99).await;
    let elsewhere = world.get("/v2/billing/credits").bearer(&member_token).send_to(router).await;
    // A process that hasn't cached the membership rejects the token immediately.
    assert_eq!(elsewhere.error(), (403, "FORBIDDEN".to_owned()));
    // Even a process that has cached the membership rejects changes.
    assert_eq!(remove(&world, &member_token, &owner).await.error().0, 403);
    assert_eq!(set_role(&world, &member_token, &owner, Role::Member).await.error().0, 403);
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(ask().await, 403);
    assert_eq!(world.get(MEMBERS).bearer(&member_token).send().await.error().0, 403);
    assert_eq!(remove(&world, &member_token, &member).await.error().0, 403);
    assert_eq!(
        world.get("/v2/account").bearer(&member_token).send().await.data()["organization"],
        Value::Null
    );
}

#[tokio::test]
async fn role_change_takes_effect_within_thirty_seconds() {
    let world = World::new().await;
    let (org, _, token) = organization(&world).await;
    let member = world.person("member");
    let member_token = world.joined(&org, &member, Role::Member).await;
    let list = async || world.get(INVITATIONS).bearer(&member_token).send().await.status.as_u16();
    assert_eq!(list().await, 403);
    set_role(&world, &token, &member, Role::Owner).await.data();
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(list().await, 200);
    set_role(&world, &token, &member, Role::Member).await.data();
    world.clock.advance(MEMORY_MILLIS);
    assert_eq!(list().await, 403);
}

#[tokio::test]
async fn administrators_role_change_keeps_email_and_joining_date() {
    let world = World::new().await;
    let (org, owner, _) = organization(&world).await;
    world.clock.advance(1_000);
    world.member(&org, &owner, Role::Member).await;
    let members = world.administrator.members(&org.id).await.expect("a response");
    assert_eq!((members[0].email.clone(), members[0].role), (owner.email.clone(), Role::Member));
    assert_eq!(members[0].joined_at.to_string(), "2026-11-20T09:00:30.000Z");
    // Moving to another organization resets the email address and the joining date.
    let other = world.org("org_b").await;
    world.member(&other, &owner, Role::Member).await;
    let members = world.administrator.members(&other.id).await.expect("a response");
    assert_eq!((members[0].email.clone(), members[0].joined_at), (None, world.clock.now()));
}
