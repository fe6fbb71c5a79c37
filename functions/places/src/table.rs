//! The columns and map features of a place search's results, for CSV and GeoJSON responses.
use gateway::{Feature, PointMembers, Table};
use strum::VariantNames;

use crate::fields::PlaceField;

pub(crate) static TABLE: Table = Table {
    name: "places",
    rows: "data.results",
    total: Some("data.pagination.total_results"),
    columns: || PlaceField::VARIANTS.to_vec(),
    feature: Some(Feature {
        id: "place_id",
        point: PointMembers::Each { longitude: "location.lon", latitude: "location.lat" },
        position: &["location"],
    }),
};
