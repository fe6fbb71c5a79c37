//! `If-Match` and concurrent changes.

use std::sync::{Arc, Mutex};

use harness::{Answer, TestOrg, World};
use http::Method;
use measurement::Outcome;
use serde_json::json;

use super::{FAMILIES, read};

const CHANGES: [Method; 2] = [Method::PATCH, Method::DELETE];

async fn change(world: &World, org: &TestOrg, method: &Method, path: &str, if_match: Option<&str>) -> Answer {
    let mut call = world.call(method.clone(), path).key(&org.key);
    if let Some(tag) = if_match {
        call = call.header("if-match", tag);
    }
    if method == Method::PATCH {
        call = call.json(&json!({}));
    }
    call.send().await
}

fn done(method: &Method) -> u16 {
    if method == Method::PATCH { 200 } else { 204 }
}

fn locked(method: &Method) -> &'static str {
    if method == Method::PATCH { "ASSET_NOT_EDITABLE" } else { "ASSET_NOT_DELETABLE" }
}

#[tokio::test]
async fn changes_require_the_current_version_in_if_match() {
    let (world, org) = World::with_org().await;
    // Queueing the asset increased its version to 2.
    let current = [
        "\"2\"",
        "2",
        "*",
        " \"2\" ",
        " 2 ",
        "\"1\", \"2\"",
        "1,2",
        "\"1\", 2",
        "\"x\",\"2\",W/\"3\"",
        "\"x,y\", \"2\"",
    ];
    let stale = [
        "\"1\"",
        "\"3\"",
        "1",
        "3",
        "02",
        "1, 3",
        "99999999999999999999999",
        "\"02\"",
        "W/\"2\"",
        "\"\"",
        "\"1\", \"3\"",
        "\"2 \"",
        "\"1,2\"",
        "\"2,\", \",2\"",
    ];
    for family in FAMILIES {
        for method in CHANGES {
            for tag in stale {
                let path = world.draft(&org, family).await;
                world.bring_to(&org, &path, "queued").await;
                let before = read(&world, &org, &path).await.data();
                let refused = change(&world, &org, &method, &path, Some(tag)).await;
                assert_eq!(refused.error(), (412, "PRECONDITION_FAILED".to_owned()), "{method} {tag}");
                assert_eq!(refused.header("etag"), "\"2\"", "{method} {tag}");
                assert_eq!(read(&world, &org, &path).await.data(), before, "{method} {tag}");
            }
            for tag in current {
                let path = world.draft(&org, family).await;
                world.bring_to(&org, &path, "queued").await;
                let answer = change(&world, &org, &method, &path, Some(tag)).await;
                assert_eq!(answer.status, done(&method), "{method} {tag}: {}", answer.text());
            }
        }
    }
}

#[tokio::test]
async fn weak_tags_never_match_and_the_message_says_so() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        for method in CHANGES {
            for (tags, is_about_weak_tags) in
                [("W/\"1\"", true), ("W/\"7\", W/\"1\"", true), ("W/\"1\", \"7\"", false), ("\"7\"", false)]
            {
                let answer = change(&world, &org, &method, &path, Some(tags)).await;
                assert_eq!(answer.error(), (412, "PRECONDITION_FAILED".to_owned()), "{method} {tags}");
                assert_eq!(answer.header("etag"), "\"1\"", "{method} {tags}");
                let message = answer.json()["error"]["message"].as_str().expect("a message").to_owned();
                let says = message.contains("weak entity tags never match `If-Match`")
                    && message.contains("send the strong tag");
                assert_eq!(says, is_about_weak_tags, "{tags}: {message}");
            }
        }
    }
}

#[tokio::test]
async fn locked_asset_with_a_stale_if_match_returns_409() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for (state, version) in [("in_flight", 3), ("completed", 4)] {
            let path = world.draft(&org, family).await;
            world.bring_to(&org, &path, state).await;
            let seen = format!("\"{version}\"");
            for method in CHANGES {
                for (tag, expected) in [
                    (None, (400, locked(&method))),
                    (Some("*"), (400, locked(&method))),
                    (Some(seen.as_str()), (400, locked(&method))),
                    (Some("\"1\""), (409, "STATE_CONFLICT")),
                    (Some("\"99\""), (409, "STATE_CONFLICT")),
                ] {
                    let answer = change(&world, &org, &method, &path, tag).await;
                    let case = format!("{method} {state} {tag:?}: {}", answer.text());
                    assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{case}");
                    assert!(expected.0 == 409 || answer.text().contains(state), "{case}");
                }
            }
            assert_eq!(read(&world, &org, &path).await.header("etag"), seen);
        }
    }
}

#[tokio::test]
async fn malformed_if_match_returns_400() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        for method in CHANGES {
            for tag in [
                "1.0",
                "+1",
                "-1",
                "1 2",
                "x",
                "",
                "\"1",
                "1\"",
                "\"",
                "\"1\",",
                "\"1\" \"2\"",
                "**",
                "w/\"1\"",
                "W/1",
                "W/",
                "\"1\" , *",
                ",",
            ] {
                let answer = change(&world, &org, &method, &path, Some(tag)).await;
                assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{method} {tag}");
                let violations = answer.violations();
                assert!(violations[0].1.contains("a quoted entity tag"), "{violations:?}");
            }
        }
        assert_eq!(read(&world, &org, &path).await.header("etag"), "\"1\"");
    }
}

#[tokio::test]
async fn existence_is_checked_before_the_version() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        for method in CHANGES {
            for tag in ["*", "\"1\"", "\"7\""] {
                let answer = change(&world, &other, &method, &path, Some(tag)).await;
                assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{method} {tag}");
            }
        }
    }
}

/// Schedules an event to be applied between the service's next read of an asset and its write. The result
/// contains the outcome once the event has been applied.
pub(crate) async fn meanwhile(
    world: &World,
    org: &TestOrg,
    path: &str,
    event_type: &str,
) -> Arc<Mutex<Option<Outcome>>> {
    let (app, _) = world.another_process(world.app.random.below(u64::MAX)).await;
    let mut event = Some(world.event(org, path, event_type, 25));
    let outcome = Arc::new(Mutex::new(None));
    let told = Arc::clone(&outcome);
    world.wire.interleave(move |sent| {
        if sent.operation != "TransactWriteItems" || !sent.body.to_string().contains("marquee-assets") {
            return None;
        }
        let (app, event, told) = (app.clone(), event.take()?, Arc::clone(&told));
        Some(Box::pin(async move {
            let outcome = harness::apply(&app, &event).await.expect("a response");
            *told.lock().expect("no panic") = Some(outcome);
        }))
    });
    outcome
}
