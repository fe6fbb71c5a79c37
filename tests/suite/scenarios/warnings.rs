//! Assets are stored with warnings about displays, places, and cohorts that aren't in the release.

use dataset::inventory::Inventory;
use harness::{Answer, TestOrg, World, sample_release, samples};
use measurement::Outcome;
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, changed, create, list, read};

const NOWHERE: &str = "01999999-9999-5999-8999-999999999999";

/// Returns the IDs of `count` displays in the sample release.
fn displays(count: usize) -> Vec<String> {
    let inventory = Inventory::open(sample_release()).expect("the sample's inventory");
    inventory.indexes().take(count).map(|spot| inventory.id(spot).to_string()).collect()
}

/// Returns a body whose IDs are all in the sample release.
fn known(family: Family) -> Value {
    let cohort = json!(samples::segment("hispanic"));
    let body = samples::body(family);
    match family {
        Family::Campaign => {
            let ids = displays(2);
            let body = changed(&body, "/spots/0/display_id", Some(json!(ids[0])));
            let body = changed(&body, "/spots/1/display_id", Some(json!(ids[1])));
            let body = changed(&body, "/cohort/service_segment_ids", Some(json!([cohort.clone()])));
            changed(&body, "/cohort/service_base_segment_id", Some(cohort))
        }
        Family::Event => {
            let ids: Vec<String> = samples::places(2).iter().map(u64::to_string).collect();
            let body = changed(&body, "/place_ids", Some(json!(ids)));
            changed(&body, "/cohort/service_segment_id", Some(cohort))
        }
    }
}

/// Returns the pointers of a response's warnings, and the total number of warnings.
#[track_caller]
fn warned(answer: &Answer) -> (Vec<String>, u64) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let meta = answer.json()["meta"].take();
    let shown = meta["warnings"].as_array().expect("warnings").iter();
    let pointers = shown.map(|warning| warning["pointer"].as_str().expect("a pointer").to_owned()).collect();
    (pointers, meta["warnings_total"].as_u64().expect("a total"))
}

fn path(family: Family, created: &Answer) -> String {
    format!("{}/{}", samples::library(family), created.data()["asset_id"].as_str().expect("an ID"))
}

async fn patch(world: &World, org: &TestOrg, path: &str, body: &Value) -> Answer {
    world.patch(path).key(&org.key).json(body).send().await
}

#[tokio::test]
async fn unknown_displays_and_cohorts_are_stored_with_a_warning() {
    let (world, org) = World::with_org().await;
    let body = changed(&known(Family::Campaign), "/spots/0/display_id", Some(json!("banana")));
    let body = changed(&body, "/cohort/service_base_segment_id", Some(json!("x")));
    let created = create(&world, &org, Family::Campaign, &body).await;
    assert_eq!(created.data()["spots"][0]["display_id"], "banana");
    let meta = created.json()["meta"].take();
    let expected = json!([
        {
            "pointer": "/spots/0/display_id",
            "detail": "\"banana\" is not a display in this release; \
                       use a spot_id from inventory search, as a string",
        },
        {
            "pointer": "/cohort/service_base_segment_id",
            "detail": "\"x\" is not a cohort in this release; \
                       use the service_segment_id of the cohort to compare with, such as Everyone, \
                       from cohort search",
        },
    ]);
    assert_eq!((&meta["warnings"], &meta["warnings_total"]), (&expected, &json!(2)));
}

#[tokio::test]
async fn unknown_places_are_stored_with_a_warning() {
    let (world, org) = World::with_org().await;
    let body = changed(&known(Family::Event), "/place_ids/1", Some(json!("1002")));
    let created = create(&world, &org, Family::Event, &body).await;
    let detail = "\"1002\" is not a place in this release; \
                  use place_id values from place search, as strings";
    let expected = json!([{ "pointer": "/place_ids/1", "detail": detail }]);
    assert_eq!(created.json()["meta"]["warnings"], expected);
}

#[tokio::test]
async fn known_ids_cause_no_warnings() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let created = create(&world, &org, family, &known(family)).await;
        assert_eq!(warned(&created), (Vec::new(), 0), "{}", created.text());
    }
}

