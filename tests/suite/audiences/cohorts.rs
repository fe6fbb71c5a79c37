//! Cohort search and the stability of cohort IDs.

use std::collections::BTreeSet;

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};

use super::{COHORTS, ask, ids};

/// Searches for cohorts and returns their descriptions.
async fn find(world: &World, org: &TestOrg, product: &str, text: &str) -> Vec<String> {
    let body = json!({ "service_data_product_name": product, "search_text": text });
    let answer = ask(world, org, COHORTS, &body).await;
    assert_eq!(answer.status, 200, "{product} {text:?}: {}", answer.text());
    ids(&answer.json()["cohorts"], "cohort_description")
}

#[tokio::test]
async fn empty_text_lists_every_cohort_with_a_unique_id() {
    let (world, org) = World::with_org().await;
    let mut lists = Vec::new();
    for body in [
        json!({ "service_data_product_name": "Population At Home" }),
        json!({ "service_data_product_name": "Population At Home", "search_text": null }),
        json!({ "service_data_product_name": "Population At Home", "search_text": "" }),
        json!({ "service_data_product_name": "Population At Home", "search_text": " \t\n" }),
    ] {
        let answer = ask(&world, &org, COHORTS, &body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        lists.push(answer.json()["cohorts"].take());
    }
    assert!(lists.iter().all(|list| *list == lists[0]));
    let ids = ids(&lists[0], "service_segment_id");
    assert!(ids.len() >= 60, "{} cohorts", ids.len());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "the IDs are unique");
    let is_uuid = |id: &String| {
        let groups: Vec<_> = id.split('-').map(str::len).collect();
        groups == [8, 4, 4, 4, 12] && id.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9' | b'a'..=b'f'))
    };
    assert!(ids.iter().all(is_uuid), "{ids:?}");
    let descriptions = super::ids(&lists[0], "cohort_description");
    assert_eq!(descriptions.iter().collect::<BTreeSet<_>>().len(), ids.len(), "the descriptions are unique");
}

#[tokio::test]
async fn cohort_ids_never_change() {
    // The IDs are derived from stable names and must not change.
    let known = [
        ("Persons", "272d18b6-2ce5-5301-87a8-b41e86cc9d31"),
        ("Hispanic of any race", "6e26f3d7-7470-5726-9055-7628b612694d"),
        (
            "Households with income 100K+ (persons = population x share of households)",
            "da333d51-7a6b-5628-b3ef-9a4a3eebd283",
        ),
    ];
    let (world, org) = World::with_org().await;
    let answer =
        ask(&world, &org, COHORTS, &json!({ "service_data_product_name": "Population Anytime" })).await;
    let cohorts = answer.json()["cohorts"].take();
    for (description, id) in known {
        let has_description = |cohort: &&Value| cohort["cohort_description"] == description;
        let cohort = cohorts.as_array().expect("a list").iter().find(has_description).expect("a cohort");
        assert_eq!(cohort["service_segment_id"], id, "{description}");
    }
}

#[tokio::test]
async fn product_names_are_case_insensitive() {
    let (world, org) = World::with_org().await;
    let (home, anytime) = (
        find(&world, &org, "Population At Home", "").await,
        find(&world, &org, "Population Anytime", "").await,
    );
    let names = [
        ("population at home", &home),
        ("POPULATION AT HOME", &home),
        ("pOPULATION aT hOME", &home),
        (" Population At Home ", &home),
        ("population anytime", &anytime),
        ("POPULATION ANYTIME", &anytime),
        ("Population AnyTime", &anytime),
    ];
    for (name, expected) in names {
        assert_eq!(&find(&world, &org, name, "").await, expected, "{name}");
    }
    // Place reports exclude cohorts of a single sex and age group, because these cohorts are too small.
    assert!(anytime.len() < home.len());
    // Every cohort in place reports is also available for population at home.
    assert!(anytime.iter().all(|cohort| home.contains(cohort)));
    let only_home: Vec<_> = home.iter().filter(|cohort| !anytime.contains(cohort)).collect();
    assert!(only_home.iter().all(|cohort| cohort.starts_with("Males ") || cohort.starts_with("Females ")));
}

