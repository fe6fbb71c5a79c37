//! What must hold in every report beyond the schema `PlaceReportReply` of openapi.yaml.

use std::collections::{BTreeMap, BTreeSet};

use dataset::{Geographies, Population};
use harness::{World, sample_release};
use serde_json::{Value, json};
use shared::types::Timestamp;

use super::{report, some_places};

const DAYS: [&str; 7] = ["mo", "tu", "we", "th", "fr", "sa", "su"];

const DWELL: [&str; 5] = [
    "persons_000_030min",
    "persons_030_060min",
    "persons_060_120min",
    "persons_120_240min",
    "persons_240_plus",
];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

fn list<'a>(report: &'a Value, member: &str) -> &'a [Value] {
    report[member].as_array().unwrap_or_else(|| panic!("no list {member}"))
}

#[track_caller]
fn assert_near(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() <= 1e-9 * other.abs().max(1.0), "{what}: {one} is not {other}");
}

/// Returns each cohort's share of the nation, by the id of the cohort.
fn national_shares() -> BTreeMap<String, f64> {
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let population = Population::open(sample_release()).expect("the sample's population");
    let persons = |segment| f64::from(population.persons(segment, geographies.nation()));
    let everyone = persons(Population::EVERYONE);
    population.segments().map(|segment| (segment.id.to_string(), persons(segment.index) / everyone)).collect()
}

/// Holds a report to everything that must be true of it alone.
fn assert_holds(report: &Value, base: &BTreeMap<String, f64>) {
    let place = &report["places"][0];
    let visits = count(&place["visits"]);
    let persons = count(&place["visits_unique_persons"]);
    let (local, far) = (&place["local_radius_visits_local"], &place["local_radius_visits_non_local"]);
    assert_eq!(count(local) + count(far), visits, "local + non-local = visits");
    assert_near(number(&place["visits_frequency_per_person"]), visits as f64 / persons as f64, "frequency");
    assert!(persons <= visits && count(&place["activities"]) >= visits);
    assert!((0.0..=7.0 * 24.0 * 60.0).contains(&number(&place["visits_avg_dwell"])));

    let days = list(report, "days");
    assert_eq!(days.iter().map(|day| &day["day"]).collect::<Vec<_>>(), DAYS);
    assert_eq!(
        days.iter().map(|day| count(&day["visits"])).sum::<u64>(),
        visits,
        "the days' visits are the week's"
    );
    assert_near(days.iter().map(|day| number(&day["percent"])).sum(), 1.0, "the days' shares");
    for day in days {
        assert_near(number(&day["percent"]), count(&day["visits"]) as f64 / visits as f64, "a day's share");
        assert_near(list(day, "hours").iter().map(number).sum(), 1.0, "a day's hours");
    }
    assert_near(DWELL.iter().map(|bin| number(&report["dwell"][bin])).sum(), 1.0, "dwell");

    let mut sums = BTreeMap::new();
    for (member, kind) in [("county", "STCO"), ("dma", "XDMA"), ("postal_code", "ZCTA"), ("state", "XXST")] {
        let areas = list(report, member);
        let most_first =
            |one: &Value, other: &Value| count(&one["weekly_visits"]) >= count(&other["weekly_visits"]);
        assert!(!areas.is_empty() && areas.is_sorted_by(most_first), "{member}");
        for area in areas {
            assert_near(number(&area["daily_visits"]), count(&area["weekly_visits"]) as f64 / 7.0, member);
            assert!(area["id"].as_str().is_some_and(|id| &id[6..10] == kind), "{member}: {area}");
        }
        let ids: BTreeSet<_> = areas.iter().map(|area| area["id"].as_str()).collect();
        assert_eq!(ids.len(), areas.len(), "no area of {member} comes twice");
        sums.insert(member, areas.iter().map(|area| count(&area["weekly_visits"])).sum::<u64>());
    }
    assert_eq!((sums["county"], sums["state"]), (sums["postal_code"], sums["postal_code"]));
    assert!(sums["dma"] <= sums["county"] && sums["county"] <= visits, "{sums:?} of {visits}");

    let segments = list(report, "segments");
    assert!(segments.len() > 10);
    for segment in segments {
        let percent = number(&segment["percent"]);
        assert!((0.0..=1.0).contains(&percent), "{segment}");
        let base = base[segment["service_segment_id"].as_str().expect("an id")];
        assert_near(number(&segment["index"]), 100.0 * percent / base, "an index");
    }

    let weeks = list(&report["history"], "week");
    assert!(weeks.is_sorted_by(|one, other| one["id"].as_str() < other["id"].as_str()));
    for week in weeks {
        assert_eq!(iso_week(week["week_start"].as_str().expect("a date")), week["id"], "{week}");
    }
    let years = list(&report["history"], "year");
    assert!(!weeks.is_empty() && !years.is_empty());
    assert!(years.is_sorted_by(|one, other| one["id"].as_str() < other["id"].as_str()));
}

