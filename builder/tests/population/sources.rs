//! Tests the errors for invalid source tables.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use builder::sample;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::built::{data, empty_folder};

const STATES: &str = "geographies/states.csv";
const COUNTIES: &str = "geographies/counties.csv.gz";
const CBSAS: &str = "geographies/cbsas.csv";
const DMAS: &str = "geographies/dmas.csv";
const ZIPS: &str = "geographies/zips.csv.gz";
const AGES: &str = "segments/county_age_sex.csv.gz";
const OVERLAPS: &str = "geographies/zip_counties.csv.gz";
const DEMOGRAPHICS: &str = "segments/zip_demographics.csv.gz";
const INCOMES: &str = "segments/county_household_income.csv.gz";

fn text_of(table: &str) -> String {
    let mut text = String::new();
    let mut file = File::open(data().join(table)).expect("valid table");
    if table.ends_with(".gz") {
        GzDecoder::new(file).read_to_string(&mut text).expect("valid table");
    } else {
        file.read_to_string(&mut text).expect("valid table");
    }
    text
}

fn write_text(path: &Path, text: &str) {
    let mut file = File::create(path).expect("can create the file");
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut encoder = GzEncoder::new(file, Compression::fast());
        encoder.write_all(text.as_bytes()).expect("can write the table");
        encoder.finish().expect("can write the table");
    } else {
        file.write_all(text.as_bytes()).expect("can write the table");
    }
}

/// Changes one of the project's tables and returns the error from building with it. Tests run concurrently,
/// so `test` must be a unique folder name.
fn build_error(test: &str, table: &str, change: impl FnOnce(&str) -> String) -> String {
    let folder = empty_folder(test);
    for other in [STATES, COUNTIES, CBSAS, DMAS, ZIPS, OVERLAPS, AGES, DEMOGRAPHICS, INCOMES] {
        fs::create_dir_all(folder.join(other).parent().expect("a table is in a folder")).expect("a folder");
        fs::copy(data().join(other), folder.join(other)).expect("can copy the table");
    }
    let before = text_of(table);
    let after = change(&before);
    assert_ne!(before, after, "{table} is unchanged");
    fs::remove_file(folder.join(table)).expect("can remove the link");
    write_text(&folder.join(table), &after);
    let out = empty_folder(&format!("{test}-out"));
    let built = sample::population::write(&folder, &out, &|_, _, _| ());
    built.expect_err("the table is invalid").to_string()
}

/// Appends a copy of a line, given its 1-based number, to the text.
fn twice(text: &str, line: usize) -> String {
    let repeated = text.lines().nth(line - 1).expect("a line");
    format!("{text}{repeated}\n")
}

#[test]
fn invalid_row_is_reported_with_table_line_and_reason() {
    let cases = [
        (STATES, "\n01,AL", "\n1,AL", "states.csv line 2: state_fips \"1\" is not 2 digits"),
        (COUNTIES, "\n01003,", "\n0100x,", "counties.csv.gz line 3: county_fips \"0100x\" is not 5 digits"),
        (
            COUNTIES,
            "County,AL,32.48849",
            "County,ZZ,32.48849",
            "counties.csv.gz line 2: state \"ZZ\" is not in states.csv",
        ),
        (COUNTIES, "-86.48518", "-186.4", "counties.csv.gz line 2: longitude \"-186.4\" is not a number"),
        (COUNTIES, "32.48849", "NaN", "counties.csv.gz line 2: latitude \"NaN\" is not a number"),
        (
            COUNTIES,
            ",33860,698,",
            ",33869,698,",
            "counties.csv.gz line 2: cbsa_code 33869 is not in cbsas.csv",
        ),
        (COUNTIES, ",33860,698,", ",33860,999,", "counties.csv.gz line 2: dma_code 999 is not in dmas.csv"),
        (
            COUNTIES,
            ",61464\n",
            ",+61464\n",
            "counties.csv.gz line 2: population_2024 \"+61464\" is not a number",
        ),
        (COUNTIES, ",61464\n", ",4294967295\n", "counties.csv.gz: population_2024 sums to"),
        (CBSAS, "micropolitan", "nanopolitan", "cbsas.csv line 2: kind \"nanopolitan\" is neither"),
        (DMAS, "\n500,Portland-Auburn", "\n500,", "dmas.csv line 2: name is empty"),
        (DMAS, "dma_code,name", "dma,name", "dmas.csv: has no column dma_code"),
        (
            ZIPS,
            "\n00501,Holtsville,NY,36103",
            "\n00501,Holtsville,NY,36102",
            "zips.csv.gz line 2: county_fips 36102 is not in",
        ),
        (
            ZIPS,
            "\n00501,Holtsville,NY,36103",
            "\n00501,Holtsville,NY,",
            "zips.csv.gz line 2: county_fips is empty",
        ),
        (ZIPS, "\n00501,", "\n501,", "zips.csv.gz line 2: zip \"501\" is not 5 digits"),
        (
            AGES,
            "\n01001,1877,",
            "\n01001,1878,",
            "county_age_sex.csv.gz line 2: the counts by sex and age sum to 61465, but the population in \
             counties.csv.gz is 61464",
        ),
        (
            AGES,
            "\n01001,",
            "\n01002,",
            "county_age_sex.csv.gz line 2: county_fips 01002 is not in counties.csv.gz",
        ),
        (
            AGES,
            ",59285,2188\n",
            ",59285,59286\n",
            "county_age_sex.csv.gz line 2: survey_hispanic 59286 is more than survey_total, 59285",
        ),
        (AGES, "\n01001,1877,", "\n01001,x,", "county_age_sex.csv.gz line 2: m_0_4 \"x\" is not a number"),
        (
            OVERLAPS,
            "\n01001,25013,",
            "\n01000,25013,",
            "zip_counties.csv.gz line 2: zip 01000 is not in zips.csv.gz",
        ),
        (OVERLAPS, "\n01001,25013,", "\n01001,25013,-", "zip_counties.csv.gz line 2: sq_mi \"-"),
        (DEMOGRAPHICS, "\n01001,", "\n01001,-", "zip_demographics.csv.gz line 2: population \"-"),
        (
            INCOMES,
            "\n01001,22523,3.7",
            "\n01001,22523,5.7",
            "county_household_income.csv.gz line 2: the income brackets must add up to between 99 and 101 percent",
        ),
        (
            INCOMES,
            "\n01001,22523,3.7",
            "\n01001,22523,-3.7",
            "county_household_income.csv.gz line 2: pct_lt10 \"-3.7\" is not a percentage",
        ),
        (
            INCOMES,
            "\n01001,22523,",
            "\n01001,,",
            "county_household_income.csv.gz line 2: households \"\" is not a number",
        ),
    ];
    for (table, from, to, expected) in cases {
        let error = build_error("wrong-row", table, |text| text.replacen(from, to, 1));
        assert!(error.starts_with(expected), "{error}\ndoes not start with\n{expected}");
    }
}

