//! Editing assets: a patch replaces only the members in the request, and only while the asset can be edited.

use std::collections::BTreeSet;

use harness::{Contract, World, paid, samples};
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
                // A cleared member can be cleared again or set again.
                let again = world.patch(&path).key(&org.key).json(&json!({ member: null })).send().await;
                assert_eq!(split(&again.data()).1, expected);
            } else {
                assert_eq!(edited.error(), (400, "VALIDATION_ERROR".to_owned()));
                let violations = edited.violations();
                let [(place, detail)] = violations.as_slice() else { panic!("{violations:?}") };
                // The message may end with advice on where to find the IDs.
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
async fn accepts_an_asset_as_it_was_read() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for state in ["draft", "queued", "failed"] {
            let path = world.draft(&org, family).await;
            world.bring_to(&org, &path, state).await;
            world.clock.advance(1_500);
            let mut asset = read(&world, &org, &path).await.data();
            let same = world.patch(&path).key(&org.key).json(&asset).send().await;
            assert_eq!(same.data(), asset, "{state}");
            let (member, value) = replacements(family).remove(0);
            asset[member] = value.clone();
            let edited = world.patch(&path).key(&org.key).json(&asset).send().await.data();
            assert_eq!(edited[member], value, "{state}");
            assert_eq!(edited["version"], asset["version"].as_u64().expect("a number") + 1, "{state}");
        }
    }
}

#[tokio::test]
async fn read_only_members_are_compared_by_value() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        world.bring_to(&org, &path, "failed").await;
        let asset = read(&world, &org, &path).await.data();
        let id = asset["asset_id"].as_str().expect("an ID");
        let with_offset = |member: &str| match asset[member].as_str() {
            Some(utc) => json!(utc.replace('Z', "000+00:00")),
            None => Value::Null,
        };
        for (member, value) in [
            ("asset_id", json!(id.to_uppercase())),
            ("version", json!(asset["version"].as_f64().expect("a number"))),
            ("created_at", with_offset("created_at")),
            ("updated_at", with_offset("updated_at")),
            ("last_measured_at", with_offset("last_measured_at")),
        ] {
            let answer = world.patch(&path).key(&org.key).json(&json!({ member: value })).send().await;
            assert_eq!(answer.data(), asset, "{member}");
        }
    }
}

#[tokio::test]
async fn changed_read_only_member_returns_400_with_its_current_value() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let asset = read(&world, &org, &path).await.data();
        let other_id = "01999999-9999-7999-8999-999999999999";
        let cases = [
            ("asset_id", json!(other_id), format!("its current value, {}, instead of", asset["asset_id"])),
            ("org_id", json!("org_b"), "send its current value, \"org_a\", instead of \"org_b\"".into()),
            ("state", json!("queued"), "send its current value, \"draft\", instead of \"queued\"".into()),
            ("version", json!(2), "send its current value, 1, instead of 2".into()),
            ("last_measured_at", asset["created_at"].clone(), "its current value, null, instead of".into()),
            (
                "created_at",
                json!("2026-11-20T09:00:31Z"),
                "its current value, \"2026-11-20T09:00:30.000Z\", instead".into(),
            ),
            (
                "updated_at",
                json!("2026-11-20T09:00:31Z"),
                "its current value, \"2026-11-20T09:00:30.000Z\", instead".into(),
            ),
        ];
        for (member, value, words) in &cases {
            let answer = world.patch(&path).key(&org.key).json(&json!({ *member: value })).send().await;
            let place = format!("/{member}");
            answer.assert_invalid(&[(&place, "is read-only")], member);
            assert!(answer.violations()[0].1.contains(words), "{}", answer.text());
        }
        let all: Value = cases.iter().map(|(name, value, _)| ((*name).to_owned(), value.clone())).collect();
        let answer = world.patch(&path).key(&org.key).json(&all).send().await;
        assert_eq!(answer.violations().len(), cases.len(), "{}", answer.text());
        assert_eq!(read(&world, &org, &path).await.data(), asset);
    }
}

#[tokio::test]
async fn read_only_members_are_checked_like_their_schemas() {
    let (world, org) = World::with_org().await;
    let wrong = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
    ];
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let asset = read(&world, &org, &path).await.data();
        let (own, _) = split(&asset);
        let operation = format!("edit_{family}");
        for member in own.as_object().expect("members").keys() {
            for value in &wrong {
                if *value == asset[member] {
                    continue;
                }
                // The error also contains the violations of other members.
                let patch = json!({ member: value, "cohort": 7, "x": 1 });
                let answer = world.patch(&path).key(&org.key).json(&patch).send().await;
                let places: BTreeSet<_> = answer.violations().into_iter().map(|(place, _)| place).collect();
                assert_eq!(places, Contract::get().faults(&operation, &patch), "{}", answer.text());
            }
        }
    }
}

#[tokio::test]
async fn asset_that_was_read_before_a_change_is_rejected() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let outdated = read(&world, &org, &path).await;
        world.clock.advance(1_000);
        let changed = world.patch(&path).key(&org.key).json(&samples::edited(family)).send().await;
        let updated_at = format!("its current value, {}", changed.data()["updated_at"]);
        let send = |body: &Value| world.patch(&path).key(&org.key).json(body);
        // The version and the time of the last change are outdated.
        let answer = send(&outdated.data()).send().await;
        let expected = [("/version", "its current value, 2"), ("/updated_at", updated_at.as_str())];
        answer.assert_invalid(&expected, "without If-Match");
        let answer = send(&outdated.data()).header("if-match", outdated.header("etag")).send().await;
        assert_eq!(answer.error(), (412, "PRECONDITION_FAILED".to_owned()));
        assert_eq!(read(&world, &org, &path).await.data(), changed.data());
        world.bring_to(&org, &path, "in_flight").await;
        let answer = send(&outdated.data()).send().await;
        assert_eq!(answer.error(), (400, "ASSET_NOT_EDITABLE".to_owned()));
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
