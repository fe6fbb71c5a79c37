//! Tests of editing assets. A patch replaces only the members in the request, and only while the asset can be
//! edited.

use harness::{World, paid, samples};
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, assert_metered, changed, list, read, split};

fn replacements(family: Family) -> Vec<(&'static str, Value)> {
    let campaign = vec![
        ("campaign", json!({ "reference": "PO-8" })),
        ("flight", json!({ "start_date": "2027-01-01", "end_date": "2027-01-31" })),
        ("spots", json!([{ "display_id": "1", "spot_id": -1 }])),
        (
            "cohort",
            json!({
                "geography_ids": ["XX2020NATNUS"],
                "service_segment_ids": ["s"],
                "service_base_segment_id": "b",
            }),
        ),
        (
            "customer",
            json!({
                "customer_id": 1,
                "customer_name": "n",
                "customer_scenario_id": "s",
                "customer_scenario_name": "m",
            }),
        ),
    ];
    let event = vec![
        ("name", json!("Another")),
        ("description", json!("")),
        (
            "periods",
            json!([{
                "period_name": "p",
                "start_time": "2027-01-01T00:00:00Z",
                "end_time": "2027-01-01T01:00:00Z",
            }]),
        ),
        ("place_ids", json!(["9"])),
        ("cohort", json!({ "geography_ids": ["XX2020NATNUS"], "service_segment_id": "s" })),
        ("customer", json!({ "customer_id": "1", "customer_scenario_id": "s" })),
        ("timezone", json!("America/Chicago")),
    ];
    match family {
        Family::Campaign => campaign,
        Family::Event => event,
    }
}

#[tokio::test]
async fn replaces_only_the_supplied_members() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let (mut own, mut expected) = split(&read(&world, &org, &path).await.data());
        for (index, (member, value)) in replacements(family).into_iter().enumerate() {
            let edited =
                world.patch(&path).key(&org.key).json(&json!({ member: value.clone() })).send().await;
            expected[member] = value;
            own["version"] = json!(index + 2);
            assert_eq!(split(&edited.data()), (own.clone(), expected.clone()), "{member}");
            assert_eq!(edited.header("etag"), format!("\"{}\"", index + 2), "{member}");
            assert_metered(&edited, member);
            assert_eq!(read(&world, &org, &path).await.data(), edited.data());
            assert_eq!(list(&world, &org, family, "").await.data(), json!([edited.data()]));
        }
        let back = world.patch(&path).key(&org.key).json(&samples::body(family)).send().await;
        assert_eq!(split(&back.data()).1, samples::body(family));
    }
}

#[tokio::test]
async fn null_clears_optional_members_only() {
    let (world, org) = World::with_org().await;
    for (family, optional) in
        [(Family::Campaign, &["campaign"][..]), (Family::Event, &["name", "description"])]
    {
        let path = world.draft(&org, family).await;
        let mut expected = samples::body(family);
        for (member, _) in replacements(family) {
            let edited = world.patch(&path).key(&org.key).json(&json!({ member: null })).send().await;
            if optional.contains(&member) {
                expected = changed(&expected, &format!("/{member}"), None);
                assert_eq!(split(&edited.data()).1, expected);
                // A member that has been cleared can be cleared again or set again.
                let again = world.patch(&path).key(&org.key).json(&json!({ member: null })).send().await;
                assert_eq!(split(&again.data()).1, expected);
            } else {
                assert_eq!(edited.error(), (400, "VALIDATION_ERROR".to_owned()));
                let violations = edited.violations();
                let [(place, detail)] = violations.as_slice() else { panic!("{violations:?}") };
                // The message can end with advice on where to find the IDs.
                let (said, _source) = detail.split_once("; ").unwrap_or((detail.as_str(), ""));
                assert_eq!((place, said), (&format!("/{member}"), "is required and cannot be cleared"));
            }
        }
        let back = world.patch(&path).key(&org.key).json(&samples::body(family)).send().await;
        assert_eq!(split(&back.data()).1, samples::body(family));
    }
}

#[tokio::test]
async fn patch_without_changes_keeps_the_version() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for state in ["draft", "queued", "failed"] {
            let path = world.draft(&org, family).await;
            world.bring_to(&org, &path, state).await;
            let before = read(&world, &org, &path).await;
            let stored = world.stored("assets").await;
            world.clock.advance(1_500);
            let (member, value) = replacements(family).remove(0);
            let same = json!({ member: samples::body(family)[member] });
            assert_ne!(same[member], value);
            for patch in [json!({}), same, samples::body(family)] {
                let answer = world.patch(&path).key(&org.key).json(&patch).send().await;
                assert_eq!(answer.status, 200, "{patch}");
                assert_eq!(answer.credits_used(), paid(), "{patch}");
                assert_eq!((answer.data(), answer.header("etag")), (before.data(), before.header("etag")));
            }
            assert_eq!(world.stored("assets").await, stored, "the asset is not written");
            let stale =
                world.patch(&path).key(&org.key).header("if-match", "7").json(&json!({})).send().await;
            assert_eq!(stale.error(), (412, "PRECONDITION_FAILED".to_owned()));
            let edited =
                world.patch(&path).key(&org.key).json(&json!({ member: value.clone() })).send().await;
            assert_eq!(edited.data()["version"], before.data()["version"].as_u64().expect("a number") + 1);
            assert_eq!((&edited.data()["state"], &edited.data()[member]), (&json!(state), &value));
        }
    }
}

#[tokio::test]
async fn edit_changes_only_version_and_updated_at() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let (before, _) = split(&read(&world, &org, &path).await.data());
        world.clock.advance(61_001);
        let edited = world.patch(&path).key(&org.key).json(&samples::edited(family)).send().await;
        let (after, _) = split(&edited.data());
        assert_ne!(after["updated_at"], before["updated_at"]);
        let others = |own: &Value| changed(&changed(own, "/updated_at", None), "/version", None);
        assert_eq!(others(&after), others(&before));
        assert_eq!((&before["version"], &after["version"]), (&json!(1), &json!(2)));
        assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
    }
}

#[tokio::test]
async fn checks_body_then_existence_then_state() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let locked = world.draft(&org, family).await;
        world.bring_to(&org, &locked, "completed").await;
        let unknown = format!("{}/x", samples::library(family));
        let invalid = json!({ "x": 1 });
        for (key, path, body, expected) in [
            (&org.key, &unknown, &invalid, (400, "VALIDATION_ERROR")),
            (&other.key, &locked, &invalid, (400, "VALIDATION_ERROR")),
            (&org.key, &locked, &invalid, (400, "VALIDATION_ERROR")),
            (&other.key, &locked, &json!({}), (404, "NOT_FOUND")),
            (&org.key, &locked, &json!({}), (400, "ASSET_NOT_EDITABLE")),
        ] {
            let answer = world.patch(path).key(key).json(body).send().await;
            assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{path} {body}");
        }
        let text = world.patch(&unknown).key(&org.key).bytes("text/plain", "{}").send().await;
        assert_eq!(text.error(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()));
    }
}
