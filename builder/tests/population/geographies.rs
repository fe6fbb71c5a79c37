//! Compares the sample's geographies with the rows in their source tables.

use std::collections::BTreeSet;

use dataset::{GeographyId, GeographyIndex, GeographyType, Part, Position};

use crate::built::{BUILT, geography, index, table};

/// Returns the type and the ID of every geography in the source tables.
fn ids_of_all_rows() -> Vec<(GeographyType, String)> {
    use GeographyType::{County, Dma, Micropolitan, Msa, Nation, State, Zip};

    let rows = |name: &str| table(&format!("geographies/{name}"));
    let mut ids = vec![(Nation, "XX2020NATNUS".to_owned())];
    ids.extend(rows("states.csv").iter().map(|row| (State, format!("US2020XXST{}", row["state_fips"]))));
    ids.extend(
        rows("counties.csv.gz").iter().map(|row| (County, format!("US2020STCO{}", row["county_fips"]))),
    );
    ids.extend(rows("dmas.csv").iter().map(|row| (Dma, format!("US2020XDMA{}", row["dma_code"]))));
    ids.extend(rows("cbsas.csv").iter().map(|row| match row["kind"].as_str() {
        "metropolitan" => (Msa, format!("US2020XMSA{}", row["cbsa_code"])),
        "micropolitan" => (Micropolitan, format!("US2020MCRO{}", row["cbsa_code"])),
        other => panic!("unknown kind {other:?}"),
    }));
    ids.extend(rows("zips.csv.gz").iter().map(|row| (Zip, format!("US2020ZCTA{}", row["zip"]))));
    ids
}

fn is_known(text: &str) -> bool {
    text.parse().is_ok_and(|id| BUILT.geographies.contains(&id))
}

fn id_of(index: Option<GeographyIndex>) -> Option<String> {
    index.map(|index| BUILT.geographies.get(index).id.to_string())
}

#[test]
fn every_source_row_has_a_geography_of_its_type() {
    for (geography_type, text) in ids_of_all_rows() {
        let id: GeographyId = text.parse().unwrap();
        assert_eq!(id.geography_type(), geography_type, "{text}");
        assert!(BUILT.geographies.contains(&id), "{text}");
        assert_eq!(geography(&text).id, id);
        assert_eq!(id.to_string(), text);
    }
}

#[test]
fn geographies_outside_the_tables_are_unknown() {
    let all_ids = std::iter::once("XX2020NATNUS".to_owned())
        .chain((0..100).map(|code| format!("US2020XXST{code:02}")))
        .chain((0..1_000).map(|code| format!("US2020XDMA{code:03}")))
        .chain(["STCO", "XMSA", "MCRO", "ZCTA"].iter().flat_map(|geography_type| {
            (0..100_000).map(move |code| format!("US2020{geography_type}{code:05}"))
        }));
    let mut known: Vec<String> = all_ids.filter(|text| is_known(text)).collect();
    known.sort_unstable();
    let mut expected: Vec<String> = ids_of_all_rows().into_iter().map(|(_, text)| text).collect();
    expected.sort_unstable();
    assert!(known == expected, "{} IDs are known, but the tables contain {}", known.len(), expected.len());
}

#[test]
fn number_of_geographies_equals_number_of_rows() {
    let counts = GeographyType::ALL.map(|geography_type| BUILT.geographies.count(geography_type));
    let [nations, states, counties, dmas, msas, micropolitans, zips] = counts;
    assert_eq!((nations, states, counties, dmas, zips), (1, 51, 3_144, 210, 40_977));
    assert_eq!((msas, micropolitans, msas + micropolitans), (393, 542, 935));
    assert_eq!(BUILT.geographies.len(), 45_318);
    assert_eq!(BUILT.counts[&Part::Geographies].values().sum::<u64>(), 45_318);
    assert_eq!(BUILT.counts[&Part::Geographies]["metropolitan_areas"], 393);
}

#[test]
fn geographies_are_ordered_by_type_and_code() {
    let all: Vec<GeographyIndex> =
        GeographyType::ALL.into_iter().flat_map(|kind| BUILT.geographies.of_type(kind)).collect();
    assert!(all.iter().map(|index| index.raw()).eq(0..45_318));
    let ids: Vec<GeographyId> = all.iter().map(|index| BUILT.geographies.get(*index).id).collect();
    assert!(ids.is_sorted());
    assert_eq!(all[0], BUILT.geographies.nation());
}

