//! Event estimates: visits, visitors, the cohort, and rejected calls.

use std::sync::Arc;

use harness::{Answer, Contract, PUBLIC_URL, TestOrg, World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{STADIUM, UNKNOWN_HOMES, UNMEASURED, ask_for, number, release, router, warned};
use crate::scenarios::changed;

pub(super) const EVENT: &str = "/v2/measures/events/estimate";

/// A Saturday evening on which the stadium has 6,000 visits from 19:00 to 20:00 and 4,000 from 20:00 to
/// 21:00.
const EVENING: (&str, &str) = ("2026-09-05T19:00:00-04:00", "2026-09-05T21:00:00-04:00");

/// A whole week, in which the stadium has 10,500 visits by 7,000 persons.
const WEEK: (&str, &str) = ("2026-09-01T12:00:00-04:00", "2026-09-08T12:00:00-04:00");

fn periods(periods: &[(&str, &str)]) -> Value {
    let period =
        |(start, end): &(&str, &str)| json!({ "period_name": "game", "start_time": start, "end_time": end });
    periods.iter().map(period).collect()
}

/// Returns an event in New York for adults 18-34.
pub(super) fn event(places: &[u64], during: &[(&str, &str)]) -> Value {
    json!({
        "periods": periods(during),
        "place_ids": places.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "cohort": {
            "geography_ids": ["US2020XDMA501"],
            "service_segment_id": samples::segment("age_18_34"),
        },
        "customer": samples::event()["customer"],
        "timezone": "America/New_York",
    })
}

fn nationwide(event: &Value) -> Value {
    changed(event, "/cohort/geography_ids", Some(json!(["XX2020NATNUS"])))
}

async fn ask(world: &World, org: &TestOrg, body: &Value) -> Answer {
    world.clock.advance(60_000);
    ask_for(EVENT, world, org, body).await
}

async fn estimate(world: &World, org: &TestOrg, body: &Value) -> Value {
    let answer = ask(world, org, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()
}

#[tokio::test]
async fn visits_are_counted_in_the_events_local_hours() {
    let (world, org) = World::with_org().await;
    let new_york = "America/New_York";
    let cases = [
        (vec![EVENING], new_york, 10_000),
        (vec![("2026-09-05T23:00:00Z", "2026-09-06T01:00:00Z")], new_york, 10_000),
        (vec![EVENING], "America/Denver", 0),
        (vec![EVENING], "America/Halifax", 4_000),
        (vec![("2026-09-05T18:30:00-04:00", "2026-09-05T20:30:00-04:00")], new_york, 8_000),
        (vec![("2026-09-05T19:00:00-04:00", "2026-09-05T19:00:36-04:00")], new_york, 60),
        // Overlapping periods count once, in any order.
        (
            vec![("2026-09-05T20:00:00-04:00", "2026-09-05T22:00:00-04:00"), EVENING, EVENING],
            new_york,
            10_000,
        ),
        (vec![WEEK], new_york, 10_500),
        (vec![("2026-09-01T00:00:00-04:00", "2026-09-02T00:00:00-04:00")], new_york, 0),
        // Daylight saving time ends on November 1, 2026.
        (vec![("2026-10-31T19:00:00-04:00", "2026-10-31T21:00:00-04:00")], new_york, 10_000),
        (vec![("2026-11-07T19:00:00-05:00", "2026-11-07T21:00:00-05:00")], new_york, 10_000),
        (vec![("2026-10-31T12:00:00-04:00", "2026-11-07T20:00:00-05:00")], new_york, 16_500),
    ];
    for (during, zone, visits) in cases {
        let body = changed(&event(&[STADIUM], &during), "/timezone", Some(json!(zone)));
        let data = estimate(&world, &org, &body).await;
        assert_eq!(data["totals"]["visits"], visits, "{during:?} {zone}");
        assert_eq!(data["places"][0]["visits"], visits, "{during:?} {zone}");
    }
}

#[tokio::test]
async fn persons_grow_more_slowly_than_visits_and_match_the_record_in_an_average_week() {
    let (world, org) = World::with_org().await;
    let persons = async |during| {
        let data = estimate(&world, &org, &event(&[STADIUM], &[during])).await;
        assert_eq!(data["totals"]["unique_persons"], data["places"][0]["unique_persons"]);
        number(&data["totals"]["unique_persons"])
    };
    assert_eq!(persons(WEEK).await.to_bits(), 7_000_f64.to_bits());
    let evening = persons(EVENING).await;
    assert!(evening < 7_000.0 && evening > 7_000.0 * 10_000.0 / 10_500.0, "{evening}");
    let year = persons(("2026-01-01T00:00:00-05:00", "2026-12-31T23:00:00-05:00")).await;
    assert!(year > 2.0 * 7_000.0 && year < 40.0 * 7_000.0, "{year}");
}

#[tokio::test]
async fn persons_who_visit_several_places_count_once() {
    let (world, org) = World::with_org().await;
    let places = samples::places(2);
    let of = async |places: &[u64]| {
        let data = estimate(&world, &org, &nationwide(&event(places, &[WEEK]))).await;
        ["unique_persons", "reach"].map(|figure| number(&data["totals"][figure]))
    };
    let (one, other, both) = (of(&places[..1]).await, of(&places[1..]).await, of(&places).await);
    for (at, together) in both.into_iter().enumerate() {
        assert!(together > one[at].max(other[at]) && together <= one[at] + other[at] + 1.0, "{both:?}");
    }
}

#[tokio::test]
async fn places_without_visitor_homes_count_only_toward_visits() {
    let (world, org) = World::with_org().await;
    let monday = ("2026-09-07T10:00:00-04:00", "2026-09-07T11:00:00-04:00");
    let answer = ask(&world, &org, &event(&[UNKNOWN_HOMES], &[monday])).await;
    assert_eq!(warned(&answer), ["/place_ids/0"]);
    let data = answer.data();
    assert_eq!(data["totals"]["unique_persons"], 350);
    assert_eq!(
        (&data["places"][0]["target_visits"], &data["places"][0]["index"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!((&data["totals"]["target_visits"], &data["totals"]["reach"]), (&Value::Null, &Value::Null));
    let both = ask(&world, &org, &event(&[STADIUM, UNKNOWN_HOMES], &[WEEK])).await;
    assert_eq!(warned(&both), ["/place_ids/1"]);
    let (both, stadium) = (both.data(), estimate(&world, &org, &event(&[STADIUM], &[WEEK])).await);
    assert_eq!(
        (&both["totals"]["visits"], &both["totals"]["unique_persons"]),
        (&json!(11_200), &Value::Null)
    );
    assert_eq!(both["totals"]["reach"], stadium["totals"]["reach"]);
    assert_eq!(both["markets"], stadium["markets"]);
}

#[tokio::test]
async fn cohort_of_a_counted_place_has_the_share_of_its_record() {
    let (world, org) = World::with_org().await;
    // Half of the visitors are in the cohort. For 60% of the visits, the visitor's home is known.
    let data = estimate(&world, &org, &nationwide(&event(&[STADIUM], &[EVENING]))).await;
    assert_eq!(
        (&data["totals"]["target_visits"], &data["places"][0]["target_visits"]),
        (&json!(3_000), &json!(3_000))
    );
    let places = places::Release::open(release()).expect("the release opens");
    let report =
        world.post("/v2/measures/place/report").key(&org.key).json(&json!({ "place_id": [STADIUM] }));
    let report = report.send_to(places::router(&world.app, Arc::new(places))).await.json();
    assert_eq!(data["places"][0]["index"], report["segments"][0]["index"], "{report}");
    // The record doesn't contain this cohort.
    let hispanic = json!(samples::segment("hispanic"));
    let body = changed(&event(&[STADIUM], &[EVENING]), "/cohort/service_segment_id", Some(hispanic));
    let share =
        number(&estimate(&world, &org, &nationwide(&body)).await["totals"]["target_visits"]) / 6_000.0;
    assert!((0.1..0.4).contains(&share), "{share}");
}

#[tokio::test]
async fn cohort_of_a_modelled_place_has_the_share_of_its_report() {
    let (world, org) = World::with_org().await;
    let place = samples::place().raw();
    let data = estimate(&world, &org, &nationwide(&event(&[place], &[WEEK]))).await;
    let row = &data["places"][0];
    assert_eq!((&row["weekly_visits_from"], &row["visits"]), (&json!("modelled"), &row["weekly_visits"]));
    let report = world.post("/v2/measures/place/report").key(&org.key).json(&json!({ "place_id": [place] }));
    let report = report.send().await.json();
    let segments = report["segments"].as_array().expect("segments");
    let cohort = segments.iter().find(|one| one["id"] == "age_18_34").expect("the cohort");
    let share = number(&row["target_visits"]) / number(&row["visits"]);
    assert!((share / number(&cohort["percent"]) - 1.0).abs() < 0.02, "{row} {cohort}");
    assert!((number(&row["index"]) / number(&cohort["index"]) - 1.0).abs() < 0.02, "{row} {cohort}");
}

#[tokio::test]
async fn markets_contain_the_visits_of_their_residents() {
    let (world, org) = World::with_org().await;
    let markets = json!(["US2020XXST36", "US2020XXST34", "XX2020NATNUS", "US2020XDMA803", "US2020XMSA41980"]);
    let data = estimate(
        &world,
        &org,
        &changed(&event(&[STADIUM], &[EVENING]), "/cohort/geography_ids", Some(markets)),
    )
    .await;
    let of = |market: usize, figure: &str| &data["markets"][market][figure];
    for figure in ["target_visits", "reach"] {
        let sum = number(of(0, figure)) + number(of(1, figure));
        assert!((sum - number(of(2, figure))).abs() <= 1.0, "{figure}: {data}");
        assert_eq!(data["totals"][figure], *of(2, figure), "{figure}");
        assert!(of(3, figure).is_null() && of(4, figure).is_null(), "{figure}: {data}");
    }
    assert!(of(3, "target_persons").is_number() && of(4, "target_persons").is_null(), "{data}");
    let frequency = number(of(2, "target_visits")) / number(of(2, "reach"));
    assert!((frequency - number(of(2, "frequency"))).abs() < 0.006 && frequency >= 1.0, "{data}");
}

#[tokio::test]
async fn unknown_places_and_places_without_visits_are_listed_and_ignored() {
    let (world, org) = World::with_org().await;
    let single = estimate(&world, &org, &event(&[STADIUM], &[EVENING])).await;
    let ids = json!([
        "7",
        UNMEASURED.to_string(),
        "x",
        STADIUM.to_string(),
        "7",
        "+110000000001",
        STADIUM.to_string()
    ]);
    let data =
        estimate(&world, &org, &changed(&event(&[STADIUM], &[EVENING]), "/place_ids", Some(ids))).await;
    assert_eq!(data["unknown_ids"], json!(["7", "x", "+110000000001"]));
    assert_eq!(data["places_without_visits"], json!([UNMEASURED.to_string()]));
    for member in ["totals", "markets", "places"] {
        assert_eq!(data[member], single[member], "{member}");
    }
}

#[tokio::test]
async fn event_without_visits_has_null_figures() {
    let (world, org) = World::with_org().await;
    let tuesday = ("2026-09-01T01:00:00-04:00", "2026-09-01T05:00:00-04:00");
    let data = estimate(&world, &org, &event(&[STADIUM], &[tuesday])).await;
    let totals = &data["totals"];
    assert_eq!(totals["visits"], 0);
    assert!(
        ["unique_persons", "target_visits", "reach", "frequency"].iter().all(|name| totals[name].is_null())
    );
    assert!(totals["target_persons"].is_number() && data["places"][0]["index"].is_number(), "{data}");
}

#[tokio::test]
async fn stored_event_and_its_body_have_the_same_estimate() {
    let (world, org) = World::with_org().await;
    let body = event(&[STADIUM, UNMEASURED], &[EVENING]);
    let created = world.post("/v2/scenarios/events").key(&org.key).json(&body).send().await.data();
    let (stored, sent) = (
        ask(&world, &org, &json!({ "asset_id": created["asset_id"] })).await,
        ask(&world, &org, &body).await,
    );
    assert_eq!(stored.data(), sent.data());
    assert_eq!((stored.credits_used(), sent.credits_used()), (5, 5));
}

#[tokio::test]
async fn invalid_events_return_400_free_of_charge() {
    let (world, org) = World::with_org().await;
    let good = event(&[STADIUM], &[EVENING]);
    let with = |pointer: &str, value: Value| changed(&good, pointer, Some(value));
    let first = STADIUM.to_string();
    let cases = [
        (
            with("/place_ids", json!(vec![&first; 2_001])),
            "/place_ids",
            "must have 1 to 2000 items, but has 2001",
        ),
        (
            with("/periods", periods(&[EVENING, ("2027-09-06T18:00:00-04:00", "2027-09-06T19:30:00-04:00")])),
            "/periods",
            "must span at most 366 days from the first start to the last end, but span 366.02 days",
        ),
        (
            with("/cohort/service_segment_id", json!("everybody")),
            "/cohort/service_segment_id",
            "must be a cohort in this release, got \"everybody\"",
        ),
        (
            with("/cohort/geography_ids", json!(["US2020XDMA999"])),
            "/cohort/geography_ids/0",
            "must be a geography in this release, got \"US2020XDMA999\"",
        ),
        (
            with("/place_ids", json!([UNMEASURED.to_string(), "7"])),
            "/place_ids",
            "must contain a place with visits (places without visits: 1; unknown IDs: 1, such as \"7\")",
        ),
        (with("/asset_id", json!(null)), "/asset_id", "is required and must not be null"),
    ];
    for (body, pointer, words) in cases {
        let answer = ask(&world, &org, &body).await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{}", answer.text());
        let violations = answer.violations();
        assert!(
            violations.iter().any(|(place, detail)| place == pointer && detail.contains(words)),
            "{pointer} {words}: {violations:?}"
        );
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}

#[tokio::test]
async fn deleted_foreign_and_other_assets_return_404_free_of_charge() {
    let (world, org, other) = World::with_two_orgs().await;
    let deleted = world.draft(&org, Family::Event).await;
    let campaign = world.draft(&org, Family::Campaign).await;
    let foreign = world.draft(&other, Family::Event).await;
    assert_eq!(world.delete(&deleted).key(&org.key).send().await.status, 204);
    let before = world.account(&org).await.totals;
    for path in [deleted, campaign, foreign] {
        let asset = path.rsplit('/').next().expect("an ID");
        let answer = ask(&world, &org, &json!({ "asset_id": asset })).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{asset}");
    }
    assert_eq!(world.account(&org).await.totals, before);
}

#[tokio::test]
async fn examples_match_the_service() {
    let (world, org) = World::with_org().await;
    let document = Contract::get().document();
    let example = |name: &str| document["components"]["examples"][name]["value"].clone();
    let request = example("EventEstimateRequest");
    let answer = ask(&world, &org, &request).await;
    let shown = example("EventEstimateReply");
    assert_eq!(answer.data(), shown["data"], "openapi.yaml should have:\n{}", answer.data());
    let about = answer.json()["meta"]["provenance"].take();
    let mut expected = shown["meta"]["provenance"].clone();
    expected["source_doc"] = format!("{PUBLIC_URL}/portal/docs/estimates").into();
    assert_eq!(about, expected, "openapi.yaml should have:\n{about}");
    let file = async |format: &str| {
        let call = world.post(EVENT).key(&org.key).header("accept", format).json(&request);
        call.send_to(router(&world)).await
    };
    let csv = file("text/csv").await.text();
    assert_eq!(document["components"]["responses"]["EventEstimate"]["content"]["text/csv"]["example"], csv);
    let map = file("application/geo+json").await.json();
    assert_eq!(
        map["features"],
        example("EstimatedPlaceFeatures")["features"],
        "openapi.yaml should have:\n{map}"
    );
}
