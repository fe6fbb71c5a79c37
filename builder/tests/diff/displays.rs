//! Tests differences between displays.

use builder::diff::{Change, Kind, Row};
use dataset::RecordSource;
use serde_json::{Value, json};

use crate::release::{Release, changed, only, source, with_ids};

pub(crate) fn display(id: u32) -> Value {
    json!({
        "spot_id": id,
        "digital": true,
        "media_name": format!("Unit {id}"),
        "media_type": { "name": "Bulletin" },
        "location": {
            "state": "NY",
            "geometry": { "type": "Point", "coordinates": [-73.98, 40.75] },
            "geo_point": "40.75,-73.98",
        },
        "layouts": [{ "faces": [{ "width": 576, "height": 168, "spots": [{
            "id": id,
            "measures": [{ "modelled": "20261001" }],
        }] }] }],
        "representations": [[{ "account": { "name": "Example Outdoor" } }]],
    })
}

pub(crate) fn october() -> RecordSource {
    source("Example Outdoor", "2026-10-01")
}

pub(crate) fn release(displays: impl IntoIterator<Item = (Value, RecordSource)>) -> Release {
    Release { displays: displays.into_iter().collect(), ..Release::default() }
}

#[test]
fn identical_releases_do_not_differ() {
    let one = release([(display(1), october())]);
    let difference = one.compare(&one.clone());
    assert!(difference.is_empty() && difference.by_source().next().is_none(), "{difference:?}");
    let empty = Release::default();
    assert!(empty.compare(&empty.clone()).is_empty());
}

#[test]
fn added_and_removed_displays_are_counted_by_source() {
    let other = source("Other Outdoor", "2026-10-01");
    let old = release([(display(1), october()), (display(2), october()), (display(3), other.clone())]);
    let new = release([(display(2), october()), (display(3), other.clone()), (display(4), other)]);
    let difference = old.compare(&new);
    let counts: Vec<_> = difference
        .by_source()
        .map(|one| (one.name.as_str(), one.before, one.after, one.added, one.changed, one.removed))
        .collect();
    assert_eq!(counts, [("Example Outdoor", 2, 1, 0, 0, 1), ("Other Outdoor", 1, 2, 1, 0, 0)]);
    let row = |id, change| Row { kind: Kind::Displays, id, name: format!("Unit {id}"), change };
    assert_eq!(difference.rows(), [row(1, Change::Removed), row(4, Change::Added)]);
}

#[test]
fn changed_displays_list_their_members() {
    let cases: [(&str, Value, &[&str]); 9] = [
        ("/digital", json!(false), &["digital"]),
        ("/media_name", json!("Unit one"), &["media_name"]),
        ("/media_name", Value::Null, &["media_name"]),
        ("/media_type/name", json!("Poster"), &["media_type"]),
        ("/location/state", json!("NJ"), &["location.state"]),
        ("/location/geo_point", json!("40.750,-73.980"), &["location.geo_point"]),
        ("/layouts/0/faces/0/width", json!(288), &["layouts"]),
        ("/layouts/0/faces/0/spots/0/measures/0/modelled", json!("20261101"), &["layouts"]),
        ("/representations/0/0/account/name", json!("Other Outdoor"), &["representations"]),
    ];
    let old = release([(display(1), october())]);
    for (pointer, value, members) in cases {
        let mut altered = display(1);
        *altered.pointer_mut(pointer).expect("a member") = value;
        let difference = old.compare(&release([(altered, october())]));
        assert_eq!(changed(&difference, Kind::Displays), (members.to_vec(), None), "{pointer}");
    }
    let mut altered = display(1);
    altered["digital"] = json!(false);
    altered["location"]["zip_code"] = json!("10001");
    altered["place"] = json!({ "place_id": "7" });
    let difference = old.compare(&release([(altered, october())]));
    assert_eq!(changed(&difference, Kind::Displays).0, ["digital", "location.zip_code", "place"]);
}

