//! The portal's table of counties by market, which it uses to merge county shapes into market shapes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use dataset::{Geographies, GeographyType};
use harness::{root, sample_release};

#[test]
fn portals_county_table_matches_the_release() {
    let geographies = Geographies::open(sample_release()).expect("the sample has geographies");
    let national_id = |area| geographies.get(area).id.national_id().to_string();
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for county in geographies.of_type(GeographyType::County) {
        if let Some(market) = geographies.get(county).dma {
            expected.entry(national_id(market)).or_default().insert(national_id(county));
        }
    }
    let file = root().join("functions/portal/web/map/county-markets.json");
    let text = fs::read_to_string(file).expect("the portal's table is readable");
    let written: BTreeMap<String, BTreeSet<String>> =
        serde_json::from_str(&text).expect("the table has sets of codes");
    assert_eq!(written, expected, "run scripts/county-markets");
}
