//! Tests display files with column maps, modelled members, and damage.

use builder::columns::ColumnMap;
use builder::displays::TARGETS;
use dataset::{Figures, Maturity};
use serde_json::Value;

use crate::{Outcome, data, import_displays};

const MAP: &str = "[columns]\nplant_spot_id = \"Id\"\nmedia_type = \"Kind\"\ndigital = \"Kind\"\nlatitude = \"Y\"\n\
                   longitude = \"X\"\n\
                   [values.media_type]\n\"kiosk\" = \"Panel\"\n\"Café table\" = \"\"\n\
                   [values.digital]\nKiosk = true\n\"CAFE TABLE\" = false\n";

#[test]
fn values_replace_cell_texts_ignoring_case_and_accents() {
    let text = "Id,Kind,Y,X\na,KIOSK,40.7,-73.9\nb,cafe  table,40.7,-73.9\n";
    let imported = import_displays("csv", text, Some(MAP));
    let mut said: Vec<_> = imported
        .records()
        .iter()
        .map(|record| (record["digital"].clone(), record.get("media_type").cloned()))
        .collect();
    said.sort_by_key(|(digital, _)| digital.as_bool());
    assert_eq!(said, [(false.into(), None), (true.into(), Some(serde_json::json!({"name": "Panel"})))]);

    // Values that aren't in the table are kept.
    let text = "Id,Kind,Y,X\na,Kiosk,40.7,-73.9\nb,Bench,40.7,-73.9\n";
    let imported = import_displays("csv", text, Some(MAP));
    assert_eq!(imported.reasons(), [(3, "digital \"Bench\" is not yes or no")]);
}

#[test]
fn rejects_maps_with_invalid_values_or_vintages() {
    for (text, reason) in [
        ("[values.size]\na = \"b\"", "values.size requires columns.size, which is missing"),
        (
            "[constants]\nsize = \"1x1\"\n[values.size]\na = \"b\"",
            "values.size requires columns.size, which is missing",
        ),
        ("[values.colour]\na = \"b\"", "unknown target \"colour\"; the targets are spot_id, plant_spot_id, "),
        ("[columns]\nsize = \"s\"\n[values.size]\na = []", "values.size.\"a\" must be a single value"),
        (
            "[columns]\nsize = \"s\"\n[values.size]\na = \"b\"\nA = \"c\"",
            "values.size.\"a\" is listed twice; case, accents, and spaces are ignored",
        ),
        ("[modelled]\nvintage = \"2026-02-30\"", "modelled.vintage must be a calendar date (YYYY-MM-DD)"),
        ("[modelled]\nvintage = 20260801", "modelled.vintage must be a calendar date (YYYY-MM-DD)"),
        (
            "[modelled]\nvintage = \"2026-08-02\"\nfields = [\"size\"]",
            "modelled.fields: unknown field \"size\"; write a field path such as weekly_impressions",
        ),
        ("[modelled]\n", "TOML parse error"),
    ] {
        let error = ColumnMap::parse(text, &TARGETS).expect_err(text).to_string();
        assert!(error.starts_with(reason), "{error}");
    }
}

#[test]
fn rejects_files_without_ids_or_coordinates() {
    for (extension, text, map, reason) in [
        (
            "csv",
            "latitude,longitude\n1,2\n",
            None,
            "no column looks like spot_id or plant_spot_id; to get a column map that you can correct, run `marquee release propose-map rows.csv`",
        ),
        (
            "csv",
            "spot_id,latitude\n1,2\n",
            None,
            "no column looks like longitude; to get a column map that you can correct, run `marquee release propose-map rows.csv`",
        ),
        (
            "csv",
            "Id,Y,X\n1,2,3\n",
            Some("[columns]\nlatitude = \"Y\"\nlongitude = \"X\""),
            "the column map must contain a column or a constant for spot_id or plant_spot_id",
        ),
        (
            "jsonl",
            "{}\n",
            Some("[columns]\nspot_id = \"Id\""),
            "the column map must contain a column or a constant for latitude",
        ),
        ("csv", "", None, "is empty; expected a header line with column names"),
        (
            "pdf",
            "",
            None,
            "the name must end in .csv, .tsv, .tab, .txt, .xlsx, .jsonl, .ndjson, .geojson, or .json",
        ),
    ] {
        let imported = import_displays(extension, text, map);
        assert_eq!((imported.error(), imported.rejects.len()), (reason, 0), "{text}");
    }
}

