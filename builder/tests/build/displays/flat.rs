//! Tests the conversion of flat rows to records, and the errors for invalid values.

use serde_json::{Value, json};

use crate::{Outcome, import_displays};

const HEADER: &str = "spot_id,latitude,longitude";

/// Builds a release from rows with an additional column. Returns each row's record or the reasons for its
/// rejection.
fn add_cells(column: &str, cells: &[&str]) -> Vec<Result<Value, String>> {
    let row = |(cell, id): (&&str, u64)| format!("{id},40.7566,-73.9862,\"{}\"\n", cell.replace('"', "\"\""));
    let rows: String = cells.iter().zip(1..).map(row).collect();
    let outcome = add_csv(format!("{HEADER},{column}\n{rows}"), None);
    let mut records = if outcome.built.is_ok() { outcome.records() } else { Vec::new() }.into_iter();
    let of_line = |line: u64| match outcome.rejects.iter().find(|reject| reject.line == line) {
        Some(reject) => Err(reject.reason.clone()),
        None => Ok(records.next().expect("a record for each accepted row")),
    };
    (2..2 + cells.len() as u64).map(of_line).collect()
}

/// Builds a release from a single row with an additional column.
fn add_cell(column: &str, cell: &str) -> Result<Value, String> {
    add_cells(column, &[cell]).remove(0)
}

/// Builds a release from rows with an additional column of valid cells. Returns each cell with its record.
fn accepted<'a>(column: &str, cells: &[&'a str]) -> Vec<(&'a str, Value)> {
    let records = add_cells(column, cells).into_iter();
    cells.iter().copied().zip(records.map(|record| record.expect("an accepted row"))).collect()
}

fn add_csv(text: impl AsRef<[u8]>, map: Option<&str>) -> Outcome {
    import_displays("csv", text, map)
}

#[test]
fn converts_a_flat_row_to_a_record_with_its_markets() {
    let rows = [
        "spot_id,plant_spot_id,media_name,operator,parent_operator,digital,audio,full_motion,partial_motion,\
         interactive,rotating,media_type,classification,construction,illumination,illumination_start,\
         illumination_end,placement,status,size,orientation,primary_artery,latitude,longitude,zip_code,\
         place_name,spots,spot_length,measure,vintage",
        "30001234,A-17, Times Square Spectacular ,Example Outdoor,Example,Yes,no,F,1,0,t,bulletin,place based,\
         Exterior Wall,Backlit,00:00:00,23:59,Set Back,Published - Measured,14x48,SW,Broadway,\
         40.7566,-73.9862,10036-7012,Times Square,3,8,at_home,2026-06-30",
    ];
    let imported = add_csv(rows.join("\n"), None);
    let flags = json!({
        "rotating": true, "audio": false, "full_motion": false, "partial_motion": true, "interactive": false
    });
    let spot = |id: i64| {
        let mut spot = json!({
            "id": id, "plant_spot_id": "A-17", "spot_share_of_voice": "0.333333", "spot_length": 8,
            "measures": [{"at_home": "20260630"}]
        });
        spot.as_object_mut().expect("an object").extend(flags.as_object().expect("flags").clone());
        spot
    };
    let mut layout = json!({
        "id": 30_001_234,
        "spot_share_of_voice": "0.333333",
        "faces": [{"id": 30_001_234, "width": 576, "height": 168, "spots": [
            spot(30_001_234), spot(10_030_001_234), spot(20_030_001_234)
        ]}]
    });
    layout.as_object_mut().expect("an object").extend(flags.as_object().expect("flags").clone());
    let mut expected = json!({
        "spot_id": 30_001_234,
        "digital": true,
        "media_name": "Times Square Spectacular",
        "illumination_type": {"name": "Backlit"},
        "illumination_start_time": "00:00:00", "illumination_end_time": "23:59:00",
        "classification_type": {"name": "place based"},
        "construction": {"construction_type": {"name": "Exterior Wall"}},
        "media_type": {"name": "bulletin"},
        "placement_type": {"name": "Set Back"},
        "status_type": {"name": "Published - Measured"},
        "location": {
            "state": "NY", "county_id": "36061", "county_name": "New York County, NY", "dma_id": "501",
            "dma_name": "New York", "cbsa_code": "35620", "cbsa_name": "New York-Newark-Jersey City, NY-NJ",
            "zip_code": "10036", "primary_artery": "Broadway",
            "geometry": {"type": "Point", "coordinates": [-73.9862, 40.7566]}, "geo_point": "40.7566,-73.9862",
            "places": [{"place_name": "Times Square"}], "orientation": 225
        },
        "layouts": [layout],
        "representations": [[{
            "account": {"name": "Example Outdoor", "parent_account_name": "Example"},
            "representation_type": {"name": "Own"}
        }]],
        "place": {"place_id": "", "place_name": "Times Square"}
    });
    expected.as_object_mut().expect("an object").extend(flags.as_object().expect("flags").clone());
    assert_eq!(imported.records(), [expected]);
    assert_eq!((imported.summary().unmeasured, imported.summary().assigned_ids), (0, 0));
}

