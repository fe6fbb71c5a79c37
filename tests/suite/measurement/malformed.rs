//! Malformed measurement events.

use harness::World;
use serde_json::{Value, json};
use store::Family;

use super::{balanced, seen};

/// Returns invalid members for a `purchased` event. The columns are the JSON pointer, the value (`null`
/// removes the member), and part of the reason.
fn bad_members() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("/event_id", Value::Null, "missing field `event_id`"),
        ("/event_id", json!(""), "1 to 128 visible ASCII characters"),
        ("/event_id", json!("a b"), "1 to 128 visible ASCII characters"),
        ("/event_id", json!("é"), "1 to 128 visible ASCII characters"),
        ("/event_id", json!("e".repeat(129)), "1 to 128 visible ASCII characters"),
        ("/event_id", json!(7), "expected a string"),
        ("/org_id", Value::Null, "missing field `org_id`"),
        ("/org_id", json!("org#a"), "1 to 64 letters"),
        ("/org_id", json!(""), "1 to 64 letters"),
        ("/family", Value::Null, "missing field `family`"),
        ("/family", json!("venue"), "unknown variant `venue`"),
        ("/asset_id", Value::Null, "missing field `asset_id`"),
        ("/asset_id", json!("7"), ""),
        ("/asset_id", json!(["x"]), ""),
        ("/type", Value::Null, "missing field `type`"),
        ("/type", json!("exploded"), "unknown variant `exploded`"),
        ("/occurred_at", Value::Null, "missing field `occurred_at`"),
        ("/occurred_at", json!("2026-11-20"), "RFC 3339"),
        ("/occurred_at", json!("2026-11-20T09:00:00"), "RFC 3339"),
        ("/occurred_at", json!(1_795_165_230), ""),
        ("/purchase", Value::Null, "`purchase` is required for a purchased event"),
        ("/purchase", json!([]), ""),
        ("/purchase/purchase_id", Value::Null, "missing field `purchase_id`"),
        ("/purchase/purchase_id", json!(""), "`purchase_id` must have 1 to 128 characters"),
        ("/purchase/purchase_id", json!("p".repeat(129)), "`purchase_id` must have 1 to 128 characters"),
        ("/purchase/product", Value::Null, "missing field `product`"),
        ("/purchase/product", json!("Reach"), "lowercase letters"),
        ("/purchase/product", json!("r".repeat(33)), "lowercase letters"),
        ("/purchase/credits", Value::Null, "missing field `credits`"),
        ("/purchase/credits", json!(-1), ""),
        ("/purchase/credits", json!(1.5), ""),
        ("/purchase/credits", json!("25"), ""),
        ("/purchase/discount", json!(1), "unknown field `discount`"),
        ("/note", json!("hello"), "unknown field `note`"),
        ("/type", json!("started"), "`purchase` is allowed only for a purchased event"),
    ]
}

#[tokio::test]
async fn malformed_event_is_refused_with_a_reason_and_changes_nothing() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let valid = serde_json::to_value(world.event(&org, &path, "purchased", 25)).expect("an event");
    let before = (seen(&world, &org, &path).await, world.account(&org).await.totals.used);
    for (pointer, value, part) in bad_members() {
        let mut event = valid.clone();
        let (parent, member) = pointer.rsplit_once('/').expect("a pointer");
        let members = event.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        match value {
            Value::Null => members.remove(member),
            value => members.insert(member.to_owned(), value),
        };
        let answer = measurement::handle(&world.measurement(), event).await.expect("an outcome");
        assert_eq!(answer["outcome"], "refused", "{pointer} {answer}");
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(!reason.is_empty() && reason.contains(part), "{pointer}: {reason}");
    }
    let account = balanced(&world, &org).await;
    assert_eq!((seen(&world, &org, &path).await, account.totals.used), before);
    let answer = measurement::handle(&world.measurement(), valid).await.expect("an outcome");
    assert_eq!(answer["outcome"], "applied");
}

#[tokio::test]
async fn non_object_payload_is_refused() {
    let world = World::new().await;
    for payload in [Value::Null, json!(7), json!("event"), json!([]), json!({}), json!([{ "Records": [] }])] {
        let answer = measurement::handle(&world.measurement(), payload.clone()).await.expect("an outcome");
        assert_eq!(answer["outcome"], "refused", "{payload}");
        assert!(
            answer["reason"]
                .as_str()
                .is_some_and(|reason| reason.starts_with("this is not a measurement event"))
        );
    }
}