#[tokio::test]
async fn malformed_ids_cause_warnings() {
    let (world, org) = World::with_org().await;
    let right = &displays(1)[0];
    for wrong in ["4294967296", "+7", "-1", " 7", "7.0", "\u{663}", &format!("{right}x"), &right.repeat(9)] {
        let body = changed(&known(Family::Campaign), "/spots/1/display_id", Some(json!(wrong)));
        let created = create(&world, &org, Family::Campaign, &body).await;
        assert_eq!(warned(&created), (vec!["/spots/1/display_id".to_owned()], 1), "{wrong}");
    }
    for wrong in ["18446744073709551616", "+1", "x", NOWHERE] {
        let body = changed(&known(Family::Event), "/place_ids/0", Some(json!(wrong)));
        let created = create(&world, &org, Family::Event, &body).await;
        assert_eq!(warned(&created), (vec!["/place_ids/0".to_owned()], 1), "{wrong}");
    }
    for wrong in [NOWHERE, "hispanic", "Hispanic"] {
        let body = changed(&known(Family::Event), "/cohort/service_segment_id", Some(json!(wrong)));
        let created = create(&world, &org, Family::Event, &body).await;
        assert_eq!(warned(&created), (vec!["/cohort/service_segment_id".to_owned()], 1), "{wrong}");
    }
}

#[tokio::test]
async fn shows_100_warnings_and_counts_all() {
    let (world, org) = World::with_org().await;
    let spots: Vec<_> =
        (0..2_000).map(|n| json!({ "display_id": format!("no-{n}"), "spot_id": n })).collect();
    let body = changed(&known(Family::Campaign), "/spots", Some(json!(spots)));
    let (pointers, total) = warned(&create(&world, &org, Family::Campaign, &body).await);
    assert_eq!((pointers.len(), total), (100, 2_000));
    assert_eq!(pointers[99], "/spots/99/display_id");
}

#[tokio::test]
async fn edit_warns_about_the_resulting_asset() {
    let (world, org) = World::with_org().await;
    for (family, pointer) in [(Family::Campaign, "/spots/1/display_id"), (Family::Event, "/place_ids/1")] {
        let body = changed(&known(family), pointer, Some(json!("unknown")));
        let path = path(family, &create(&world, &org, family, &body).await);
        let other = json!({ "customer": body["customer"] });
        assert_eq!(warned(&patch(&world, &org, &path, &other).await), (vec![pointer.to_owned()], 1));
        let list = pointer.split('/').nth(1).expect("a member");
        let right = json!({ list: known(family)[list] });
        assert_eq!(warned(&patch(&world, &org, &path, &right).await), (Vec::new(), 0));
        let wrong = json!({ list: body[list] });
        assert_eq!(warned(&patch(&world, &org, &path, &wrong).await), (vec![pointer.to_owned()], 1));
    }
}

#[tokio::test]
async fn only_creates_edits_and_replays_have_warnings() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let post = || world.post(samples::library(family)).key(&org.key).header("idempotency-key", "k-1");
        let created = post().json(&samples::body(family)).send().await;
        let again = post().json(&samples::body(family)).send().await;
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert!(warned(&created).1 > 0 && warned(&again) == warned(&created), "{family}");
        for answer in
            [read(&world, &org, &path(family, &created)).await, list(&world, &org, family, "").await]
        {
            let meta = answer.json()["meta"].take();
            assert!(meta.get("warnings").is_none() && meta.get("warnings_total").is_none(), "{meta}");
        }
    }
}

#[tokio::test]
async fn purchase_reports_the_number_of_unknown_ids() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let created = create(&world, &org, family, &samples::body(family)).await;
        let (path, unknown_ids) = (path(family, &created), warned(&created).1 as usize);
        assert!(unknown_ids > 0);
        let purchased = world.measure(&org, &path, "purchased").await;
        assert_eq!(purchased, Outcome::Purchased { unknown_ids });
        let answered = serde_json::to_value(&purchased).expect("JSON");
        assert_eq!(answered, json!({ "outcome": "applied", "unknown_ids": unknown_ids }));
        // Transitions don't change the count of unknown IDs, which is updated only when the body changes.
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
        assert_eq!(world.measure(&org, &path, "purchased").await, Outcome::Purchased { unknown_ids });
        assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
        assert_eq!(patch(&world, &org, &path, &known(family)).await.status, 200);
        let corrected = world.measure(&org, &path, "purchased").await;
        assert_eq!(corrected, Outcome::Purchased { unknown_ids: 0 });
    }
}

#[tokio::test]
async fn composed_cohorts_are_known_if_all_their_parts_are() {
    let (world, org) = World::with_org().await;
    let pointer = "/cohort/service_base_segment_id";
    let composed = format!("{}.{}", samples::segment("hispanic"), samples::segment("age_25_54"));
    for (id, expected) in [(composed.clone(), vec![]), (format!("{composed}.x"), vec![pointer.to_owned()])] {
        let body = changed(&known(Family::Campaign), pointer, Some(json!(id)));
        let created = create(&world, &org, Family::Campaign, &body).await;
        assert_eq!(warned(&created).0, expected, "{id}");
    }
}
