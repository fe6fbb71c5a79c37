//! Resident population of areas selected by state or by ID.

use std::collections::BTreeSet;

use dataset::{Geographies, GeographyIndex, GeographyType};
use harness::{TestOrg, World, sample_release, samples};
use serde_json::{Value, json};

use super::{AREA_TYPES, AT_HOME, ask, at_home, count, row, rows};

/// San Juan, Puerto Rico, which has no population in the sample release.
const UNPOPULATED: &str = "US2020XMSA41980";

fn body(area_type: &str, members: &Value) -> Value {
    let mut body =
        json!({ "service_segment_id": samples::segment("hispanic"), "geography_type": [area_type] });
    for (name, value) in members.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

async fn narrowed(world: &World, org: &TestOrg, area_type: &str, members: &Value) -> Value {
    let answer = ask(world, org, AT_HOME, &body(area_type, members)).await;
    assert_eq!(answer.status, 200, "{area_type} {members}: {}", answer.text());
    answer.json()
}

/// Asserts that a response contains exactly the rows of `whole` that have the given IDs, and that its
/// coverage adds up.
fn assert_kept(answer: &Value, whole: &Value, ids: &BTreeSet<String>, context: &str) {
    let is_kept = |row: &&Value| ids.contains(row["geography_id"].as_str().expect("an ID"));
    let kept: Vec<Value> = rows(whole).iter().filter(is_kept).cloned().collect();
    assert_eq!(rows(answer), kept, "{context}");
    for member in
        ["persons", "all_persons", "composition_percent", "year", "vintage", "customer_segment_name"]
    {
        assert_eq!(answer[member], whole[member], "{context}: {member} is that of the nation");
    }
    assert_eq!(answer["pagination"]["total_results"], kept.len(), "{context}");
    let coverage = &answer["coverage"];
    let sum = |member: &str| kept.iter().map(|row| count(&row[member])).sum::<u64>();
    let (persons, all_persons) = (sum("persons"), sum("all_persons"));
    assert_eq!(
        (count(&coverage["persons"]), count(&coverage["all_persons"])),
        (persons, all_persons),
        "{context}"
    );
    let outside = count(&whole["all_persons"]) - all_persons;
    assert_eq!(count(&coverage["all_persons_outside"]), outside, "{context}");
    let description = coverage["description"].as_str().expect("a text");
    let areas = if kept.len() == 1 { "area" } else { "areas" };
    let counted = format!("the {} selected inhabited {areas} of type", kept.len());
    assert!(description.contains(&counted), "{description}");
    assert!(description.contains(&format!("{outside} live outside them")), "{description}");
}

#[tokio::test]
async fn ids_select_areas_in_any_order() {
    let (world, org) = World::with_org().await;
    for (area_type, count) in
        [("DMA", 7), ("MSA", 20), ("CBSA", 300), ("COUNTY", 1_000), ("STATE", 2), ("ZIP", 1_000)]
    {
        let whole = at_home(&world, &org, "hispanic", area_type).await;
        let mut random = fastrand::Rng::with_seed(count);
        let some = random
            .choose_multiple(rows(&whole), usize::try_from(count).expect("the count fits into a usize"));
        let mut ids: Vec<_> =
            some.iter().map(|row| row["geography_id"].as_str().expect("an ID").to_owned()).collect();
        random.shuffle(&mut ids);
        // A duplicate ID counts once.
        let last = ids.len() - 1;
        ids[last] = ids[0].clone();
        let answer = narrowed(&world, &org, area_type, &json!({ "geography_ids": ids })).await;
        assert_kept(&answer, &whole, &ids.into_iter().collect(), area_type);
    }
}

/// Returns the IDs of the areas of a type that contain a county in the given state.
fn with_a_county_in(geographies: &Geographies, state: GeographyIndex, area_type: &str) -> BTreeSet<String> {
    let areas_of_type = |kind| geographies.of_type(kind).map(|area| (area, geographies.get(area)));
    let counties = areas_of_type(GeographyType::County).filter(|(_, county)| county.state == Some(state));
    let mut areas: BTreeSet<_> = match area_type {
        "STATE" => [state].into(),
        "COUNTY" => counties.map(|(county, _)| county).collect(),
        "DMA" => counties.filter_map(|(_, county)| county.dma).collect(),
        "ZIP" => areas_of_type(GeographyType::Zip)
            .filter(|(_, zip)| zip.state == Some(state))
            .map(|(zip, _)| zip)
            .collect(),
        _ => counties.filter_map(|(_, county)| county.cbsa).collect(),
    };
    areas.retain(|area| {
        area_type != "MSA" || geographies.get(*area).id.geography_type() == GeographyType::Msa
    });
    areas.into_iter().map(|area| geographies.get(area).id.to_string()).collect()
}

#[tokio::test]
async fn state_filter_keeps_areas_with_a_county_in_the_state() {
    let (world, org) = World::with_org().await;
    let geographies = Geographies::open(sample_release()).expect("the sample has geographies");
    for area_type in ["DMA", "MSA", "CBSA", "COUNTY", "STATE"] {
        let whole = at_home(&world, &org, "hispanic", area_type).await;
        for state in geographies.of_type(GeographyType::State) {
            let name = geographies.get(state).name;
            let answer = narrowed(&world, &org, area_type, &json!({ "state": name })).await;
            let mut expected = with_a_county_in(&geographies, state, area_type);
            if (area_type, name) == ("DMA", "California") {
                // The Palm Springs market contains ZIP codes but no counties.
                assert!(expected.insert("US2020XDMA804".to_owned()));
            }
            assert_kept(&answer, &whole, &expected, &format!("{area_type} in {name}"));
        }
    }
    let page = json!({ "state": "WY", "pagination": { "page_size": 10_000 } });
    let answer = narrowed(&world, &org, "ZIP", &page).await;
    let wyoming = geographies.find(&"US2020XXST56".parse().expect("valid ID")).expect("a state");
    let there = with_a_county_in(&geographies, wyoming, "ZIP");
    assert!(rows(&answer).len() > 100);
    assert!(rows(&answer).iter().all(|row| there.contains(row["geography_id"].as_str().expect("an ID"))));
}

#[tokio::test]
async fn state_filter_accepts_codes_and_names_in_any_case() {
    let (world, org) = World::with_org().await;
    for forms in [
        ["NY", "ny", "New York", " new  york "],
        ["DC", "dC", "District of Columbia", "DISTRICT OF COLUMBIA"],
    ] {
        let mut answers = Vec::new();
        for form in forms {
            let mut answer = narrowed(&world, &org, "COUNTY", &json!({ "state": form })).await;
            answer["meta"].take();
            answers.push(answer);
        }
        assert!(
            !rows(&answers[0]).is_empty() && answers.iter().all(|answer| *answer == answers[0]),
            "{forms:?}"
        );
    }
}

#[tokio::test]
async fn multi_state_market_keeps_its_whole_population_in_each_state() {
    let (world, org) = World::with_org().await;
    let whole = at_home(&world, &org, "hispanic", "CBSA").await;
    for state in ["NY", "NJ"] {
        let answer = narrowed(&world, &org, "CBSA", &json!({ "state": state })).await;
        assert_eq!(row(&answer, "US2020XMSA35620"), row(&whole, "US2020XMSA35620"), "{state}");
    }
}

#[tokio::test]
async fn ids_state_sort_and_page_can_be_combined() {
    let (world, org) = World::with_org().await;
    let (suffolk, kings, cook) = ("US2020STCO36103", "US2020STCO36047", "US2020STCO17031");
    let mut members = json!({
        "geography_ids": [suffolk, kings, cook],
        "state": "NY",
        "sort": { "active": "persons", "direction": "desc" },
    });
    let answer = narrowed(&world, &org, "COUNTY", &members).await;
    assert_eq!(answer["ids"], json!([kings, suffolk]));
    members["pagination"] = json!({ "page": 2, "page_size": 1 });
    let second = narrowed(&world, &org, "COUNTY", &members).await;
    assert_eq!(second["ids"], json!([suffolk]));
    assert_eq!(second["coverage"], answer["coverage"]);
    let position = json!({ "page": 2, "page_size": 1, "total_results": 2, "total_pages": 2 });
    assert_eq!(second["pagination"], position);
    members["state"] = json!("WY");
    let none = narrowed(&world, &org, "COUNTY", &members).await;
    assert_eq!((&none["results"], &none["pagination"]["total_results"]), (&json!([]), &json!(0)));
    let whole = at_home(&world, &org, "hispanic", "COUNTY").await;
    assert_eq!(none["coverage"]["composition_percent"], 0.0);
    assert_kept(&none, &whole, &BTreeSet::new(), "no areas");
}

#[tokio::test]
async fn selecting_every_id_returns_the_whole_list() {
    let (world, org) = World::with_org().await;
    for area_type in ["STATE", "MSA"] {
        let whole = at_home(&world, &org, "hispanic", area_type).await;
        let mut ids = whole["ids"].clone();
        if area_type == "MSA" {
            // Both lists omit areas without population.
            ids.as_array_mut().expect("a list").push(json!(UNPOPULATED));
        }
        let answer = narrowed(&world, &org, area_type, &json!({ "geography_ids": ids })).await;
        assert_eq!(answer["results"], whole["results"], "{area_type}");
        let outside = &answer["coverage"]["all_persons_outside"];
        assert_eq!(outside, &whole["coverage"]["all_persons_outside"], "{area_type}");
    }
}

#[tokio::test]
async fn null_members_are_ignored() {
    let (world, org) = World::with_org().await;
    let nulls = json!({ "geography_ids": null, "state": null, "sort": null, "pagination": null });
    let mut answer = narrowed(&world, &org, "DMA", &nulls).await;
    let whole = at_home(&world, &org, "hispanic", "DMA").await;
    answer["meta"] = whole["meta"].clone();
    assert_eq!(answer, whole);
}

#[tokio::test]
async fn anonymous_callers_can_filter_and_sort() {
    let world = World::new().await;
    for area_type in AREA_TYPES {
        world.clock.advance(60_000);
        let sort = json!({ "active": "composition_index", "direction": "desc" });
        let body = body(area_type, &json!({ "state": "CA", "sort": sort }));
        let answer = world.post(AT_HOME).json(&body).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(!rows(&answer.json()).is_empty(), "{area_type}");
    }
}