#[test]
fn parses_common_size_notations() {
    let sizes = [
        ("14x48", [168, 576]),
        ("14' x 48'", [168, 576]),
        ("14 ft X 48 ft", [168, 576]),
        ("14 feet by 48 feet", [168, 576]),
        ("14\u{d7}48 ft.", [168, 576]),
        ("10'5\" x 22'8\"", [125, 272]),
        ("10\u{2032} 5\u{2033} * 22\u{2032} 8\u{2033}", [125, 272]),
        ("10'-5\" x 22'-8", [125, 272]),
        ("10.5' x 36'", [126, 432]),
        ("48 x 27 in", [48, 27]),
        ("48\" x 27\"", [48, 27]),
        ("48 inches x 27 inches", [48, 27]),
        ("4' x 27\"", [48, 27]),
        ("47.94in x 26.96in", [48, 27]),
    ];
    let records = accepted("size", &sizes.map(|(text, _)| text));
    for ((text, record), (_, [height, width])) in records.iter().zip(sizes) {
        let face = &record["layouts"][0]["faces"][0];
        assert_eq!([&face["height"], &face["width"]], [height, width], "{text}");
    }
    let others = ["unknown", "0x0", "14", "14x", "14x48x2", "14'h x 48'h", "10'13\" x 22'", "1e3x2", "x"];
    for (text, read) in others.iter().zip(add_cells("size", &others)) {
        let reason = format!("size {text:?} is not a height and a width, such as 14' x 48' or 48 x 27 in");
        assert_eq!(read, Err(reason));
    }
    let unknown = add_cell("size", "").expect("a display of unknown size");
    assert!(unknown["layouts"][0]["faces"][0].get("width").is_none());
}

#[test]
fn reads_height_and_width_in_inches_and_rejects_contradictory_sizes() {
    let text = format!(
        "{HEADER},size,height,width\n1,40.7,-73.9,,168,48'\n\
         2,40.7,-73.9,14x48,168,\n3,40.7,-73.9,14x48,,14\n\
         4,40.7,-73.9,,0,-5\n"
    );
    let imported = add_csv(text, None);
    for record in imported.records() {
        let face = &record["layouts"][0]["faces"][0];
        assert_eq!([&face["height"], &face["width"]], [168, 576], "{record}");
    }
    let reason =
        |side: &str, text: &str| format!("{side} \"{text}\" is not a length, such as 168 (inches) or 14'");
    assert_eq!(
        imported.reasons(),
        [
            (4, "size is 168 x 576 inches, which contradicts height and width; correct one of them"),
            (5, format!("{}; {}", reason("height", "0"), reason("width", "-5")).as_str()),
        ]
    );
}

