//! Tests rows with a state, ZIP code, county, or DMA that contradicts their position.

use builder::columns::ColumnMap;
use builder::displays::{Flat, TARGETS};

use crate::displays::accepted;
use crate::file;

const CHICAGO: &str = "41.8858,-87.6231";
const PHILADELPHIA: &str = "39.9526,-75.1652";
const TIMES_SQUARE: &str = "40.7580,-73.9855";
const HOBOKEN: &str = "40.7440,-74.0324";
const PORTLAND: &str = "45.5152,-122.6784";

fn read(position: &str, columns: [&str; 2], cells: [&str; 2]) -> Flat {
    let header = format!("spot_id,latitude,longitude,{}", columns.join(","));
    let path = file("csv", format!("{header}\n7,{position},\"{}\"\n", cells.join("\",\"")));
    accepted(&path, &ColumnMap::own_names(&TARGETS)).remove(0)
}

/// Describes each contradiction by its member, the given and derived values, and which value is used.
fn contradictions(flat: &Flat) -> Vec<String> {
    let text = |one: &builder::location::Contradiction| {
        let used = if one.is_given_used { "given" } else { "derived" };
        format!("{}: {}, {}: {used}", one.member, one.given, one.derived.as_deref().unwrap_or("none"))
    };
    flat.contradictions.iter().map(text).collect()
}

/// Returns the given members of a record's location, separated by spaces.
fn location<const N: usize>(flat: &Flat, members: [&str; N]) -> String {
    let record = serde_json::to_value(&flat.record).expect("a record");
    members.map(|name| record["location"][name].as_str().unwrap_or_default().to_owned()).join(" ")
}

#[test]
fn contradictory_state_is_kept_unless_the_markets_would_be_in_another_one() {
    for (position, state, zip_code, contradiction, market) in [
        // Two of the three values agree.
        (CHICAGO, "NY", "60601", Some("state: NY, IL: derived"), "IL 60601 17031 602"),
        (PHILADELPHIA, "PA", "10036", Some("state: PA, NY: given"), "PA 10036 42101 504"),
        (PHILADELPHIA, "NY", "10036", Some("state: NY, PA: given"), "NY 10036 36061 501"),
        (PHILADELPHIA, "", "10036", Some("zip_code: 10036, 19102: given"), "NY 10036 36061 501"),
        // The first position is more than 200 km from the given state, and the second position is closer.
        (CHICAGO, "New York", "", Some("state: NY, IL: derived"), "IL 60601 17031 602"),
        (CHICAGO, "WI", "", Some("state: WI, IL: given"), "WI 60601 17031 602"),
        // At a border, the given state decides.
        (HOBOKEN, "NY", "", None, "NY 10014 36061 501"),
        (HOBOKEN, "NY", "07030", Some("state: NY, NJ: derived"), "NJ 07030 34017 501"),
    ] {
        let flat = read(position, ["state", "zip_code"], [state, zip_code]);
        assert_eq!(contradictions(&flat), Vec::from_iter(contradiction), "{position} {state} {zip_code}");
        assert_eq!(
            location(&flat, ["state", "zip_code", "county_id", "dma_id"]),
            market,
            "{state} {zip_code}"
        );
    }
}

#[test]
fn given_county_and_dma_are_used_if_they_are_known() {
    for (county, dma, contradiction, market) in [
        ("New York County", "501", None, "36061 501"),
        ("Kings, New York", "", Some("county: Kings, New York, New York County, NY: given"), "36047 501"),
        ("Gotham", "", Some("county: Gotham, New York County, NY: derived"), "36061 501"),
        ("", "Chicago, IL", Some("dma: Chicago, IL, New York: given"), "36061 602"),
    ] {
        let flat = read(TIMES_SQUARE, ["county", "dma"], [county, dma]);
        assert_eq!(contradictions(&flat), Vec::from_iter(contradiction), "{county} {dma}");
        assert_eq!(location(&flat, ["county_id", "dma_id"]), market, "{county} {dma}");
    }
}

#[test]
fn other_spellings_of_a_market_are_recognized() {
    for (position, spellings, others) in [
        (
            TIMES_SQUARE,
            &[
                "New York, NY",
                "NEW YORK NY",
                "New York-Newark",
                "New York, NY-NJ-CT",
                "New York (1)",
                "1. New York",
                "New York DMA",
                "New York, New York",
                "new york/newark/jersey city",
                "501 - New York",
            ][..],
            &["Newark", "York", "Los Angeles, CA", "New York Mills, MN"][..],
        ),
        (CHICAGO, &["Chicago, IL", "Chicago-Naperville-Elgin, IL-IN-WI", "Chicago Metro"], &["Chicago, TX"]),
        (PORTLAND, &["Portland", "Portland, Oregon", "Portland OR"], &["Portland, ME", "Portland-Auburn"]),
        (PHILADELPHIA, &["Philadelphia, PA", "Philadelphia PA-NJ"], &["Philadelphia, MS"]),
        ("32.7555,-97.3308", &["Dallas-Fort Worth, TX", "Dallas/Ft. Worth", "Dallas"], &["Fort Worth"]),
        ("37.2090,-93.2923", &["Springfield, MO", "Springfield"], &["Springfield, MA"]),
        ("38.9072,-77.0369", &["Washington, D.C.", "Washington DC (Hagerstown MD)"], &["Washington, NC"]),
        ("33.9137,-98.4934", &["Wichita Falls, TX"], &["Wichita, KS"]),
    ] {
        let is_contradiction =
            |dma: &&&str| !contradictions(&read(position, ["dma", "county"], [**dma, ""])).is_empty();
        assert_eq!(spellings.iter().filter(is_contradiction).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(
            others.iter().filter(is_contradiction).collect::<Vec<_>>(),
            others.iter().collect::<Vec<_>>()
        );
    }
}