#[test]
fn displays_that_moved_by_more_than_a_kilometer_count_as_moved() {
    let moved_to = |latitude: f64| {
        let mut moved = display(1);
        moved["location"]["geometry"]["coordinates"] = json!([-73.98, latitude]);
        moved["location"]["geo_point"] = json!(format!("{latitude},-73.98"));
        let difference = release([(display(1), october())]).compare(&release([(moved, october())]));
        changed(&difference, Kind::Displays)
    };
    assert_eq!(moved_to(40.755), (vec!["location.geometry"], None));
    let (members, distance) = moved_to(40.76);
    assert_eq!(members, ["location.geometry"]);
    assert!(distance.is_some_and(|distance| (1.11..1.12).contains(&distance)), "{distance:?}");
}

#[test]
fn new_vintage_and_new_name_of_a_source_are_not_changes() {
    let november = source("Example Outdoor, Inc.", "2026-11-01");
    let old = Release {
        sources: vec![with_ids(&october(), "example")],
        ..release([(display(1), october()), (display(2), october())])
    };
    let mut dated = display(1);
    dated["layouts"][0]["faces"][0]["spots"][0]["measures"][0]["modelled"] = json!("20261101");
    let mut altered = display(2);
    altered["digital"] = json!(false);
    let new = Release {
        sources: vec![with_ids(&november, "example")],
        ..release([(dated, november.clone()), (altered, november)])
    };
    let difference = old.compare(&new);
    let one = only(&difference);
    assert_eq!(
        (one.key.as_str(), one.to_string()),
        ("example", "Example Outdoor, Inc. (example)".to_owned())
    );
    assert_eq!((one.before, one.after, one.new_vintage, one.changed), (2, 2, 1, 1));
    assert_eq!(changed(&difference, Kind::Displays).0, ["digital"]);
    assert!(!difference.is_empty());
}

#[test]
fn source_that_gets_a_namespace_is_the_same_source() {
    let old = release([(display(1), october()), (display(2), october())]);
    let new = Release {
        sources: vec![with_ids(&october(), "example")],
        ..release([(display(1), october()), (display(3), october())])
    };
    for (old, new, key) in [(&old, &new, "example"), (&new, &old, "Example Outdoor")] {
        let difference = old.compare(new);
        let one = only(&difference);
        assert_eq!((one.key.as_str(), one.before, one.after), (key, 2, 2));
        assert_eq!((one.added, one.changed, one.removed), (1, 0, 1));
    }
}

#[test]
fn display_that_changes_its_source_is_changed_in_the_new_source() {
    let old = release([(display(1), october())]);
    let difference = old.compare(&release([(display(1), source("Other Outdoor", "2026-10-01"))]));
    let [before, after] = difference.by_source().collect::<Vec<_>>()[..] else { panic!("{difference:?}") };
    assert_eq!((before.name.as_str(), before.before, before.after), ("Example Outdoor", 1, 0));
    assert_eq!((before.removed, before.changed), (0, 0));
    assert_eq!((after.name.as_str(), after.before, after.after), ("Other Outdoor", 0, 1));
    assert_eq!((after.added, after.changed, after.members["source"]), (0, 1, 1));
}

#[test]
fn tens_of_thousands_of_displays_match_by_id() {
    let ids = 1..=25_000_u32;
    let old = release(ids.clone().filter(|id| !id.is_multiple_of(7)).map(|id| (display(id), october())));
    let altered = |id: u32| {
        let mut display = display(id);
        if id.is_multiple_of(5) {
            display["digital"] = json!(false);
        }
        display
    };
    let new = release(ids.clone().filter(|id| !id.is_multiple_of(11)).map(|id| (altered(id), october())));
    let expected = |id: u32| match (!id.is_multiple_of(7), !id.is_multiple_of(11)) {
        (true, false) => Some(Change::Removed),
        (false, true) => Some(Change::Added),
        (true, true) if id.is_multiple_of(5) => {
            Some(Change::Changed { members: vec!["digital"], moved_km: None })
        }
        _ => None,
    };
    let expected = ids.filter_map(|id| Some((u64::from(id), expected(id)?)));
    let difference = old.compare(&new);
    assert!(difference.rows().iter().map(|row| (row.id, row.change.clone())).eq(expected));
    let one = only(&difference);
    let count = |is_counted: fn(&Change) -> bool| {
        difference.rows().iter().filter(|row| is_counted(&row.change)).count() as u64
    };
    assert_eq!(one.added, count(|change| *change == Change::Added));
    assert_eq!(one.removed, count(|change| *change == Change::Removed));
    assert_eq!(one.added + one.changed + one.removed, difference.rows().len() as u64);
}
