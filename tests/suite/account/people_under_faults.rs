//! Membership changes during database faults. Each change is applied completely or not at all, and a retry
//! completes it.

use std::time::Duration;

use harness::Fault::{self, AnswerLost, Conflict, ErrorAfterCommit, ErrorBeforeCommit, RequestLost};
use harness::{Answer, Sent, TestOrg, World, WorldOptions};
use http::Method;
use serde_json::{Value, json};
use store::{InvitationState, Person, Role};

use super::{ACCEPT, INVITATIONS, assert_consistent, member_path};

/// The faults of a request's successive attempts. Each row is one scenario. The SDK sends a request up to
/// four times.
const LOST: [&[Fault]; 5] = [
    &[AnswerLost],
    &[AnswerLost, AnswerLost, AnswerLost, AnswerLost],
    &[ErrorAfterCommit, ErrorBeforeCommit, RequestLost, RequestLost],
    &[RequestLost, RequestLost, RequestLost, RequestLost],
    &[Conflict, AnswerLost, AnswerLost, AnswerLost, AnswerLost],
];

/// The maximum number of requests to the credentials table during one call.
const MAX_REQUESTS: usize = 6;

/// A call that changes members, and its world.
struct Scene {
    world: World,
    org: TestOrg,
    guest: Person,
    method: Method,
    path: String,
    token: String,
    body: Option<Value>,
}

impl Scene {
    /// Applies the faults to one of the call's requests to the credentials table. `index` starts at 0.
    fn break_request(&self, index: usize, faults: &'static [Fault]) {
        let (mut before, mut faults) = (index, faults.iter().copied());
        self.world.wire.inject_faults(move |sent: &Sent| {
            if !sent.body.to_string().contains("marquee-credentials") {
                return Fault::None;
            }
            if before > 0 {
                before -= 1;
                return Fault::None;
            }
            faults.next().unwrap_or(Fault::None)
        });
    }

    async fn call(&self) -> Answer {
        let call = self.world.call(self.method.clone(), &self.path).bearer(&self.token);
        match &self.body {
            Some(body) => call.json(body).send().await,
            None => call.send().await,
        }
    }
}

async fn world() -> World {
    let attempt_timeout = Duration::from_millis(500);
    World::with(WorldOptions { attempt_timeout, ..WorldOptions::default() }).await
}

/// Prepares a call for a guest's member resource.
async fn on_member(method: Method, body: Option<Value>) -> Scene {
    let world = world().await;
    let org = world.org("org_a").await;
    let token = world.owner_token(&org).await;
    let guest = world.person("guest");
    world.joined(&org, &guest, Role::Member).await;
    Scene { path: member_path(&guest.subject.member_id()), world, org, guest, method, token, body }
}

#[tokio::test]
async fn acceptance_is_applied_completely_or_not_at_all() {
    for faults in LOST {
        for index in 0..MAX_REQUESTS {
            let world = world().await;
            let org = world.org("org_a").await;
            world.owner_token(&org).await;
            let guest = world.person("guest");
            let (_, token) = world.invite(&org, &guest, Role::Member).await;
            let body = Some(json!({ "token": token.reveal() }));
            let (method, path, token) = (Method::POST, ACCEPT.to_owned(), world.token(&guest));
            let scene = Scene { world, org, guest, method, path, token, body };
            scene.break_request(index, faults);
            let status = scene.call().await.status.as_u16();
            scene.world.wire.stop_faults().await;
            assert!([200, 503].contains(&status), "{faults:?} at {index}: {status}");
            let is_in = assert_consistent(&scene.world, &scene.org).await.len() == 2;
            let listed = scene.world.credentials().invitations(&scene.org.id).await.expect("a response");
            let state = listed[0].state(scene.world.clock.now());
            assert_eq!(state == InvitationState::Accepted, is_in, "{faults:?} at {index}");
            assert!(is_in || status == 503, "{faults:?} at {index}");
            assert_eq!(scene.call().await.data()["organization"]["role"], "member", "{faults:?} at {index}");
            assert_eq!(assert_consistent(&scene.world, &scene.org).await.len(), 2);
        }
    }
}

#[tokio::test]
async fn removal_is_applied_completely_or_not_at_all() {
    for faults in LOST {
        for index in 0..MAX_REQUESTS {
            let scene = on_member(Method::DELETE, None).await;
            scene.break_request(index, faults);
            let status = scene.call().await.status.as_u16();
            scene.world.wire.stop_faults().await;
            assert!([200, 503].contains(&status), "{faults:?} at {index}: {status}");
            let is_in = assert_consistent(&scene.world, &scene.org).await.len() == 2;
            assert!(!is_in || status == 503, "{faults:?} at {index}");
            let again = scene.call().await.status.as_u16();
            assert_eq!(again, if is_in { 200 } else { 404 }, "{faults:?} at {index}");
            assert_eq!(assert_consistent(&scene.world, &scene.org).await, [Role::Owner]);
            let account =
                scene.world.get("/v2/account").bearer(&scene.world.token(&scene.guest)).send().await;
            assert_eq!(account.data()["organization"], Value::Null);
        }
    }
}

#[tokio::test]
async fn role_change_keeps_list_and_membership_consistent() {
    for faults in LOST {
        for index in 0..MAX_REQUESTS {
            let scene = on_member(Method::PATCH, Some(json!({ "role": "owner" }))).await;
            scene.break_request(index, faults);
            let status = scene.call().await.status.as_u16();
            scene.world.wire.stop_faults().await;
            assert!([200, 503].contains(&status), "{faults:?} at {index}: {status}");
            let roles = assert_consistent(&scene.world, &scene.org).await;
            assert!(roles == [Role::Owner; 2] || status == 503, "{faults:?} at {index}: {roles:?}");
            assert_eq!(scene.call().await.data()["role"], "owner", "{faults:?} at {index}");
            assert_eq!(assert_consistent(&scene.world, &scene.org).await, [Role::Owner; 2]);
        }
    }
}

#[tokio::test]
async fn retry_replaces_an_invitation_whose_response_was_lost() {
    for faults in LOST {
        for index in 0..MAX_REQUESTS {
            let world = world().await;
            let org = world.org("org_a").await;
            let token = world.owner_token(&org).await;
            let body = Some(json!({ "email": "guest@example.com", "role": "member" }));
            let (method, path, guest) = (Method::POST, INVITATIONS.to_owned(), world.person("guest"));
            let scene = Scene { world, org, guest, method, path, token, body };
            scene.break_request(index, faults);
            let status = scene.call().await.status.as_u16();
            scene.world.wire.stop_faults().await;
            assert!([200, 503].contains(&status), "{faults:?} at {index}: {status}");
            let made = scene.call().await.data();
            let listed = scene.world.credentials().invitations(&scene.org.id).await.expect("a response");
            let now = scene.world.clock.now();
            let live: Vec<_> =
                listed.iter().filter(|invitation| invitation.state(now) == InvitationState::Live).collect();
            assert_eq!(live.len(), 1, "{faults:?} at {index}");
            assert_eq!(made["invitation_id"], live[0].id.to_string());
        }
    }
}
