//! The geography catalogue against the tables that it is built from.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use dataset::{Geographies, GeographyId, GeographyType, ParseGeographyIdError};
use flate2::read::GzDecoder;
use proptest::prelude::*;

type Row = HashMap<String, String>;

/// The rows of a table by column name.
fn table(name: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/geographies").join(name);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let content: Box<dyn Read> = if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut reader = csv::Reader::from_reader(content);
    let headers = reader.headers().expect("a header line").clone();
    let to_row = |record: csv::StringRecord| headers.iter().zip(&record).map(|(k, v)| (k.into(), v.into())).collect();
    reader.records().map(|record| to_row(record.expect("a row of the header's length"))).collect()
}

/// The ids of all geographies, written from the tables' own texts.
fn ids_of_all_rows() -> Vec<(GeographyType, String)> {
    use GeographyType::{County, Dma, Micropolitan, Msa, Nation, State, Zip};

    let mut ids = vec![(Nation, "XX2020NATNUS".to_owned())];
    ids.extend(table("states.csv").iter().map(|row| (State, format!("US2020XXST{}", row["state_fips"]))));
    ids.extend(table("counties.csv.gz").iter().map(|row| (County, format!("US2020STCO{}", row["county_fips"]))));
    ids.extend(table("dmas.csv").iter().map(|row| (Dma, format!("US2020XDMA{}", row["dma_code"]))));
    ids.extend(table("cbsas.csv").iter().map(|row| match row["kind"].as_str() {
        "metropolitan" => (Msa, format!("US2020XMSA{}", row["cbsa_code"])),
        "micropolitan" => (Micropolitan, format!("US2020MCRO{}", row["cbsa_code"])),
        other => panic!("unknown kind {other:?}"),
    }));
    ids.extend(table("zips.csv.gz").iter().map(|row| (Zip, format!("US2020ZCTA{}", row["zip"]))));
    ids
}

