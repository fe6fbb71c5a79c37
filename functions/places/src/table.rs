//! The places that a search finds, as a table and on a map.

use shared::http::{Feature, PointMembers, Table};

pub(crate) static TABLE: Table = Table {
    name: "places",
    rows: "data.results",
    total: Some("data.pagination.total_results"),
    columns: &[
        "place_id",
        "place_name",
        "place_type_id",
        "place_type_name",
        "street_address",
        "city",
        "state",
        "zip_code",
        "dma_id",
        "dma_name",
        "county_id",
        "county_name",
        "cbsa_code",
        "cbsa_name",
        "location.lat",
        "location.lon",
        "weekly_visits",
        "distance",
    ],
    feature: Some(Feature {
        id: "place_id",
        point: PointMembers::Each { longitude: "location.lon", latitude: "location.lat" },
        position: &["location"],
    }),
};