/// Returns the ISO week that begins on a date: it is of the year in which its Thursday lies.
fn iso_week(monday: &str) -> String {
    let day = |date: &str| {
        let midnight = Timestamp::parse(&format!("{date}T00:00:00Z")).expect("a date");
        midnight.unix_seconds() / 86_400
    };
    let start = day(monday);
    // The first day of 1970 was a Thursday.
    assert_eq!((start + 3) % 7, 0, "{monday} is a Monday");
    let thursday = Timestamp::from_unix_seconds((start + 3) * 86_400).to_string();
    let year = &thursday[..4];
    format!("{year}-W{:02}", (start + 3 - day(&format!("{year}-01-01"))) / 7 + 1)
}

#[tokio::test]
async fn every_report_of_one_place_agrees_with_itself() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let base = national_shares();
    for id in some_places(11, 200) {
        let report = report(&world, &org, &json!([id])).await;
        assert_holds(&report, &base);
        assert!(report["places"][0]["percentile"].as_u64().is_some_and(|rank| rank <= 100), "{id}");
        assert_eq!(report["places"][0]["place_id"], id);
    }
}

#[tokio::test]
async fn an_aggregate_agrees_with_itself_and_with_its_parts() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let base = national_shares();
    for (seed, size) in (20..).zip([1, 2, 2, 3, 5, 8, 13, 21, 34]) {
        world.clock.advance(10_000);
        let ids = some_places(seed, size);
        let whole = report(&world, &org, &json!(ids)).await;
        assert_holds(&whole, &base);
        let mut parts = Vec::new();
        for id in &ids {
            parts.push(report(&world, &org, &json!([id])).await);
        }
        if let [alone] = parts.as_slice() {
            assert_eq!(super::without_meta(alone), super::without_meta(&whole));
            continue;
        }
        assert_sum(&whole, &parts);
        let place = &whole["places"][0];
        assert_eq!(place["percentile"], Value::Null);
        assert_eq!(place["certified"], parts.iter().all(|part| part["places"][0]["certified"] == true));
        assert_eq!(whole["place_count"], ids.len());
    }
}

/// Holds an aggregate to the sums of its parts.
fn assert_sum(whole: &Value, parts: &[Value]) {
    let sum = |of: &dyn Fn(&Value) -> f64| parts.iter().map(of).sum::<f64>();
    let place = |report: &Value, member: &str| number(&report["places"][0][member]);
    let counts = [
        "activities",
        "visits",
        "visits_unique_persons",
        "local_radius_visits_local",
        "local_radius_visits_non_local",
    ];
    for member in counts {
        assert_eq!(place(whole, member), sum(&|part| place(part, member)), "{member}");
    }
    let (visits, persons) = (place(whole, "visits"), place(whole, "visits_unique_persons"));
    let minutes = sum(&|part| place(part, "visits_avg_dwell") * place(part, "visits"));
    assert_near(place(whole, "visits_avg_dwell"), minutes / visits, "dwell is of all visits");
    for bin in DWELL {
        let in_bin = sum(&|part| number(&part["dwell"][bin]) * place(part, "visits"));
        assert_near(number(&whole["dwell"][bin]), in_bin / visits, bin);
    }
    for (day, of_whole) in list(whole, "days").iter().enumerate() {
        let visits = |report: &Value| number(&report["days"][day]["visits"]);
        assert_eq!(visits(whole), sum(&visits), "day {day}");
        for hour in 0..24 {
            let in_hour = sum(&|part| number(&part["days"][day]["hours"][hour]) * visits(part));
            assert_near(number(&of_whole["hours"][hour]), in_hour / visits(whole), "an hour");
        }
    }
    for member in ["county", "dma", "postal_code", "state"] {
        assert_eq!(
            by_id(&whole[member], "weekly_visits"),
            summed(parts, |part| by_id(&part[member], "weekly_visits"))
        );
    }
    for member in ["year", "week"] {
        let history = |report: &Value| by_id(&report["history"][member], "visits");
        assert_eq!(history(whole), summed(parts, history), "{member}");
    }
    let of_segments = |report: &Value| {
        let persons = place(report, "visits_unique_persons");
        let share = |segment: &Value| number(&segment["percent"]) * persons;
        let segments = list(report, "segments").iter();
        segments.map(|segment| (segment["id"].to_string(), share(segment).round() as u64)).collect()
    };
    let expected = summed(parts, of_segments);
    assert_eq!(of_segments(whole), expected, "cohorts by persons, of {persons}");
}

fn by_id(items: &Value, member: &str) -> BTreeMap<String, u64> {
    let items = items.as_array().expect("a list").iter();
    items.map(|item| (item["id"].to_string(), count(&item[member]))).collect()
}

fn summed(parts: &[Value], of: impl Fn(&Value) -> BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (id, count) in parts.iter().flat_map(of) {
        *sums.entry(id).or_default() += count;
    }
    sums
}
