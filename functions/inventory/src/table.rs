//! The columns and map features of an inventory search's results, for CSV and GeoJSON responses.
use dataset::inventory::Field;
use gateway::{DISTANCE, Feature, MATURITY, PointMembers, Table};

use crate::body::INDEX;

pub(crate) static TABLE: Table = Table {
    name: "inventory",
    rows: "results",
    total: Some("total"),
    columns,
    feature: Some(Feature {
        id: "spot_id",
        point: PointMembers::Pair("location.geometry.coordinates"),
        position: &["location.geometry", "location.geo_point"],
    }),
};

/// Returns the columns: the fields of a record, with the distance and the index after the location, and the
/// maturity.
fn columns() -> Vec<&'static str> {
    let mut columns = Vec::new();
    for field in Field::ALL {
        columns.extend(field.first_of());
        if field == Field::Orientation {
            columns.extend([DISTANCE, INDEX]);
        }
    }
    columns.push(MATURITY);
    columns
}