#[test]
fn parses_degrees_and_compass_points() {
    let directions = [
        ("0", 0.0),
        ("360", 360.0),
        ("112.5", 112.5),
        ("90\u{b0}", 90.0),
        ("180 deg", 180.0),
        ("N", 0.0),
        ("nne", 22.5),
        ("North", 0.0),
        ("southwest", 225.0),
        ("South-West", 225.0),
        ("W/B", 270.0),
        ("EB", 90.0),
        ("northbound", 0.0),
        ("facing NW", 315.0),
    ];
    let records = accepted("orientation", &directions.map(|(text, _)| text));
    for ((text, record), (_, degrees)) in records.iter().zip(directions) {
        assert_eq!(record["location"]["orientation"].as_f64(), Some(degrees), "{text}");
    }
    for (text, record) in accepted("orientation", &["N/E", "S/SE", "W and E", "N, NE"]) {
        assert!(record["location"].get("orientation").is_none(), "{text}: several directions");
    }
    let others = ["361", "-1", "up", "NS", "nnn", "B", "1.2.3", "."];
    for (text, read) in others.iter().zip(add_cells("orientation", &others)) {
        let reason = format!(
            "orientation {text:?} is not a number of degrees from 0 to 360, a compass point, or a side such as RHR"
        );
        assert_eq!(read, Err(reason));
    }
}

#[test]
fn parses_flags_ignoring_case() {
    for (texts, truth) in [(["yes", "Y", "TRUE", "t", "1"], true), (["No", "n", "False", "F", "0"], false)] {
        for (text, record) in accepted("digital", &texts) {
            assert_eq!(record["digital"], truth, "{text}");
        }
    }
    assert!(add_cell("digital", "").expect("a display").get("digital").is_none());
    let others = ["maybe", "2", "unknown", "--x"];
    for (text, read) in others.iter().zip(add_cells("digital", &others)) {
        assert_eq!(read, Err(format!("digital {text:?} is not yes or no")));
    }
}

#[test]
fn rejects_invalid_values() {
    let long = "x".repeat(201);
    for (column, cell, reason) in [
        ("illumination_start", "25:00", "illumination_start \"25:00\" is not a time (HH:MM:SS)"),
        ("spots", "0", "spots \"0\" is not a whole number from 1 to 1000"),
        ("spots", "2.5", "spots \"2.5\" is not a whole number from 1 to 1000"),
        ("spot_length", "-8", "spot_length \"-8\" is not a whole number from 0 to 86400"),
        ("media_name", "a\tb", "media_name contains a control character, such as a tab"),
        ("media_name", &long, "media_name is longer than 200 characters"),
        ("zip_code", "ABC", "zip_code \"ABC\" is not 5 digits or ZIP+4"),
        ("measure", "at_home", "measure is set, but vintage is missing"),
        ("vintage", "2026-06-30", "vintage is set, but measure is missing"),
    ] {
        assert_eq!(add_cell(column, cell), Err(reason.to_owned()), "{column}");
    }
    let text = "spot_id,latitude,longitude\n0,40.7,-73.9\n4294967296,40.7,-73.9\n\
                5,0,0\n6,,\n7,91,-181\n8,x,-73.9\n4294967295,40.7,-73.9\n";
    let imported = add_csv(text, None);
    assert_eq!(
        imported.reasons(),
        [
            (2, "spot_id \"0\" is not a whole number from 1 to 4294967295"),
            (3, "spot_id \"4294967296\" is not a whole number from 1 to 4294967295"),
            (4, "latitude and longitude are both 0, which means that the position is missing"),
            (5, "latitude is missing; longitude is missing"),
            (
                6,
                "latitude 91 is not between -90 and 90 degrees; longitude -181 is not between -180 and 180 degrees"
            ),
            (7, "latitude \"x\" is not in decimal degrees"),
        ]
    );
    assert_eq!(imported.ids(), [u32::MAX]);
}

