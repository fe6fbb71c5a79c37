//! Calls of the campaign and event libraries that return a given status.

use harness::{Call, Fault, samples};
use http::Method;
use serde_json::json;
use store::Family;

use super::{Case, drop_table};
use crate::scenarios::{changed, meanwhile};

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let Case { operation, world, org, path, .. } = case;
    let family = operation.family().expect("the operation belongs to a library");
    let edits = operation.method == Method::PATCH || operation.method == Method::DELETE;
    let call = match status {
        500 if operation.is_batch() => {
            drop_table(world, "credentials").await;
            case.call_with(&org.key)
        }
        503 if operation.is_batch() => {
            world.wire.inject_faults(|sent| {
                if sent.touches("credentials") { Fault::ErrorBeforeCommit } else { Fault::None }
            });
            case.call_with(&org.key)
        }
        _ if operation.is_batch() => return None,
        400 if edits => {
            world.bring_to(org, path, "in_flight").await;
            case.call_with(&org.key)
        }
        304 => case.call_with(&org.key).header("if-none-match", "\"1\""),
        401 => case.call(),
        404 if operation.method == Method::POST => {
            let created = case.call_with(&org.key).header("idempotency-key", "k-1").send().await.data();
            let asset = format!("{path}/{}", created["asset_id"].as_str().expect("an ID"));
            assert_eq!(world.delete(&asset).key(&org.key).send().await.status, 204);
            case.call_with(&org.key).header("idempotency-key", "k-1")
        }
        409 if operation.method == Method::PUT => {
            for _ in 0..2 {
                let create = world.post(samples::library(family)).key(&org.key);
                assert_eq!(create.json(&samples::body_to_put(family)).send().await.status, 200);
            }
            case.call_with(&org.key)
        }
        412 if operation.method == Method::PUT => case.call_with(&org.key).header("if-match", "\"2\""),
        409 if operation.method == Method::POST => {
            let other = format!(" {}", samples::body(family));
            let first = case.call_of("application/json", other).header("idempotency-key", "k-1");
            assert_eq!(first.send().await.status, 200);
            case.call_with(&org.key).header("idempotency-key", "k-1")
        }
        404 => case.call_at(&format!("{}/01999999-9999-7999-8999-999999999999", samples::library(family))),
        409 if operation.takes_an_asset_id() => {
            world.bring_to(org, path, "queued").await;
            meanwhile(world, org, path, "started").await;
            case.call_with(&org.key)
        }
        412 if operation.takes_an_asset_id() => case.call_with(&org.key).header("if-match", "\"2\""),
        // The body is valid except for its size.
        413 => {
            let name = if family == Family::Campaign { "/campaign/name" } else { "/name" };
            let long = json!("x".repeat(4 * 1024 * 1024));
            case.call_of(
                "application/json",
                changed(&operation.body.expect("a body")(), name, Some(long)).to_string(),
            )
        }
        500 => {
            drop_table(world, "assets").await;
            case.call_with(&org.key)
        }
        503 => {
            world.wire.inject_faults(|sent| {
                let is_asset_request = sent.body.to_string().contains("marquee-assets");
                if is_asset_request { Fault::ErrorBeforeCommit } else { Fault::None }
            });
            case.call_with(&org.key)
        }
        _ => return None,
    };
    Some(call)
}
