//! The spots that a search finds, as a table and on a map.
use dataset::inventory::Field;
use gateway::{DISTANCE, Feature, PointMembers, Table};

pub(crate) static TABLE: Table = Table {
    name: "inventory",
    rows: "results",
    total: Some("total"),
    columns: COLUMNS.0.split_at(COLUMNS.1).0,
    feature: Some(Feature {
        id: "spot_id",
        point: PointMembers::Pair("location.geometry.coordinates"),
        position: &["location.geometry", "location.geo_point"],
    }),
};

/// The members of a record and, behind its location, the distance; and how many they are.
static COLUMNS: ([&str; Field::ALL.len() + 1], usize) = {
    let (mut columns, mut count, mut at) = ([""; Field::ALL.len() + 1], 0, 0);
    while at < Field::ALL.len() {
        if let Some(member) = Field::ALL[at].first_of() {
            columns[count] = member;
            count += 1;
        }
        if matches!(Field::ALL[at], Field::Orientation) {
            columns[count] = DISTANCE;
            count += 1;
        }
        at += 1;
    }
    (columns, count)
};