#[test]
fn displays_are_measured_only_with_a_measure_and_a_vintage() {
    let map = |more: &str| {
        format!(
            "[columns]\nspot_id = \"spot_id\"\nlatitude = \"latitude\"\nlongitude = \"longitude\"\n{more}"
        )
    };
    let text = format!(
        "{HEADER},m,v\n1,40.7,-73.9,at_home,20260630\n2,40.7,-73.9,,2026-06-30\n3,40.7,-73.9,at_home,\n4,40.7,-73.9,,\n"
    );
    let refused =
        [(3, "vintage is set, but measure is missing"), (4, "measure is set, but vintage is missing")];
    for (more, not_measured, rejected) in [
        ("measure = \"m\"\nvintage = \"v\"", 1, &refused[..]),
        ("measure = \"m\"\n[constants]\nvintage = \"2026-06-30\"", 2, &[]),
        ("vintage = \"v\"\n[constants]\nmeasure = \"at_home\"", 2, &[]),
        ("[constants]\nmeasure = \"at_home\"\nvintage = 2026-06-30", 0, &[]),
        ("", 4, &[]),
    ] {
        let imported = add_csv(&text, Some(&map(more)));
        assert_eq!((imported.summary().unmeasured, &*imported.reasons()), (not_measured, rejected), "{more}");
        let inventory = imported.inventory();
        let measured = inventory.indexes().filter(|index| inventory.has_measures(*index)).count() as u64;
        assert_eq!(measured, imported.summary().accepted - not_measured, "{more}");
    }
}

#[test]
fn displays_outside_the_united_states_have_no_market() {
    let text = "spot_id,latitude,longitude,zip_code\n1,48.8566,2.3522,75004\n\
                2,40.7566,-73.9862,\n3,40.7566,-73.9862,94103\n";
    let imported = add_csv(text, None);
    let expected = json!({
        "zip_code": "75004", "geometry": {"type": "Point", "coordinates": [2.3522, 48.8566]},
        "geo_point": "48.8566,2.3522"
    });
    assert_eq!((&imported.records()[0]["location"], imported.summary().outside_us), (&expected, 1));
    assert_eq!(imported.records()[1]["location"]["dma_id"], "501");
    let contradiction = imported.rejects.iter().find(|reject| reject.line == 4).expect("a row of two states");
    assert!(contradiction.reason.starts_with("the position is in NY, "), "{}", contradiction.reason);
}

#[test]
fn creates_the_given_number_of_faces_and_spots() {
    let map = "[columns]\nspot_id = \"spot_id\"\nlatitude = \"latitude\"\nlongitude = \"longitude\"\n\
               faces = \"Sides\"\nspots = \"Spots\"\nsize = \"Size\"";
    let text =
        format!("{HEADER},Sides,Spots,Size\n7,40.7,-73.9,2,3,14x48\n8,40.7,-73.9,,,\n9,40.7,-73.9,101,,\n");
    let imported = add_csv(text, Some(map));
    let records = imported.records();
    let faces = records[0]["layouts"][0]["faces"].as_array().expect("faces");
    let ids = |face: &Value| -> Vec<i64> {
        let spots = face["spots"].as_array().expect("spots").iter();
        spots.map(|spot| spot["id"].as_i64().expect("an id")).collect()
    };
    let spots: Vec<Vec<i64>> = faces.iter().map(ids).collect();
    assert_eq!(
        spots,
        [[7, 10_000_000_007, 20_000_000_007], [30_000_000_007, 40_000_000_007, 50_000_000_007]]
    );
    for (face, id) in faces.iter().zip([7_i64, 30_000_000_007]) {
        assert_eq!([&face["id"], &face["height"], &face["width"]], [&json!(id), &json!(168), &json!(576)]);
        assert_eq!(face["spots"][0]["spot_share_of_voice"], "0.333333");
    }
    assert_eq!(records[1]["layouts"][0]["faces"].as_array().map(Vec::len), Some(1));
    assert_eq!(imported.reasons(), [(4, "faces \"101\" is not a whole number from 1 to 100")]);
}