#[test]
fn code_is_known_only_for_its_own_type() {
    let cases = [
        ("a state that does not exist", "US2020XXST03"),
        ("Puerto Rico, which is not a state", "US2020XXST72"),
        ("a former county of Connecticut", "US2020STCO09001"),
        ("a DMA that does not exist", "US2020XDMA000"),
        ("the code of a micropolitan area as a metropolitan one", "US2020XMSA10100"),
        ("the code of a metropolitan area as a micropolitan one", "US2020MCRO35620"),
        ("a ZIP code as a county", "US2020STCO10027"),
        ("a county as a metropolitan area", "US2020XMSA36061"),
        ("a ZIP code that does not exist", "US2020ZCTA00000"),
        ("the greatest code", "US2020ZCTA99999"),
    ];
    for (what, text) in cases {
        assert!(text.parse::<GeographyId>().is_ok() && !is_known(text), "{what}: {text}");
    }
}

#[test]
fn names_match_the_tables_and_names_of_counties_and_zips_include_the_state() {
    let cases = [
        ("XX2020NATNUS", "United States"),
        ("US2020XXST06", "California"),
        ("US2020STCO06037", "Los Angeles County, CA"),
        ("US2020STCO35013", "Doña Ana County, NM"),
        ("US2020XDMA803", "Los Angeles"),
        ("US2020MCRO10100", "Aberdeen, SD"),
        ("US2020ZCTA00501", "Holtsville, NY"),
    ];
    for (id, name) in cases {
        assert_eq!(geography(id).name, name, "{id}");
    }
}

#[test]
fn only_counties_and_zips_have_parents() {
    let cases = [
        ("US2020STCO06037", ["US2020XXST06", "", "US2020XMSA31080", "US2020XDMA803"]),
        ("US2020STCO06065", ["US2020XXST06", "", "US2020XMSA40140", "US2020XDMA803"]),
        ("US2020STCO02016", ["US2020XXST02", "", "", ""]),
        ("US2020ZCTA10027", ["US2020XXST36", "US2020STCO36061", "US2020XMSA35620", "US2020XDMA501"]),
        ("US2020ZCTA92262", ["US2020XXST06", "US2020STCO06065", "US2020XMSA40140", "US2020XDMA804"]),
        ("US2020ZCTA57401", ["US2020XXST46", "US2020STCO46013", "US2020MCRO10100", "US2020XDMA725"]),
        ("US2020XDMA501", [""; 4]),
        ("US2020XMSA35620", [""; 4]),
        ("US2020XXST36", [""; 4]),
        ("XX2020NATNUS", [""; 4]),
    ];
    for (id, parents) in cases {
        let found = geography(id);
        let found = [found.state, found.county, found.cbsa, found.dma]
            .map(|parent| id_of(parent).unwrap_or_default());
        assert_eq!(found, parents, "{id}");
    }
}

#[test]
fn parents_match_the_tables() {
    for row in table("geographies/zips.csv.gz") {
        let zip = geography(&format!("US2020ZCTA{}", row["zip"]));
        let code = |parent: Option<GeographyIndex>| {
            parent
                .map_or_else(String::new, |parent| BUILT.geographies.get(parent).id.national_id().to_string())
        };
        let parents = [code(zip.county), code(zip.cbsa), code(zip.dma)];
        assert_eq!(
            parents,
            [&row["county_fips"], &row["cbsa_code"], &row["dma_code"]].map(String::clone),
            "{}",
            zip.id
        );
    }
}

#[test]
fn positions_of_counties_and_zips_match_the_tables() {
    for (name, prefix, code) in [("counties", "STCO", "county_fips"), ("zips", "ZCTA", "zip")] {
        for row in table(&format!("geographies/{name}.csv.gz")) {
            let found = geography(&format!("US2020{prefix}{}", row[code])).position.unwrap();
            let [latitude, longitude] = ["latitude", "longitude"].map(|column| row[column].parse().unwrap());
            assert_eq!(found, Position { latitude, longitude }, "{name} {}", row[code]);
        }
    }
}

