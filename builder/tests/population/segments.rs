//! Tests the IDs, keys, and descriptions of the sample's segments.

use std::collections::HashSet;

use dataset::cohorts::ShareSource;
use dataset::{Maturity, Part, Population, Resolution, Segment};
use proptest::prelude::*;
use uuid::Uuid;

use crate::built::{BUILT, segment};

fn of_key(key: &str) -> Segment<'static> {
    BUILT.population.segment(segment(key))
}

#[test]
fn at_least_sixty_segments_have_unique_ids_keys_and_descriptions() {
    let segments: Vec<Segment<'_>> = BUILT.population.segments().collect();
    assert!(segments.len() >= 60, "only {} segments", segments.len());
    assert_eq!(segments.len() as u64, BUILT.counts[&Part::Population]["segments"]);
    let distinct = |texts: Vec<String>| texts.into_iter().collect::<HashSet<_>>().len();
    assert_eq!(distinct(segments.iter().map(|segment| segment.id.to_string()).collect()), segments.len());
    assert_eq!(distinct(segments.iter().map(|segment| segment.key.to_owned()).collect()), segments.len());
    assert_eq!(
        distinct(segments.iter().map(|segment| segment.description.to_owned()).collect()),
        segments.len()
    );
    let all_ascii = |text: &str| !text.is_empty() && text.is_ascii();
    assert!(segments.iter().all(|segment| all_ascii(segment.description) && all_ascii(segment.category)));
}

#[test]
fn ids_are_stable_across_releases() {
    let pinned = [
        ("everyone", "272d18b6-2ce5-5301-87a8-b41e86cc9d31"),
        ("age_18_34", "10a19720-9af1-519f-9ff6-a129fe8adb3e"),
        ("female_25_29", "a53c8445-c768-5b01-b787-77711c38ada2"),
        ("hispanic", "6e26f3d7-7470-5726-9055-7628b612694d"),
        ("income_100k_plus", "da333d51-7a6b-5628-b3ef-9a4a3eebd283"),
    ];
    for (key, id) in pinned {
        assert_eq!(of_key(key).id.to_string(), id, "{key}");
    }
}

#[test]
fn segment_is_found_only_by_its_id() {
    for segment in BUILT.population.segments() {
        assert_eq!(BUILT.population.find(&segment.id), Some(segment.index), "{}", segment.key);
    }
    assert_eq!(BUILT.population.find(&Uuid::nil()), None);
}

#[test]
fn first_segment_is_everyone() {
    let everyone = BUILT.population.segment(Population::EVERYONE);
    assert_eq!((everyone.key, everyone.description), ("everyone", "Persons"));
}

#[test]
fn segments_cite_the_source_of_their_shares() {
    let preview = Maturity::ResearchPreview;
    let cases = [
        ("everyone", "population estimates (Vintage 2024)", "2024", Maturity::Production, Resolution::Zip),
        ("age_18_34", "population estimates by age and sex (Vintage 2024)", "2024", preview, Resolution::Zip),
        ("male", "population estimates by age and sex (Vintage 2024)", "2024", preview, Resolution::Zip),
        ("hispanic", "ACS 5-year estimates, table B03002 by ZIP code", "2017-2021", preview, Resolution::Zip),
        (
            "income_100k_plus",
            "ACS 5-year estimates, table S1901 by county",
            "2019-2023",
            preview,
            Resolution::County,
        ),
    ];
    for (key, table, vintage, maturity, resolution) in cases {
        let shares = of_key(key).shares;
        let source = shares.source;
        assert!(source.starts_with(&format!("US Census Bureau, {table}; ")), "{key}: {source}");
        assert_eq!(shares, ShareSource { source, vintage, maturity, resolution }, "{key}");
    }
}

#[test]
fn segments_have_kind_category_and_description() {
    let cases = [
        ("age_18_34", "Demographics", "Age", "Adults 18-34"),
        ("male", "Demographics", "Sex", "Males"),
        ("women_25_54", "Demographics", "Sex and age", "Women 25-54"),
        ("white_not_hispanic", "Demographics", "Ethnicity and race", "White alone, not Hispanic"),
        (
            "income_100k_plus",
            "Households",
            "Household income",
            "Households with income 100K+ (persons = population x share of households)",
        ),
    ];
    for (key, kind, category, description) in cases {
        let found = of_key(key);
        assert_eq!((found.kind, found.category, found.description), (kind, category, description), "{key}");
    }
}

#[test]
fn place_reports_exclude_single_sex_and_age_cells() {
    let excluded: Vec<&str> =
        BUILT.population.segments().filter(|segment| !segment.anytime).map(|segment| segment.key).collect();
    assert_eq!(excluded.len(), 28);
    assert!(
        excluded.iter().all(|key| key.starts_with("male_") || key.starts_with("female_")),
        "{excluded:?}"
    );
}

proptest! {
    #[test]
    fn random_id_is_not_found(bytes: [u8; 16]) {
        let id = Uuid::from_bytes(bytes);
        let known = BUILT.population.segments().any(|segment| segment.id == id);
        prop_assert_eq!(BUILT.population.find(&id).is_some(), known);
    }
}
