//! Reports match the records of their places. Tests in `dataset` check the shares and the sums within a
//! record.
use std::sync::{Arc, OnceLock};

use dataset::{
    Geographies, Geography, Measure, Measures, Origin, Parents, PlaceId, Population, Report, SegmentShare,
};
use harness::{World, sample_release};
use serde_json::{Value, json};

use super::{REPORT, ids, report, some_places};
use crate::estimates::{STADIUM, UNKNOWN_HOMES, release};

/// The parts of the sample release that reports use, opened without the service.
struct Sample {
    geographies: Geographies,
    population: Population,
    measures: Measures,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| Sample {
        geographies: Geographies::open(sample_release()).expect("the sample's geographies"),
        population: Population::open(sample_release()).expect("the sample's population"),
        measures: Measures::open(sample_release()).expect("the sample's measures"),
    })
}

impl Sample {
    /// Computes a report on several places from their records.
    fn report(&self, places: &[u64]) -> Report {
        let measure = |id: &u64| self.measures.get(PlaceId::from_raw(*id)).expect("a valid record");
        let measures: Vec<Measure> = places.iter().map(|id| measure(id).expect("a record")).collect();
        let persons = |segment| f64::from(self.population.persons(segment, self.geographies.nation()));
        let parents = |zip| {
            let Geography { county, dma, state, .. } = self.geographies.get(zip);
            Parents { county, dma, state }
        };
        let base = |segment| persons(segment) / persons(Population::EVERYONE);
        Report::new(&Measure::sum(&measures).expect("a place"), &base, &parents)
    }

    fn area(&self, origin: &Origin) -> Value {
        let geography = self.geographies.get(origin.geography);
        let Origin { weekly_visits, daily_visits, .. } = origin;
        json!({
            "id": geography.id.to_string(), "description": geography.name_with_zip(),
            "weekly_visits": weekly_visits, "daily_visits": daily_visits,
        })
    }

    fn segment(&self, share: &SegmentShare) -> Value {
        let segment = self.population.segment(share.segment);
        json!([segment.id.to_string(), segment.key, share.percent, share.index])
    }
}

/// Checks that a response contains the figures of a computed report.
fn assert_says(answer: &Value, expected: &Report) {
    let place = &answer["places"][0];
    let performance = json!({
        "activities": expected.activities,
        "visits": expected.visits,
        "visits_avg_dwell": expected.avg_dwell,
        "percentile": expected.percentile,
        "certified": expected.certified,
        "local_radius_visits_local": expected.local,
        "local_radius_visits_non_local": expected.non_local,
    });
    for (member, value) in performance.as_object().expect("members") {
        assert_eq!(place[member], *value, "{member}");
    }
    let areas = |origins: &[Origin]| origins.iter().map(|origin| sample().area(origin)).collect::<Vec<_>>();
    for (member, origins) in [
        ("postal_code", &expected.postal_codes),
        ("county", &expected.counties),
        ("dma", &expected.dmas),
        ("state", &expected.states),
    ] {
        assert!(!origins.is_empty(), "{member}");
        assert_eq!(answer[member], json!(areas(origins)), "{member}");
    }
    let shown = answer["segments"].as_array().expect("segments").iter();
    let shown: Vec<Value> = shown
        .map(|one| json!([one["service_segment_id"], one["id"], one["percent"], one["index"]]))
        .collect();
    let segments: Vec<Value> = expected.segments.iter().map(|share| sample().segment(share)).collect();
    assert!(segments.len() > 10);
    assert_eq!(shown, segments);
    assert_eq!(answer["days"], json!(expected.days));
    assert_eq!(answer["history"], json!(expected.history));
    let dwell = answer["dwell"].as_object().expect("bins").values();
    assert!(dwell.eq(json!(expected.dwell).as_array().expect("a list")));
}

#[tokio::test]
async fn report_of_one_place_equals_its_record() {
    let (world, org) = World::with_org().await;
    for id in some_places(11, 50) {
        let report = report(&world, &org, &json!([id])).await;
        let expected = sample().report(&[id]);
        assert_says(&report, &expected);
        let place = &report["places"][0];
        assert_eq!(place["visits_unique_persons"], expected.unique_persons);
        assert_eq!(place["visits_frequency_per_person"], expected.frequency);
        assert!(report["places"][0]["percentile"].as_u64().is_some_and(|rank| rank <= 100), "{id}");
        assert_eq!(report["places"][0]["place_id"], id);
    }
}

#[tokio::test]
async fn aggregate_equals_the_sum_of_its_records() {
    let (world, org) = World::with_org().await;
    for (seed, size) in (20..).zip([2, 3, 13, 34]) {
        let ids = some_places(seed, size);
        let whole = report(&world, &org, &json!(ids)).await;
        assert_says(&whole, &sample().report(&ids));
        assert_eq!(whole["places"][0]["percentile"], Value::Null);
        assert_eq!(whole["place_count"], ids.len());
    }
}

#[tokio::test]
async fn persons_who_visit_several_places_count_once() {
    let (world, org) = World::with_org().await;
    let persons_of = async |ids: &Value| {
        let report = report(&world, &org, ids).await;
        let place = &report["places"][0];
        let [visits, persons, frequency] = ["visits", "visits_unique_persons", "visits_frequency_per_person"]
            .map(|name| place[name].as_f64());
        assert_eq!(frequency, visits.zip(persons).map(|(visits, persons)| visits / persons), "{place}");
        persons.expect("a number")
    };
    let search = json!({ "filter": { "place_name": "starbucks", "city": "San Francisco" } });
    let near = ids(&super::search(&world, &org, &search).await);
    // Places across the country have few visitors in common.
    for (ids, most) in [(near, 0.99), (some_places(6, 5), 1.0)] {
        let together = persons_of(&json!(ids)).await;
        let mut each = Vec::new();
        for id in &ids {
            each.push(persons_of(&json!([id])).await);
        }
        let largest = each.iter().copied().fold(0.0, f64::max);
        let sum: f64 = each.iter().sum();
        assert!(largest < together && together <= most * sum, "{together} of {each:?}");
    }
}

#[tokio::test]
async fn several_places_have_no_number_of_persons_without_the_homes_of_their_visitors() {
    let (world, org) = World::with_org().await;
    let router = places::router(&world.app, Arc::new(places::Release::open(release()).expect("a release")));
    let persons = async |ids: &[u64]| {
        let call = world.post(REPORT).key(&org.key).json(&json!({ "place_id": ids }));
        let place = call.send_to(router.clone()).await.json()["places"][0].take();
        ["visits_unique_persons", "visits_frequency_per_person"].map(|name| place[name].as_f64())
    };
    assert_eq!(persons(&[UNKNOWN_HOMES]).await, [Some(350.0), Some(2.0)]);
    assert_eq!(persons(&[UNKNOWN_HOMES, STADIUM]).await, [None, None]);
}
