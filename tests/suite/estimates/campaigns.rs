//! Campaign estimates: displays, spots, dates, and stored campaigns.

use harness::{Contract, PUBLIC_URL, World};
use serde_json::{Value, json};

use super::{
    BILLBOARD, ESTIMATE, FAR, KIOSK, NOWHERE, SCREEN, SILENT, SPOT, ask, campaign, estimate, number, router,
    spot, spots, warned,
};
use crate::scenarios::changed;

/// Returns a spot with the given windows, each from a first to a last day.
fn during(display: u32, windows: &[(&str, &str)]) -> Value {
    let windows: Vec<Value> =
        windows.iter().map(|(first, last)| json!({ "start_date": first, "end_date": last })).collect();
    json!({ "display_id": display.to_string(), "spot_id": 1, "windows": windows })
}

#[tokio::test]
async fn impressions_are_weekly_impressions_times_share_of_voice_times_weeks() {
    let (world, org) = World::with_org().await;
    // 30 days are 30 / 7 weeks.
    let cases = [
        (KIOSK, 84_000, "given", json!(0.125), json!("assumed"), 45_000),
        (SCREEN, 28_000, "given", json!(0.25), json!("given"), 30_000),
        (BILLBOARD, 140_000, "modelled", json!(1.0), json!("assumed"), 600_000),
        (SPOT, 7_000, "given", Value::Null, Value::Null, 30_000),
    ];
    let data = estimate(&world, &org, &campaign(&spots(&[KIOSK, SCREEN, BILLBOARD, SPOT]))).await;
    let displays = data["displays"].as_array().expect("displays");
    assert_eq!(displays.len(), cases.len());
    for (display, case) in displays.iter().zip(cases) {
        let (id, weekly, from, share, share_from, impressions) = case;
        let expected = json!({
            "display_id": id.to_string(),
            "location": { "lat": 40.8, "lon": -73.96 },
            "impressions": impressions,
            "weekly_impressions": weekly,
            "weekly_impressions_from": from,
            "share_of_voice": share,
            "share_of_voice_from": share_from,
            "active_days": 30,
            "index": display["index"],
        });
        assert_eq!(*display, expected);
    }
    assert_eq!(data["totals"]["impressions"], 705_000);
}

#[tokio::test]
async fn unknown_displays_and_displays_without_impressions_are_listed_and_ignored() {
    let (world, org) = World::with_org().await;
    let single = estimate(&world, &org, &campaign(&spots(&[KIOSK]))).await;
    let odd = ["7", "+30518842", "99999999999", "7", "x"].map(|id| json!({ "display_id": id, "spot_id": 1 }));
    let others = [&spots(&[SILENT, KIOSK])[..], &odd].concat();
    let data = estimate(&world, &org, &campaign(&others)).await;
    assert_eq!(data["unknown_ids"], json!(["7", "+30518842", "99999999999", "x"]));
    assert_eq!(data["displays_without_impressions"], json!([SILENT.to_string()]));
    for member in ["totals", "weeks", "markets", "displays", "frequency_distribution"] {
        assert_eq!(data[member], single[member], "{member}");
    }
}

#[tokio::test]
async fn windows_count_once_and_only_within_the_flight() {
    let (world, org) = World::with_org().await;
    let cases = [
        (vec![("2026-09-01", "2026-09-07")], 7, vec![]),
        (vec![("2026-09-01", "2026-09-07"), ("2026-09-05", "2026-09-10")], 10, vec![]),
        (vec![("2026-08-20", "2026-09-02"), ("2026-09-29", "2026-12-31")], 4, vec!["0", "1"]),
        (vec![("2026-09-07", "2026-09-07"), ("2026-08-01", "2026-08-31")], 1, vec!["1"]),
        (vec![("2026-08-01", "2026-12-31")], 30, vec!["0"]),
    ];
    for (windows, days, outside) in cases {
        let answer = ask(&world, &org, &campaign(&[during(BILLBOARD, &windows)])).await;
        let display = &answer.data()["displays"][0];
        assert_eq!(display["active_days"], days, "{windows:?}");
        assert_eq!(display["impressions"], days * 20_000, "{windows:?}");
        let pointers: Vec<String> = outside.iter().map(|at| format!("/spots/0/windows/{at}")).collect();
        assert_eq!(warned(&answer), pointers, "{windows:?}");
    }
}

#[tokio::test]
async fn display_without_an_active_day_delivers_nothing() {
    let (world, org) = World::with_org().await;
    let data = estimate(&world, &org, &campaign(&[during(KIOSK, &[("2026-01-01", "2026-01-31")])])).await;
    assert_eq!((&data["totals"]["impressions"], &data["totals"]["reach"]), (&json!(0), &Value::Null));
    assert!(number(&data["totals"]["target_persons"]) > 1e6, "{data}");
}