#[test]
fn reads_positions_in_geojson_and_mapped_columns_in_json_lines() {
    let feature = |geometry: &str| {
        format!(
            "{{\"type\": \"Feature\", \"geometry\": {geometry}, \"properties\": {{\"spot_id\": 7, \"digital\": true, \"size\": \"48 x 27 in\"}}}}"
        )
    };
    let features =
        [feature("{\"type\": \"Point\", \"coordinates\": [-73.9862, 40.7566]}"), feature("null")].join(",");
    let text = format!("{{\"type\": \"FeatureCollection\", \"features\": [{features}]}}");
    let imported = import_displays("geojson", text, None);
    let record = &imported.records()[0];
    assert_eq!(
        (&record["spot_id"], &record["digital"], &record["location"]["state"]),
        (&7.into(), &true.into(), &"NY".into())
    );
    assert_eq!(imported.reasons(), [(2, "latitude is missing; longitude is missing")]);

    let line = "{\"Id\": \"a\", \"Kind\": \"kiosk\", \"Y\": 40.7, \"X\": -73.9, \"more\": [1]}";
    let imported = import_displays("jsonl", line, Some(MAP));
    assert_eq!(imported.records()[0]["layouts"][0]["faces"][0]["spots"][0]["plant_spot_id"], "a");
}

#[test]
fn reports_every_unreadable_row_of_a_damaged_file() {
    let mut text = b"\xEF\xBB\xBFspot_id,latitude,longitude,media_name\r\n\r\n1,40.7,-73.9,Caf\xC3\xA9\r\n   \r\n2,40.7,-73.9,Caf\xE9\r\n".to_vec();
    text.extend(format!("3,40.7,-73.9,{}\r\n", "x".repeat(1_000_000)).bytes());
    text.extend(
        b"4,40.7,-73.9\r\n5,40.7,-73.9,\"open\r\n6,40.7,-73.9,\"a \"\"b\"\"\"\r\n0007,40.70,-073.9,0",
    );
    let imported = import_displays("csv", text, None);
    assert_eq!(
        imported.reasons(),
        [
            (5, "\"media_name\" is not UTF-8"),
            (6, "\"media_name\" is longer than 10000 bytes"),
            (7, "the row has a different number of cells (3) than the header (4)"),
            (8, "in column 4, text follows the closing quote; double each quote inside a cell"),
        ]
    );
    assert_eq!(imported.summary().rows, 7);
    let names: Vec<_> = imported.records().iter().map(|record| record["media_name"].clone()).collect();
    assert_eq!((imported.ids(), names), (vec![1, 6, 7], vec!["Café".into(), "a \"b\"".into(), "0".into()]));

    // The entire file is UTF-16.
    let utf_16: Vec<u8> =
        "spot_id,latitude,longitude\n1,40.7,-73.9\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(import_displays("csv", utf_16, None).built.is_err());
}

#[test]
fn models_and_marks_missing_members_if_the_map_requests_it() {
    let text = "Id,Kind,Y,X\na,kiosk,40.7,-73.9\nb,cafe table,40.7,-73.9\n";
    let map = format!("{MAP}[modelled]\nvintage = \"2026-08-02\"\n");
    let imported = import_displays("csv", text, Some(&map));
    assert_eq!(imported.summary().unmeasured, 0);
    for record in imported.records() {
        for spot in record["layouts"][0]["faces"][0]["spots"].as_array().expect("spots") {
            assert_eq!(spot["measures"], serde_json::json!([{"modelled": "20260802"}]));
        }
        assert!(record.get("representations").is_none(), "no operator is modelled");
    }
    let provenance = imported.release().manifest().provenance(Figures::Inventory).expect("a provenance");
    let expected = "Example Outdoor; values missing from a source are modelled and marked; areas: Postal \
                    code data (c) GeoNames, CC BY 4.0";
    assert_eq!(provenance.source, expected);
    assert_eq!(provenance.data_maturity, Maturity::SyntheticOnly);
}

