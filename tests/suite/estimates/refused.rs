//! Estimate calls that return an error. They are free.

use dataset::{Geographies, GeographyType};
use harness::World;
use serde_json::{Value, json};
use store::Family;

use super::{ESTIMATE, KIOSK, SILENT, ask, campaign, release, router, spots};
use crate::scenarios::changed;

#[tokio::test]
async fn invalid_campaigns_return_400_free_of_charge() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await.totals;
    let good = campaign(&spots(&[KIOSK]));
    let with = |pointer: &str, value: Value| changed(&good, pointer, Some(value));
    let no_one = json!("01999999-9999-5999-8999-999999999999");
    let both = "no one is in all of these cohorts";
    let ages =
        format!("{}.{}", harness::samples::segment("age_18_19"), harness::samples::segment("age_25_29"));
    let asset = "019fff9c-6514-7c11-9d3e-5f2a8b6c4d10";
    let cases: [(Value, &str, &str); 10] = [
        (
            with("/spots", json!(vec![&good["spots"][0]; 2_001])),
            "/spots",
            "must have 1 to 2000 items, but has 2001",
        ),
        (
            with("/flight/end_date", json!("2027-09-02")),
            "/flight",
            "must be at most 366 days long, got 367 days",
        ),
        (
            with("/cohort/service_segment_ids", json!([no_one])),
            "/cohort/service_segment_ids/0",
            "must be a cohort in this release, got \"01999999-9999-5999-8999-999999999999\"",
        ),
        (with("/cohort/service_segment_ids", json!([ages])), "/cohort/service_segment_ids/0", both),
        (
            with("/cohort/service_base_segment_id", no_one),
            "/cohort/service_base_segment_id",
            "must be a cohort in this release",
        ),
        (
            with("/cohort/geography_ids", json!(["US2020XDMA501", "US2020XDMA999"])),
            "/cohort/geography_ids/1",
            "must be a geography in this release, got \"US2020XDMA999\"",
        ),
        (
            campaign(&[spots(&[SILENT, 7]), vec![json!({ "display_id": "banana", "spot_id": 1 })]].concat()),
            "/spots",
            "must contain a display with weekly_impressions (displays without them: 1; unknown IDs: 2, such as \
             \"7\"",
        ),
        (with("/asset_id", json!(asset)), "/cohort", "is an unknown member; allowed members: asset_id"),
        (json!({ "asset_id": "7" }), "/asset_id", "must be a UUID"),
        (json!({ "asset_id": null }), "/asset_id", "is required and must not be null"),
    ];
    for (body, pointer, words) in cases {
        world.clock.advance(60_000);
        let answer = ask(&world, &org, &body).await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{}", answer.text());
        let violations = answer.violations();
        assert!(
            violations.iter().any(|(place, detail)| place == pointer && detail.contains(words)),
            "{pointer} {words}: {violations:?}"
        );
        assert_eq!(answer.credits_used(), 0, "{words}");
    }
    assert_eq!(world.account(&org).await.totals, before);
}

#[tokio::test]
async fn estimates_that_are_too_long_for_one_response_return_400_free_of_charge() {
    let (world, org) = World::with_org().await;
    let geographies = Geographies::open(release()).expect("geographies");
    let zips = geographies.of_type(GeographyType::Zip);
    let zips: Vec<String> = zips.map(|zip| geographies.get(zip).id.to_string()).collect();
    let long = "x".repeat(3_000_000);
    let many_areas = changed(&campaign(&spots(&[KIOSK])), "/cohort/geography_ids", Some(json!(zips)));
    let long_id = campaign(&[spots(&[KIOSK]), vec![json!({ "display_id": long, "spot_id": 1 })]].concat());
    for (body, words) in [
        (many_areas, " bytes long; use fewer, larger areas"),
        (long_id, " bytes long; use fewer, larger areas, and correct the unknown display or place IDs"),
    ] {
        let answer = ask(&world, &org, &body).await;
        let violations = answer.violations();
        let [(pointer, detail)] = &violations[..] else { panic!("{violations:?}") };
        assert_eq!(pointer, "/cohort/geography_ids");
        assert!(detail.contains(words), "{detail}");
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (400, 0));
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}

#[tokio::test]
async fn campaigns_of_366_days_are_estimated() {
    let (world, org) = World::with_org().await;
    let year = changed(&campaign(&spots(&[KIOSK])), "/flight/end_date", Some(json!("2027-09-01")));
    let answer = ask(&world, &org, &year).await;
    assert_eq!((answer.status.as_u16(), answer.credits_used()), (200, 5), "{}", answer.text());
    let weeks = answer.data()["weeks"].as_array().expect("weeks").clone();
    assert_eq!(
        (weeks.len(), &weeks[52]["start_date"], &weeks[52]["end_date"]),
        (53, &json!("2027-08-31"), &json!("2027-09-01"),)
    );
}

#[tokio::test]
async fn unknown_deleted_and_foreign_campaigns_return_404_free_of_charge() {
    let (world, org, other) = World::with_two_orgs().await;
    let path = world.draft(&org, Family::Campaign).await;
    let event = world.draft(&org, Family::Event).await;
    let foreign = world.draft(&other, Family::Campaign).await;
    assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
    let before = world.account(&org).await.totals;
    let id = |path: &str| path.rsplit('/').next().expect("an ID").to_owned();
    for asset in ["01990000-0000-7000-8000-000000000000".to_owned(), id(&path), id(&event), id(&foreign)] {
        let answer = ask(&world, &org, &json!({ "asset_id": asset })).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{asset}");
        assert_eq!(answer.credits_used(), 0, "{asset}");
    }
    assert_eq!(world.account(&org).await.totals, before);
}

#[tokio::test]
async fn unreadable_bodies_are_free() {
    let (world, org) = World::with_org().await;
    for (content_type, text, status) in
        [("application/json", "{", 400), ("text/plain", "{}", 415), ("application/json", "[]", 400)]
    {
        let call = world.post(ESTIMATE).key(&org.key).bytes(content_type, text);
        let answer = call.send_to(router(&world)).await;
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (status, 0), "{text}");
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}
