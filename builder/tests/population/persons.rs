//! Compares the sample's population with published totals and with sums over cohorts and geographies.

use std::collections::HashMap;

use dataset::{Geography, GeographyIndex, GeographyType, Population, SegmentIndex};

use crate::built::{BUILT, data, empty_folder, geography, index, persons, segment, table};

const NATION: &str = "XX2020NATNUS";

/// The age bands in segment keys.
const AGES: [&str; 14] = [
    "0_4", "5_9", "10_14", "15_17", "18_19", "20_24", "25_29", "30_34", "35_44", "45_54", "55_64", "65_74",
    "75_84", "85_plus",
];

/// The keys of the segments for ethnicity and race.
const ETHNICITIES: [&str; 5] = ["asian", "black", "hispanic", "white_not_hispanic", "other_not_hispanic"];

/// The income brackets in segment keys.
const INCOMES: [&str; 10] = [
    "under_10k",
    "10k_15k",
    "15k_25k",
    "25k_35k",
    "35k_50k",
    "50k_75k",
    "75k_100k",
    "100k_150k",
    "150k_200k",
    "200k_plus",
];

/// Sums a segment over all geographies of a type, grouped by the parent geography that `whole` returns.
fn sums(
    segment: SegmentIndex,
    geography_type: GeographyType,
    whole: impl Fn(&Geography<'_>) -> Option<GeographyIndex>,
) -> HashMap<GeographyIndex, u64> {
    let mut sums = HashMap::new();
    for index in BUILT.geographies.of_type(geography_type) {
        if let Some(whole) = whole(&BUILT.geographies.get(index)) {
            *sums.entry(whole).or_default() += u64::from(BUILT.population.persons(segment, index));
        }
    }
    sums
}

fn segments() -> impl Iterator<Item = SegmentIndex> {
    BUILT.population.segments().map(|segment| segment.index)
}

/// Returns a segment's share of a geography's population, in percent.
fn percent(key: &str, id: &str) -> f64 {
    100.0 * f64::from(persons(key, id)) / f64::from(persons("everyone", id))
}

#[test]
fn nation_matches_the_published_census_total() {
    assert_eq!(persons("everyone", NATION), 340_110_988);
    assert_eq!(geography(NATION).population, 340_110_988);
}

#[test]
fn state_populations_match_the_source_table() {
    for row in table("geographies/states.csv") {
        let found = persons("everyone", &format!("US2020XXST{}", row["state_fips"]));
        assert_eq!(found.to_string(), row["population_2024"], "{}", row["name"]);
    }
}

#[test]
fn everyone_equals_the_population_of_each_geography() {
    for index in GeographyType::ALL.into_iter().flat_map(|kind| BUILT.geographies.of_type(kind)) {
        let geography = BUILT.geographies.get(index);
        assert_eq!(
            BUILT.population.persons(Population::EVERYONE, index),
            geography.population,
            "{}",
            geography.id
        );
    }
}

#[test]
fn segments_of_counties_sum_to_states_nation_and_metropolitan_areas() {
    for segment in segments() {
        let of_nation = sums(segment, GeographyType::County, |_| Some(BUILT.geographies.nation()));
        let of_states = sums(segment, GeographyType::County, |county| county.state);
        let of_cbsas = sums(segment, GeographyType::County, |county| county.cbsa);
        for kind in
            [GeographyType::Nation, GeographyType::State, GeographyType::Msa, GeographyType::Micropolitan]
        {
            for whole in BUILT.geographies.of_type(kind) {
                let sum = of_nation.get(&whole).or(of_states.get(&whole)).or(of_cbsas.get(&whole)).copied();
                let found = u64::from(BUILT.population.persons(segment, whole));
                let (key, id) = (BUILT.population.segment(segment).key, BUILT.geographies.get(whole).id);
                assert_eq!(found, sum.unwrap_or(0), "{key} in {id}");
            }
        }
    }
}

#[test]
fn markets_cover_everyone_except_some_boroughs_of_alaska() {
    let covered: u32 = BUILT
        .geographies
        .of_type(GeographyType::Dma)
        .map(|dma| BUILT.population.persons(Population::EVERYONE, dma))
        .sum();
    assert_eq!(340_110_988 - covered, 106_279);
    for segment in segments() {
        let of_markets: u64 = BUILT
            .geographies
            .of_type(GeographyType::Dma)
            .map(|dma| u64::from(BUILT.population.persons(segment, dma)))
            .sum();
        let of_counties = sums(segment, GeographyType::County, |county| county.dma);
        assert_eq!(
            of_markets,
            of_counties.values().sum::<u64>(),
            "{}",
            BUILT.population.segment(segment).key
        );
    }
}

#[test]
fn zips_outside_their_countys_market_count_in_their_own_market() {
    for segment in segments() {
        let found = u64::from(BUILT.population.persons(segment, index("US2020XDMA804")));
        let of_zips = sums(segment, GeographyType::Zip, |zip| zip.dma);
        assert_eq!(found, of_zips[&index("US2020XDMA804")], "{}", BUILT.population.segment(segment).key);
    }
    let palm_springs = persons("everyone", "US2020XDMA804");
    assert!((400_000..700_000).contains(&palm_springs), "{palm_springs}");
}

#[test]
fn zips_are_close_to_the_proportions_that_surveys_found_in_them() {
    let surveyed = |row: &HashMap<String, String>, part: &[&str], all: &[&str]| {
        let sum = |columns: &[&str]| columns.iter().map(|column| row[*column].parse::<f64>().unwrap()).sum();
        let (part, all): (f64, f64) = (sum(part), sum(all));
        (all >= 5_000.0).then(|| 100.0 * part / all)
    };
    let groups = ["asian_pi_nh", "black_nh", "hispanic", "white_nh", "other_nh"];
    // The differences result partly from the different years of the surveys.
    let cases = [
        ("black", &["black_nh"][..], &groups[..], 2.0),
        ("hispanic", &["hispanic"], &groups, 3.0),
        ("white_not_hispanic", &["white_nh"], &groups, 3.0),
        ("female", &["female"], &["male", "female"], 1.5),
    ];
    let rows = table("segments/zip_demographics.csv.gz");
    for (key, part, all, most) in cases {
        let mut differences: Vec<f64> = rows
            .iter()
            .filter_map(|row| {
                let found = percent(key, &format!("US2020ZCTA{}", row["zip"]));
                surveyed(row, part, all).map(|surveyed| (found - surveyed).abs())
            })
            .collect();
        differences.sort_unstable_by(f64::total_cmp);
        let median = differences[differences.len() / 2];
        assert!(median < most, "{key}: {median} percentage points");
    }
}

#[test]
fn zips_of_a_county_have_their_own_residents() {
    let index = |zip: &str| {
        let id = format!("US2020ZCTA{zip}");
        100.0 * percent("income_150k_plus", &id) / percent("income_150k_plus", NATION)
    };
    let (beverly_hills, compton) = (index("90210"), index("90220"));
    assert!(beverly_hills > 200.0, "{beverly_hills}");
    assert!(compton < 90.0, "{compton}");
    let students = percent("age_18_24", "US2020ZCTA16802");
    assert!(students > 70.0, "{students} percent of the campus of a university");
    assert!(percent("age_65_plus", "US2020ZCTA32162") > 60.0, "The Villages, Florida");
}

#[test]
fn age_bands_sexes_ethnic_groups_and_income_brackets_each_sum_to_everyone() {
    let partitions: [Vec<String>; 5] = [
        AGES.map(|band| format!("age_{band}")).into(),
        ["male".to_owned(), "female".to_owned()].into(),
        ["male", "female"].iter().flat_map(|sex| AGES.map(|band| format!("{sex}_{band}"))).collect(),
        ETHNICITIES.map(str::to_owned).into(),
        INCOMES.map(|bracket| format!("income_{bracket}")).into(),
    ];
    for keys in partitions {
        let parts: Vec<SegmentIndex> = keys.iter().map(|key| segment(key)).collect();
        for index in GeographyType::ALL.into_iter().flat_map(|kind| BUILT.geographies.of_type(kind)) {
            let sum: u32 = parts.iter().map(|part| BUILT.population.persons(*part, index)).sum();
            let everyone = BUILT.population.persons(Population::EVERYONE, index);
            assert_eq!(sum, everyone, "{} .. in {}", keys[0], BUILT.geographies.get(index).id);
        }
    }
}

#[test]
fn wider_segments_are_sums_of_narrower_ones() {
    let cases = [
        ("age_18_34", &["age_18_24", "age_25_34"][..]),
        ("age_18_plus", &["age_18_34", "age_35_54", "age_55_plus"]),
        ("everyone", &["age_under_18", "age_18_plus"]),
        ("age_25_54", &["men_25_54", "women_25_54"]),
        ("age_55_plus", &["men_55_plus", "women_55_plus"]),
        ("everyone", &["income_under_50k", "income_50k_plus"]),
        ("income_100k_plus", &["income_100k_150k", "income_150k_plus"]),
    ];
    for (whole, parts) in cases {
        for id in [NATION, "US2020XXST06", "US2020STCO06037", "US2020XDMA501", "US2020ZCTA10027"] {
            let sum: u32 = parts.iter().map(|part| persons(part, id)).sum();
            assert_eq!(persons(whole, id), sum, "{whole} in {id}");
        }
    }
}

#[test]
fn known_places_have_plausible_figures() {
    let index = 100.0 * percent("income_100k_plus", "US2020STCO06075") / percent("income_100k_plus", NATION);
    assert!(index > 120.0, "index of incomes of 100K+ in San Francisco: {index}");
    let hispanic = percent("hispanic", "US2020STCO06037");
    assert!((47.0..49.0).contains(&hispanic), "{hispanic} percent of Los Angeles County is Hispanic");
    let rich = percent("income_100k_plus", NATION);
    assert!((37.0..42.0).contains(&rich), "{rich} percent of the nation live in households of 100K+");
    let old = percent("age_65_plus", NATION);
    assert!((17.9..18.1).contains(&old), "{old} percent of the nation are 65 or older");
    let women = percent("female", NATION);
    assert!((50.0..51.5).contains(&women), "{women} percent of the nation is female");
}

#[test]
fn rebuild_writes_the_same_bytes() {
    let folder = empty_folder("again");
    let counts = builder::sample::population::write(&data(), &folder, &|_, _, _| ()).unwrap();
    assert_eq!(counts, BUILT.counts);
    for file in ["geographies.bin", "population.bin"] {
        let [first, second] =
            [&BUILT.folder, &folder].map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(first == second, "{file} differs");
    }
}