#[test]
fn marks_assumed_fields_only_in_records_that_contain_them() {
    let columns = "[columns]\nspot_id = \"Id\"\nlatitude = \"Y\"\nlongitude = \"X\"\nweekly_impressions = \"Imps\"\n\
                   status = \"Status\"\n[constants]\noperator = \"Example Outdoor\"\n";
    let modelled =
        "[modelled]\nvintage = \"2026-08-02\"\nfields = [\"weekly_impressions\", \"representations\"]\n";
    let text = "Id,Y,X,Imps,Status\n1,40.7,-73.9,1200,Published - Measured\n2,40.7,-73.9,,\n";
    let imported = import_displays("csv", text, Some(&format!("{columns}{modelled}")));
    let records = imported.records();
    for (record, has_impressions) in [(&records[0], true), (&records[1], false)] {
        let lists = |path: &str| modelled_fields(record).contains(&path);
        assert_eq!(lists("weekly_impressions"), has_impressions, "{record}");
        assert!(lists("representations.account.name"), "{record}");
        assert!(!lists("representations.account.parent_account_name"), "{record}");
        assert_eq!(record["status_type"]["name"], "Published - Modelled", "{record}");
    }
}

#[test]
fn sample_displays_in_new_york_have_modelled_impressions() {
    let assumed = [
        "digital",
        "illumination_type.name",
        "media_type.name",
        "location.zip_code",
        "layouts.faces.id",
        "layouts.faces.width",
        "layouts.faces.height",
        "representations.account.name",
    ];
    for (table, map, assumed) in [
        ("linknyc_kiosks.csv", "linknyc.toml", &[][..]),
        ("nyc_bus_shelters.csv", "nyc_bus_shelters.toml", &assumed[..]),
    ] {
        for record in sample_table(table, map).records() {
            let listed = modelled_fields(&record);
            let figures = ["weekly_impressions", "layouts.faces.spots.measures", "status_type.name"];
            let unlisted: Vec<_> =
                figures.iter().chain(assumed).filter(|path| !listed.contains(path)).collect();
            assert_eq!(unlisted, [&""; 0], "{record}");
            assert!(record["weekly_impressions"].as_i64().is_some_and(|number| number > 0), "{record}");
            assert!(
                record["impressions_source"].as_str().is_some_and(|source| source.starts_with("modelled"))
            );
            assert_eq!(record["impressions_of"], "display", "{record}");
            assert_eq!(record["status_type"]["name"], "Published - Modelled", "{record}");
        }
    }
}

#[test]
fn accepts_every_row_in_the_sample_tables() {
    for (table, map, rows, dma) in [
        ("linknyc_kiosks.csv", "linknyc.toml", 2_176, "501"),
        ("nyc_bus_shelters.csv", "nyc_bus_shelters.toml", 3_330, "501"),
        ("sf_general_advertising_signs.csv", "sf_signs.toml", 559, "807"),
    ] {
        let imported = sample_table(table, map);
        let summary = imported.summary();
        assert_eq!((summary.accepted, summary.outside_us), (rows, 0));
        assert_eq!(imported.reasons(), []);
        assert_eq!((summary.assigned_ids, summary.unmeasured), (rows, 0));
        for record in imported.records() {
            assert_eq!(record["location"]["dma_id"], dma, "{record}");
        }
    }
}

fn sample_table(table: &str, map: &str) -> Outcome {
    let read = |name: &str| std::fs::read_to_string(data("inventory").join(name)).expect("a table");
    import_displays("csv", read(table), Some(&read(map)))
}

/// Returns the paths that a record lists as modelled.
fn modelled_fields(record: &Value) -> Vec<&str> {
    record["modelled"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