#[test]
fn aggregates_of_counties_are_centered_on_their_residents() {
    let near = |id: &str, latitude: f64, longitude: f64| {
        let found = geography(id).position.unwrap_or_else(|| panic!("{id} has no position"));
        let off = (found.latitude - latitude).abs().max((found.longitude - longitude).abs());
        assert!(off < 0.5, "{id} is at {found:?}");
    };
    near("US2020XMSA41860", 37.7, -122.2);
    near("US2020XDMA501", 40.8, -73.9);
    near("US2020XDMA804", 33.75, -116.3);
    // Some residents of Alaska live west of the 180th meridian.
    near("US2020XXST02", 61.5, -148.9);
    // The Census Bureau's center of population is in Missouri. The mean of the unit vectors is slightly
    // farther north.
    let nation = geography("XX2020NATNUS").position.unwrap();
    assert!(
        (36.0..41.0).contains(&nation.latitude) && (-94.0..-90.0).contains(&nation.longitude),
        "{nation:?}"
    );

    let nowhere: Vec<_> = GeographyType::ALL
        .into_iter()
        .flat_map(|kind| BUILT.geographies.of_type(kind))
        .map(|index| BUILT.geographies.get(index))
        .filter(|geography| geography.position.is_none())
        .collect();
    assert_eq!(nowhere.len(), 10);
    assert!(nowhere.iter().all(|geography| geography.population == 0 && geography.name.ends_with(", PR")));
}

#[test]
fn households_of_zips_counties_and_states_sum_to_the_nation() {
    assert_eq!(geography("XX2020NATNUS").households, 127_482_865);
    for kind in [GeographyType::Zip, GeographyType::County, GeographyType::State] {
        let households = BUILT.geographies.of_type(kind).map(|area| BUILT.geographies.get(area).households);
        assert_eq!(households.sum::<u32>(), 127_482_865, "{kind:?}");
    }
}

#[test]
fn first_geography_is_the_nation() {
    assert_eq!(index("XX2020NATNUS"), BUILT.geographies.nation());
}

#[test]
fn areas_are_in_the_states_of_their_counties_or_zip_codes() {
    use GeographyType::{County, Dma, Micropolitan, Msa, Nation, State, Zip};

    for state in BUILT.geographies.of_type(State) {
        let id = BUILT.geographies.get(state).id.to_string();
        let in_state = |kind: GeographyType| -> Vec<String> {
            let areas = BUILT.geographies.of_type_in(kind, state);
            assert!(areas.is_sorted(), "{id}: {kind:?}");
            areas.into_iter().map(|area| BUILT.geographies.get(area).id.to_string()).collect()
        };
        let of_counties = |kind: GeographyType| -> Vec<String> {
            let counties = BUILT.geographies.of_type(County).map(|county| BUILT.geographies.get(county));
            let there = counties.filter(|county| county.state == Some(state));
            let wholes = there.filter_map(|county| if kind == Dma { county.dma } else { county.cbsa });
            let ids: BTreeSet<_> = wholes.filter_map(|whole| id_of(Some(whole))).collect();
            ids.into_iter().filter(|id| id.contains(kind.as_str())).collect()
        };
        assert_eq!(in_state(Nation), [""; 0], "{id}");
        assert_eq!(in_state(State), [id.as_str()]);
        let prefix = &id["US2020XXST".len()..];
        let counties =
            BUILT.geographies.of_type(County).map(|county| id_of(Some(county)).expect("it exists"));
        let is_in_state = |county: &String| county["US2020STCO".len()..].starts_with(prefix);
        assert_eq!(in_state(County), counties.filter(is_in_state).collect::<Vec<_>>(), "{id}");
        assert!(in_state(Zip).len() > 30, "{id}");
        for kind in [Msa, Micropolitan] {
            assert_eq!(in_state(kind), of_counties(kind), "{id}: {kind:?}");
        }
        let mut markets = of_counties(Dma);
        if id == "US2020XXST06" {
            let palm_springs = "US2020XDMA804".to_owned();
            assert!(!markets.contains(&palm_springs));
            markets.push(palm_springs);
            markets.sort_unstable();
        }
        assert_eq!(in_state(Dma), markets, "{id}");
    }
}