#[test]
fn does_not_read_resolutions_as_sizes() {
    let resolutions = ["1920x1080 px", "1920 x 1080 pixels", "1920px x 1080px", "1080\u{d7}1920PX"];
    for (text, record) in accepted("size", &resolutions) {
        let face = &record["layouts"][0]["faces"][0];
        assert_eq!((face.get("width"), face.get("height")), (None, None), "{text}");
    }
    let unclear = ["1920x1080", "400 x 1400", "301x20"];
    for (text, read) in unclear.iter().zip(add_cells("size", &unclear)) {
        let reason = format!(
            "size {text:?} has no unit and is too large to be in feet (the limit is 300); add the unit, or px for a \
             screen's resolution"
        );
        assert_eq!(read, Err(reason));
    }
    for (text, record) in accepted("size", &["300x60", "1920 in x 1080 in", "78' x 330'"]) {
        assert!(record["layouts"][0]["faces"][0]["width"].is_i64(), "{text}");
    }
}

#[test]
fn limits_displays_to_1000_spots() {
    let text = format!(
        "{HEADER},faces,spots\n1,40.7,-73.9,100,10\n2,40.7,-73.9,100,11\n3,40.7,-73.9,100,1000\n4,40.7,-73.9,,1000\n"
    );
    let imported = add_csv(text, None);
    assert_eq!(imported.ids(), [1, 4]);
    let reason = |spots: u32| {
        format!(
            "100 faces with {spots} spots each exceed the limit of 1000 spots per display; correct faces or \
             spots"
        )
    };
    assert_eq!(imported.reasons(), [(3, reason(11).as_str()), (4, reason(1000).as_str())]);
}

#[test]
fn rejects_coordinates_that_contradict_the_zip_code_or_state() {
    let far = "the position is more than 500 km from every ZIP code, but the";
    let or_country = "; if the address is outside the United States, name the country (or set \
                      outside_us = true in the source's entry)";
    let text = "spot_id,latitude,longitude,zip_code,state,country\n\
                1,41.8858,-87.6231,60601,IL,\n\
                2,-87.6231,41.8858,60601,,\n\
                3,41.8858,87.6231,60601,,\n\
                4,41.8858,87.6231,,IL,\n\
                5,41.8858,-87.6231,,NY,\n\
                6,41.8858,-87.6231,10036,IL,\n\
                7,-33.8688,151.2093,2000,NSW,\n\
                8,52.52,13.405,10115,,DE\n\
                9,52.52,13.405,10115,,\n\
                10,-118.24,34.05,90012,CA,\n\
                11,-33.8688,151.2093,2109,,\n\
                12,42.359,71.0556,2109,,\n";
    let imported = add_csv(text, None);
    assert_eq!(imported.ids(), [1, 5, 7, 8, 11]);
    assert_eq!(imported.summary().outside_us, 3);
    assert_eq!(imported.records()[2]["location"]["state"], "NSW");
    assert_eq!(
        imported.reasons(),
        [
            (3, &*format!("{far} zip_code is in the United States: latitude and longitude look swapped")),
            (4, &*format!("{far} zip_code is in the United States: longitude lacks its minus sign")),
            (5, &*format!("{far} address is in the United States: longitude lacks its minus sign")),
            (
                7,
                &*format!(
                    "the position is in IL, 1144 km from zip_code 10036 in NY: correct the position or \
                     zip_code, or leave zip_code empty to use the nearest ZIP code{or_country}"
                )
            ),
            (
                10,
                &*format!(
                    "{far} zip_code is in the United States: correct the position or zip_code, or name the \
                     country (or set outside_us = true in the source's entry)"
                )
            ),
            (11, "latitude -118.24 is not between -90 and 90 degrees; latitude and longitude look swapped"),
            (13, &*format!("{far} zip_code is in the United States: longitude lacks its minus sign")),
        ]
    );
}