#[test]
fn duplicate_row_is_reported() {
    let cases = [
        (STATES, "states.csv line 53: state_fips 01 occurs twice"),
        (COUNTIES, "counties.csv.gz line 3146: county_fips 01001 occurs twice"),
        (CBSAS, "cbsas.csv line 937: cbsa_code 10100 occurs twice"),
        (DMAS, "dmas.csv line 212: dma_code 500 occurs twice"),
        (ZIPS, "zips.csv.gz line 40979: zip 00501 occurs twice"),
        (AGES, "county_age_sex.csv.gz line 3146: county_fips 01001 occurs twice"),
        (OVERLAPS, "zip_counties.csv.gz line 46045: zip 01001 occurs twice"),
        (DEMOGRAPHICS, "zip_demographics.csv.gz line 33644: zip 01001 occurs twice"),
        (INCOMES, "county_household_income.csv.gz line 3146: county_fips 01001 occurs twice"),
    ];
    for (table, expected) in cases {
        assert_eq!(build_error("repeated-row", table, |text| twice(text, 2)), expected);
    }
}

#[test]
fn county_missing_from_a_demographics_table_is_reported() {
    for (table, name) in [(AGES, "county_age_sex.csv.gz"), (INCOMES, "county_household_income.csv.gz")] {
        let without = |text: &str| {
            let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("01003,")).collect();
            format!("{}\n", kept.join("\n"))
        };
        assert_eq!(
            build_error("missing-county", table, without),
            format!("{name}: has no row for county 01003")
        );
    }
}

#[test]
fn county_without_an_inhabited_zip_code_is_reported() {
    let empty = |text: &str| {
        let uninhabited = |line: &str| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if cells[1] != "population" {
                cells[1] = "0";
            }
            cells.join(",")
        };
        text.lines().map(|line| uninhabited(line) + "\n").collect()
    };
    assert_eq!(
        build_error("empty-county", DEMOGRAPHICS, empty),
        "zip_counties.csv.gz: no inhabited ZIP code overlaps county 01001"
    );
}

#[test]
fn zip_code_that_does_not_overlap_its_county_is_reported() {
    let error = build_error("elsewhere", ZIPS, |text| text.replacen(",MA,25013,", ",MA,25011,", 1));
    assert_eq!(error, "zip_counties.csv.gz: has no row for ZIP code 01001 and its county in zips.csv.gz");
}

#[test]
fn row_with_too_few_cells_is_reported_with_its_line() {
    let error = build_error("short-row", DMAS, |text| text.replacen(",389530", "", 1));
    assert!(error.starts_with("dmas.csv: ") && error.contains("line: 2"), "{error}");
}

#[test]
fn missing_table_is_reported() {
    let out = empty_folder("from-nothing");
    let error = sample::population::write(&out, &out, &|_, _, _| ()).unwrap_err().to_string();
    assert!(error.starts_with("states.csv: "), "{error}");
}
