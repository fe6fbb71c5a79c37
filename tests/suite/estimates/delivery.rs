//! Reach, frequency, weeks, markets, and index of an estimate.

use harness::{World, samples};
use serde_json::{Value, json};

use super::{BILLBOARD, FAR, KIOSK, SCREEN, ask, campaign, estimate, number, spots};
use crate::scenarios::changed;

/// A target's figures, in openapi.yaml's order.
const FIGURES: [&str; 7] =
    ["target_persons", "target_impressions", "reach", "reach_low", "reach_high", "frequency", "trp"];

#[tokio::test]
async fn totals_are_consistent_with_each_other() {
    let (world, org) = World::with_org().await;
    let data = estimate(&world, &org, &campaign(&spots(&[KIOSK, SCREEN, BILLBOARD]))).await;
    let total = |name: &str| number(&data["totals"][name]);
    assert!(total("reach_low") < total("reach") && total("reach") < total("reach_high"), "{data}");
    assert!(total("reach_high") < total("target_persons") && total("frequency") >= 1.0, "{data}");
    // Rounding changes a figure by at most half of its last digit.
    let frequency = total("target_impressions") / total("reach");
    assert!((frequency - total("frequency")).abs() <= 0.006, "{frequency}: {data}");
    let trp = 100.0 * total("target_impressions") / total("target_persons");
    assert!((trp - total("trp")).abs() <= 0.051, "{trp}: {data}");
    let distribution: Vec<f64> = data["frequency_distribution"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| number(&row["reach"]))
        .collect();
    assert_eq!((distribution.len(), distribution[0]), (10, total("reach")));
    assert!(distribution.is_sorted_by(|more, fewer| more >= fewer), "{distribution:?}");
}

#[tokio::test]
async fn nationwide_target_impressions_exclude_people_from_elsewhere() {
    let (world, org) = World::with_org().await;
    let nation =
        changed(&campaign(&spots(&[SCREEN])), "/cohort/geography_ids", Some(json!(["XX2020NATNUS"])));
    let everyone = json!([samples::segment("everyone")]);
    let everyone = changed(&nation, "/cohort/service_segment_ids", Some(everyone));
    let data = estimate(&world, &org, &everyone).await;
    // The screen is on a street, where 20% of the impressions are attributed to people from elsewhere.
    assert_eq!(data["totals"]["impressions"], 30_000);
    assert_eq!(data["totals"]["target_impressions"], 24_000);
    assert_eq!(data["displays"][0]["index"], 100.0);
}

#[tokio::test]
async fn impressions_of_adults_are_spread_over_adults() {
    let (world, org) = World::with_org().await;
    let nation = |display: u32| {
        let body = campaign(&spots(&[display]));
        let body = changed(&body, "/cohort/geography_ids", Some(json!(["XX2020NATNUS"])));
        changed(&body, "/cohort/service_segment_ids", Some(json!([samples::segment("everyone")])))
    };
    // The kiosk's impressions count persons 18+. Children are assumed to see it as often.
    let data = estimate(&world, &org, &nation(KIOSK)).await;
    let contacts = number(&data["totals"]["target_impressions"]) / (0.8 * 45_000.0);
    assert!((1.05..1.4).contains(&contacts), "{contacts}");
}

#[tokio::test]
async fn weeks_add_up_and_their_reach_is_cumulative() {
    let (world, org) = World::with_org().await;
    let data = estimate(&world, &org, &campaign(&spots(&[KIOSK, BILLBOARD]))).await;
    let weeks = data["weeks"].as_array().expect("weeks");
    let dates: Vec<(&Value, &Value)> =
        weeks.iter().map(|week| (&week["start_date"], &week["end_date"])).collect();
    let days = [("01", "07"), ("08", "14"), ("15", "21"), ("22", "28"), ("29", "30")];
    let days = days.map(|(first, last)| [first, last].map(|day| json!(format!("2026-09-{day}"))));
    assert_eq!(dates, days.each_ref().map(|[first, last]| (first, last)));
    let impressions: Vec<f64> = weeks.iter().map(|week| number(&week["impressions"])).collect();
    assert_eq!(impressions, [150_500.0, 150_500.0, 150_500.0, 150_500.0, 43_000.0]);
    assert_eq!(impressions.iter().sum::<f64>(), number(&data["totals"]["impressions"]));
    let reach: Vec<f64> = weeks.iter().map(|week| number(&week["cumulative_reach"])).collect();
    assert!(reach.is_sorted_by(|before, after| before < after), "{reach:?}");
    assert_eq!(reach[4], number(&data["totals"]["reach"]));
}

