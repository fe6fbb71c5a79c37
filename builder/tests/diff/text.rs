//! Tests the text format of differences.

use serde_json::json;

use crate::displays::{display, october, release};
use crate::release::{Release, source, with_ids};

#[test]
fn text_has_totals_sources_and_members() {
    let november = source("Example Outdoor", "2026-11-01");
    let old = Release {
        sources: vec![with_ids(&october(), "example")],
        ..release((1..=5).map(|id| (display(id), october())))
    };
    let mut moved = display(2);
    moved["location"]["geometry"]["coordinates"] = json!([-73.98, 40.76]);
    moved["digital"] = json!(false);
    let mut unnamed = display(7);
    unnamed.as_object_mut().expect("an object").remove("media_name");
    let mut new =
        release([moved, display(3), display(4), display(6), unnamed].map(|one| (one, november.clone())));
    new.sources = vec![with_ids(&november, "example")];
    new.displays[2].1 = source("Other Outdoor", "2026-11-01");
    new.geographies.truncate(2);
    let difference = old.compare(&new);
    let expected = "\
2 displays added, 2 changed, 2 removed
  Example Outdoor (example): 2 added, 1 changed, 2 removed; 5 before, 4 after
    1 moved by more than 1 km
    digital: 1 changed
    location.geometry: 1 changed
    1 unchanged, except for a new vintage
  Other Outdoor: 0 added, 1 changed, 0 removed; 0 before, 1 after
    source: 1 changed
geographies differ
cohort populations differ";
    assert_eq!(difference.to_string(), expected);
    let rows: Vec<_> = difference.rows().iter().map(ToString::to_string).collect();
    let expected = [
        "- 1 Unit 1",
        "~ 2 digital, location.geometry (1.1 km)",
        "~ 4 source",
        "- 5 Unit 5",
        "+ 6 Unit 6",
        "+ 7",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn equal_releases_have_no_differences() {
    let one = release([(display(1), october())]);
    assert_eq!(one.compare(&one.clone()).to_string(), "no differences");
    let empty = Release::default();
    let added = empty.compare(&one).to_string();
    assert!(added.starts_with("1 display added, 0 changed, 0 removed\n"), "{added}");
}