#[tokio::test]
async fn display_that_is_listed_twice_counts_at_most_once_per_day() {
    let (world, org) = World::with_org().await;
    let first = ("2026-09-01", "2026-09-20");
    let cases = [
        // The screen shows each spot for a quarter of the time. It shows both spots on 10 days, and only one
        // of them on 20 days.
        (vec![during(SCREEN, &[first]), during(SCREEN, &[("2026-09-11", "2026-09-30")])], 40_000),
        (vec![spot(SCREEN); 3], 90_000),
        (vec![spot(SCREEN); 6], 120_000),
        // A static display always shows its advertisement, so a second spot adds nothing.
        (vec![spot(BILLBOARD); 2], 600_000),
    ];
    for (spots, impressions) in cases {
        let answer = ask(&world, &org, &campaign(&spots)).await;
        let data = answer.data();
        assert_eq!(data["displays"].as_array().map(Vec::len), Some(1));
        assert_eq!(data["totals"]["impressions"], impressions, "{spots:?}");
        let pointers: Vec<String> = (1..spots.len()).map(|at| format!("/spots/{at}/display_id")).collect();
        assert_eq!(warned(&answer), pointers);
    }
}

#[tokio::test]
async fn impressions_of_a_spot_count_for_each_spot_on_its_display() {
    let (world, org) = World::with_org().await;
    for (count, impressions) in [(1, 30_000), (2, 60_000), (20, 600_000)] {
        let answer = ask(&world, &org, &campaign(&vec![spot(SPOT); count])).await;
        assert_eq!(answer.data()["totals"]["impressions"], impressions, "{count} spots");
        assert!(warned(&answer).is_empty(), "{count} spots");
    }
}

#[tokio::test]
async fn stored_campaign_and_its_body_have_the_same_estimate() {
    let (world, org) = World::with_org().await;
    let mut large = campaign(&vec![spot(BILLBOARD); 2_000]);
    let mut random = fastrand::Rng::with_seed(3);
    for spot in large["spots"].as_array_mut().expect("spots") {
        spot["customer_spot_id"] = (0..300).map(|_| random.alphanumeric()).collect::<String>().into();
    }
    for body in [campaign(&spots(&[KIOSK, BILLBOARD, SILENT])), large] {
        let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&body).send().await.data();
        let stored = ask(&world, &org, &json!({ "asset_id": created["asset_id"] })).await;
        let sent = ask(&world, &org, &body).await;
        assert_eq!(stored.data(), sent.data());
        assert_eq!(warned(&stored), warned(&sent));
        assert_eq!((stored.credits_used(), sent.credits_used()), (5, 5));
        world.clock.advance(60_000);
    }
}

#[tokio::test]
async fn only_the_first_cohort_is_estimated() {
    let (world, org) = World::with_org().await;
    let one = campaign(&spots(&[KIOSK]));
    let first = one["cohort"]["service_segment_ids"][0].clone();
    let two = changed(&one, "/cohort/service_segment_ids", Some(json!([first, "another"])));
    let answer = ask(&world, &org, &two).await;
    assert_eq!(answer.data(), estimate(&world, &org, &one).await);
    assert_eq!(answer.data()["cohort_description"], "Adults 18-34");
    assert_eq!(warned(&answer), ["/cohort/service_segment_ids/1"]);
}

#[tokio::test]
async fn display_without_a_zip_code_has_no_local_viewers() {
    let (world, org) = World::with_org().await;
    let data = estimate(&world, &org, &campaign(&spots(&[NOWHERE]))).await;
    assert_eq!((&data["totals"]["impressions"], &data["totals"]["reach"]), (&json!(300_000), &Value::Null));
    assert_eq!(data["displays"][0]["index"], Value::Null);
    let with_others = estimate(&world, &org, &campaign(&spots(&[NOWHERE, FAR, KIOSK]))).await;
    let single = estimate(&world, &org, &campaign(&spots(&[KIOSK]))).await;
    assert_eq!(with_others["totals"]["reach"], single["totals"]["reach"]);
}

#[tokio::test]
async fn example_matches_the_service() {
    let (world, org) = World::with_org().await;
    let example = |name: &str| Contract::get().document()["components"]["examples"][name]["value"].clone();
    let answer = ask(&world, &org, &example("CampaignEstimateRequest")).await;
    let shown = example("CampaignEstimateReply");
    assert_eq!(answer.data(), shown["data"], "openapi.yaml should have:\n{}", answer.data());
    let about = answer.json()["meta"]["provenance"].take();
    let mut expected = shown["meta"]["provenance"].clone();
    expected["source_doc"] = format!("{PUBLIC_URL}/portal/docs/estimates").into();
    assert_eq!(about, expected, "openapi.yaml should have:\n{about}");
}

#[tokio::test]
async fn examples_of_files_match_the_service() {
    let (world, org) = World::with_org().await;
    let document = Contract::get().document();
    let request = &document["components"]["examples"]["CampaignEstimateRequest"]["value"];
    let file = async |format: &str| {
        let call = world.post(ESTIMATE).key(&org.key).header("accept", format).json(request);
        call.send_to(router(&world)).await
    };
    let response = &document["components"]["responses"]["CampaignEstimate"];
    assert_eq!(response["content"]["text/csv"]["example"], file("text/csv").await.text());
    let shown = &document["components"]["examples"]["EstimatedDisplayFeatures"]["value"];
    assert_eq!(file("application/geo+json").await.json()["features"], shown["features"]);
}
