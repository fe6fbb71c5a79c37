//! Tests proposed column maps.

use std::path::Path;

use builder::columns::{ColumnMap, Schema, propose};
use builder::displays::SCHEMA;
use builder::places::SCHEMA as PLACES;
use builder::rows::Dialect;

use crate::displays::{accepted, rejected};
use crate::file;
use crate::matching::{data, industry};

/// Returns the proposed map for a file, which must be valid.
fn proposal(path: &Path, schema: &Schema) -> (String, ColumnMap) {
    let text = propose(path, &Dialect::default(), schema, &|_, _, _| ()).expect("a file");
    let map = ColumnMap::parse(&text, schema.targets).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, map)
}

#[test]
fn proposed_map_of_usual_columns_reads_all_rows() {
    let (text, map) = proposal(&industry(), &SCHEMA);
    assert_eq!(accepted(&industry(), &map).len(), 40);
    for line in [
        "spot_id = \"Geopath ID\"  # a common name for the target",
        "media_type = \"Media Type\"  # the target's name, except for case and punctuation",
        "persons = \"18+\"  # from the column name \"Weekly Impressions 18+\"",
        "rate_weeks = \"4\"  # from the column name \"4-Week Rate\"",
        "# operator = \"\"",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\nin\n{text}");
    }
    assert!(!text.contains("Columns that aren't used") && !text.contains("[values"), "{text}");
}

#[test]
fn proposed_map_lists_alternatives_and_unused_columns() {
    let (text, map) = proposal(&data("inventory/sf_general_advertising_signs.csv"), &SCHEMA);
    let expected = "\n# Several columns could be plant_spot_id. Choose one:\n# plant_spot_id = \"OBJECTID\"  # for example \"1\"\n\
                    # plant_spot_id = \"record_id\"  # for example \"2020-000659GAS\"\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("\n# \"record_status\"  # for example \"Permitted\"\n"), "{text}");
    assert!(!map.names("plant_spot_id") && map.names("latitude"));

    let (text, map) = proposal(&data("inventory/linknyc_kiosks.csv"), &SCHEMA);
    assert!(text.contains("\n# \"Planned Kiosk Type\"  # for example \"Link5G_Ad\"\n"), "{text}");
    assert_eq!(accepted(&data("inventory/linknyc_kiosks.csv"), &map).len(), 2_176);
}

#[test]
fn unknown_values_become_stubs_that_change_nothing() {
    let rows: String = (0..30)
        .map(|n| {
            format!(
                "{n},40.7,-73.9,\"kind \"\"{n}\"\"\",{},{}\n",
                ["Solar", "Backlit", "solar"][n % 3],
                ["up", "N"][n % 2]
            )
        })
        .collect();
    let path = file("csv", format!("Unit,Lat,Lng,Size,Illum,Facing\n0,40.7,-73.9,14x48,Y,N\n{rows}"));
    let (text, map) = proposal(&path, &SCHEMA);
    assert!(text.contains("\n[values.illumination]\n\"Solar\" = \"Solar\"  # 20 rows\n"), "{text}");
    assert!(text.contains("\n[values.orientation]\n\"up\" = \"up\"  # 15 rows\n"), "{text}");
    assert!(text.contains("\n\"kind \\\"0\\\"\" = \"kind \\\"0\\\"\"  # 1 row\n"), "{text}");
    assert!(text.contains("\n# and 10 more\n"), "{text}");
    assert_eq!(rejected(&path, &map).len(), 30, "the values are still rejected");
}

#[test]
fn odd_tables_get_a_valid_map_to_complete() {
    let path = file(
        "txt",
        "\"Nr \"\"A\"\"\"|\"[x]\"|Höhe|Available|H|Size (W x H)|W\n1|2|3|1/4/2027|14|48x14|48\n1|2|3|1/5/2027|14|48x14|48\n",
    );
    let (text, map) = proposal(&path, &SCHEMA);
    for part in [
        "\n# No column looks like latitude, which is required.\n",
        "\n# No column looks like spot_id or plant_spot_id, which is required.\n",
        "\n# \"Nr \\\"A\\\"\"  # for example \"1\"\n",
        "\n# Choose the date format for available_from:\n# available_from = \"MM/DD/YYYY\"\n# available_from = \"DD/MM/YYYY\"\n",
        "\nsize = \"width first\"\n",
        "\n# The numbers in \"H\" have no unit. Choose one:\n# units = \"ft\"\n# units = \"in\"",
    ] {
        assert!(text.contains(part), "{part}\nin\n{text}");
    }
    assert!(map.names("height") && !map.names("latitude"));
    let (text, _) = proposal(&file("csv", "Store Name,Lat,Lng\n"), &PLACES);
    assert!(text.contains("\n# place_type = \"\"\n"), "{text}");
}