#[tokio::test]
async fn overlapping_markets_count_once_in_the_totals() {
    let (world, org) = World::with_org().await;
    let in_markets = |ids: &[&str]| {
        let displays = spots(&[KIOSK, BILLBOARD, FAR]);
        changed(&campaign(&displays), "/cohort/geography_ids", Some(json!(ids)))
    };
    let [new_york, manhattan, los_angeles] = ["US2020XDMA501", "US2020STCO36061", "US2020XDMA803"];
    let data = estimate(&world, &org, &in_markets(&[los_angeles, manhattan, new_york, manhattan])).await;
    let markets = data["markets"].as_array().expect("markets");
    let ids: Vec<&Value> = markets.iter().map(|market| &market["geography_id"]).collect();
    assert_eq!(ids, [los_angeles, manhattan, new_york]);
    for (market, id) in markets.iter().zip([los_angeles, manhattan, new_york]) {
        let single = estimate(&world, &org, &in_markets(&[id])).await;
        for figure in FIGURES {
            assert_eq!(market[figure], single["totals"][figure], "{figure} of {id}");
        }
    }
    let of = |at: usize, figure: &str| number(&markets[at][figure]);
    assert!(of(1, "reach") < of(2, "reach") && of(1, "trp") > of(2, "trp"), "{markets:?}");
    for figure in ["target_persons", "target_impressions", "reach"] {
        let sum = of(0, figure) + of(2, figure);
        assert!((sum - number(&data["totals"][figure])).abs() <= 1.0, "{figure}: {data}");
    }
}

#[tokio::test]
async fn markets_without_contacts_or_without_people_have_null_figures() {
    let (world, org) = World::with_org().await;
    let [los_angeles, san_juan] = ["US2020XDMA803", "US2020XMSA41980"];
    let body = changed(
        &campaign(&spots(&[KIOSK])),
        "/cohort/geography_ids",
        Some(json!([los_angeles, san_juan, "US2020XDMA501"])),
    );
    let data = estimate(&world, &org, &body).await;
    for figure in FIGURES {
        assert_eq!(data["markets"][0][figure].is_null(), figure != "target_persons", "{figure}");
        assert!(data["markets"][1][figure].is_null(), "{figure}");
        assert!(data["markets"][2][figure].is_number(), "{figure}");
    }
    let no_one = changed(&body, "/cohort/geography_ids", Some(json!([san_juan])));
    let no_one = estimate(&world, &org, &no_one).await;
    assert!(FIGURES.iter().all(|figure| no_one["totals"][figure].is_null()), "{no_one}");
    assert_eq!(no_one["totals"]["impressions"], 45_000);
    let rows = ["frequency_distribution", "weeks"].map(|rows| no_one[rows].as_array().expect("rows").clone());
    assert!(rows[0].iter().all(|row| row["reach"].is_null()), "{no_one}");
    assert!(rows[1].iter().all(|row| row["cumulative_reach"].is_null()), "{no_one}");
}

#[tokio::test]
async fn index_compares_the_viewers_of_a_display_with_the_base() {
    let (world, org) = World::with_org().await;
    let body = campaign(&spots(&[KIOSK]));
    let index = async |target: &str, base: &str| {
        let body = changed(&body, "/cohort/service_segment_ids", Some(json!([samples::segment(target)])));
        let base = Some(json!(samples::segment(base)));
        let data = estimate(&world, &org, &changed(&body, "/cohort/service_base_segment_id", base)).await;
        data["displays"][0]["index"].clone()
    };
    assert_eq!(index("hispanic", "hispanic").await, 100.0);
    // The Hispanic share of the population is larger in Upper Manhattan than nationwide.
    assert!(number(&index("hispanic", "everyone").await) > 110.0);
}

#[tokio::test]
async fn estimates_are_never_more_mature_than_synthetic() {
    let (world, org) = World::with_org().await;
    let answer = ask(&world, &org, &campaign(&spots(&[KIOSK]))).await;
    let meta = &answer.json()["meta"];
    assert_eq!(meta["product"], "campaign_estimate");
    let provenance = &meta["provenance"];
    assert_eq!(provenance["data_maturity"], "synthetic-only");
    assert_eq!(
        (&provenance["methodology_version"], &answer.data()["model"]),
        (&json!("contact-model-1"), &json!("contact-model-1"),)
    );
    let source = provenance["source"].as_str().expect("a source");
    assert!(source.contains("Example Outdoor") && source.contains("ZIP codes"), "{source}");
}