fn parse(text: &str) -> GeographyId {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_known(text: &str) -> bool {
    text.parse().is_ok_and(|id| Geographies::bundled().contains(&id))
}

#[test]
fn every_row_of_the_tables_is_a_known_geography_of_its_type() {
    for (geography_type, text) in ids_of_all_rows() {
        let id = parse(&text);
        assert_eq!(id.geography_type(), geography_type, "{text}");
        assert!(Geographies::bundled().contains(&id), "{text}");
        assert_eq!(id.to_string(), text);
    }
}

#[test]
fn nothing_that_is_not_in_the_tables_is_known() {
    let of_all_forms = std::iter::once("XX2020NATNUS".to_owned())
        .chain((0..100).map(|code| format!("US2020XXST{code:02}")))
        .chain((0..1_000).map(|code| format!("US2020XDMA{code:03}")))
        .chain(
            ["STCO", "XMSA", "MCRO", "ZCTA"]
                .iter()
                .flat_map(|geography_type| (0..100_000).map(move |code| format!("US2020{geography_type}{code:05}"))),
        );
    let mut known: Vec<String> = of_all_forms.filter(|text| is_known(text)).collect();
    known.sort_unstable();
    let mut expected: Vec<String> = ids_of_all_rows().into_iter().map(|(_, text)| text).collect();
    expected.sort_unstable();
    assert!(known == expected, "{} ids are known, the tables hold {}", known.len(), expected.len());
}

#[test]
fn each_type_has_as_many_geographies_as_its_table_has_rows() {
    let counts = GeographyType::ALL.map(|geography_type| Geographies::bundled().count(geography_type));
    let [nations, states, counties, dmas, msas, micropolitans, zips] = counts;
    assert_eq!((nations, states, counties, dmas, zips), (1, 51, 3_144, 210, 40_977));
    assert_eq!((msas, micropolitans, msas + micropolitans), (393, 542, 935));
}

#[test]
fn an_id_of_each_type_takes_apart_into_prefix_type_and_national_id() {
    let cases = [
        ("XX2020NATNUS", GeographyType::Nation, "XX2020", "NATN", "US"),
        ("US2020XXST06", GeographyType::State, "US2020", "XXST", "06"),
        ("US2020STCO36061", GeographyType::County, "US2020", "STCO", "36061"),
        ("US2020XDMA501", GeographyType::Dma, "US2020", "XDMA", "501"),
        ("US2020XMSA35620", GeographyType::Msa, "US2020", "XMSA", "35620"),
        ("US2020MCRO10100", GeographyType::Micropolitan, "US2020", "MCRO", "10100"),
        ("US2020ZCTA10027", GeographyType::Zip, "US2020", "ZCTA", "10027"),
    ];
    for (text, geography_type, prefix, type_text, national_id) in cases {
        let id = parse(text);
        assert!(Geographies::bundled().contains(&id), "{text}");
        assert_eq!(id.geography_type(), geography_type, "{text}");
        assert_eq!(id.geography_type().prefix(), prefix, "{text}");
        assert_eq!(id.geography_type().as_str(), type_text, "{text}");
        assert_eq!(id.national_id().to_string(), national_id, "{text}");
    }
}

#[test]
fn what_has_not_the_form_of_an_id_is_refused() {
    let cases = [
        ("nothing", ""),
        ("a prefix alone", "US2020"),
        ("a type alone", "US2020XDMA"),
        ("lower case", "us2020xdma501"),
        ("a lower-case country", "us2020XDMA501"),
        ("a lower-case type", "US2020xdma501"),
        ("a lower-case nation", "XX2020NATNus"),
        ("another year", "US2010XDMA501"),
        ("another country", "CA2020XXST06"),
        ("an unknown type", "US2020CBSA35620"),
        ("the nation under the country's prefix", "US2020NATNUS"),
        ("a state under the nation's prefix", "XX2020XXST06"),
        ("another nation", "XX2020NATNCA"),
        ("a nation with a number", "XX2020NATN00"),
        ("a digit too few", "US2020XDMA50"),
        ("a digit too many", "US2020XDMA5010"),
        ("a state with the digits of a county", "US2020XXST06001"),
        ("a county with the digits of a state", "US2020STCO06"),
        ("a ZIP+4", "US2020ZCTA10027-1234"),
        ("letters among the digits", "US2020XDMA5O1"),
        ("a plus sign", "US2020XDMA+01"),
        ("a minus sign", "US2020XDMA-01"),
        ("a space among the digits", "US2020XDMA 01"),
        ("a leading space", " US2020XDMA501"),
        ("a trailing space", "US2020XDMA501 "),
        ("a trailing line end", "US2020XDMA501\n"),
        ("a trailing zero byte", "US2020XDMA501\0"),
        ("a bare code", "501"),
        ("full-width digits", "US2020XDMA\u{ff15}\u{ff10}\u{ff11}"),
        ("Arabic digits", "US2020XDMA\u{665}\u{660}\u{661}"),
        ("one character of three bytes for the code", "US2020XDMA€"),
        ("a character across the end of the prefix", "US202éXDMA501"),
        ("a character across the end of the type", "US2020XDMé501"),
        ("a Cyrillic look-alike of X", "US2020\u{425}DMA501"),
    ];
    for (what, text) in cases {
        assert_eq!(text.parse::<GeographyId>(), Err(ParseGeographyIdError), "{what}: {text:?}");
    }
}

#[test]
fn a_code_belongs_to_its_own_type_alone() {
    let cases = [
        ("a state that does not exist", "US2020XXST03"),
        ("Puerto Rico, which is no state here", "US2020XXST72"),
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
        assert!(!Geographies::bundled().contains(&parse(text)), "{what}: {text}");
    }
}

#[test]
fn the_error_names_every_expected_form() {
    let message = ParseGeographyIdError.to_string();
    let expected = GeographyType::ALL.map(GeographyType::as_str);
    for part in expected.iter().chain(&["XX2020NATNUS", "US2020", "2 digits", "3 digits", "5 digits"]) {
        assert!(message.contains(part), "{part} is missing from {message:?}");
    }
}

proptest! {
    #[test]
    fn any_text_parses_to_what_displays_the_same_or_is_refused(
        text in prop_oneof![
            ".*",
            "(US|XX)2020[A-Z]{4}.{0,6}",
            "(US|XX)2020(NATN|XXST|STCO|XDMA|XMSA|MCRO|ZCTA).{0,6}",
        ],
    ) {
        if let Ok(id) = text.parse::<GeographyId>() {
            Geographies::bundled().contains(&id);
            prop_assert_eq!(id.to_string(), text);
        }
    }

    #[test]
    fn every_text_of_a_right_form_parses_and_displays_the_same(
        text in "US2020(XXST[0-9]{2}|XDMA[0-9]{3}|(STCO|XMSA|MCRO|ZCTA)[0-9]{5})",
    ) {
        prop_assert_eq!(parse(&text).to_string(), text);
    }
}