#[tokio::test]
async fn place_reports_contain_cohorts_of_population_anytime() {
    let (world, org) = World::with_org().await;
    let anytime: BTreeSet<_> = find(&world, &org, "Population Anytime", "").await.into_iter().collect();
    let body = json!({ "place_id": [samples::place().raw()] });
    let report = ask(&world, &org, "/v2/measures/place/report", &body).await.json();
    let reported: BTreeSet<_> = ids(&report["segments"], "description").into_iter().collect();
    assert!(reported.len() > 10 && reported.is_subset(&anytime), "{reported:?}");
}

#[tokio::test]
async fn search_matches_all_words_of_the_text() {
    let (world, org) = World::with_org().await;
    // The columns are the text, the number of matching cohorts, and the words that are in every match.
    let cases: [(&str, usize, &[&str]); 18] = [
        ("hispanic", 5, &["hispanic"]),
        ("HISPANIC", 5, &["hispanic"]),
        ("hispanic white", 1, &["white alone, not hispanic"]),
        ("white  \t hispanic", 1, &["white alone, not hispanic"]),
        ("hisp", 5, &["hispanic"]),
        ("income", 16, &["income"]),
        ("100k+ income", 1, &["100k+"]),
        ("100k", 3, &["100k"]),
        ("household income", 16, &["income"]),
        ("18-34", 3, &["18-34"]),
        ("women", 5, &["women"]),
        ("men", 5, &["men"]),
        ("men 18-34", 1, &["men 18-34"]),
        ("male", 15, &["males"]),
        ("sex and age", 38, &[]),
        ("race", 5, &[]),
        ("adults 65+", 1, &["adults 65+"]),
        ("persons", 18, &["persons"]),
    ];
    for (text, count, words) in cases {
        let found = find(&world, &org, "Population At Home", text).await;
        assert_eq!(found.len(), count, "{text}: {found:?}");
        for description in found {
            assert!(
                words.iter().all(|word| description.to_lowercase().contains(word)),
                "{text}: {description}"
            );
        }
    }
    for text in ["no such cohort", "male income zip", "%", "*", "\u{0}", "hispanicx", &"zz ".repeat(66)] {
        assert!(find(&world, &org, "Population At Home", text).await.is_empty(), "{text:.40}");
    }
    assert!(!find(&world, &org, "Population At Home", "females 0-4").await.is_empty());
    assert!(find(&world, &org, "Population Anytime", "females 0-4").await.is_empty());
}

#[tokio::test]
async fn unmatched_words_find_composed_resident_cohorts() {
    let (world, org) = World::with_org().await;
    let found = find(&world, &org, "Population At Home", "Hispanic adults 25-54 100K+").await;
    assert_eq!(
        found.first().map(String::as_str),
        Some(
            "Adults 25-54 + Hispanic of any race + Households with income 100K+ (persons = population x share \
             of households)"
        )
    );
    let women = find(&world, &org, "Population At Home", "women 25-54 black").await;
    assert_eq!(women, ["Women 25-54 + Black alone, not Hispanic"]);
    // No single cohort has this sex and this age, so the result combines two cohorts.
    let women = find(&world, &org, "Population At Home", "women 65+").await;
    assert_eq!(women.first().map(String::as_str), Some("Adults 65+ + Women 18+"));
    // Cohorts whose descriptions start with the text come first.
    let single = find(&world, &org, "Population At Home", "hispanic").await;
    assert_eq!((single.len(), single[0].as_str()), (5, "Hispanic of any race"));
    for (product, text) in [
        ("Population Anytime", "hispanic adults 25-54"),
        ("Population At Home", "hispanic martians"),
        ("Population At Home", "asian white"),
    ] {
        assert_eq!(find(&world, &org, product, text).await, [""; 0], "{text}");
    }
}
