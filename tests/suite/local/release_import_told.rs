//! Tests of the import's exit status and summary, and of the sources in later answers.

use std::fs;

use http::Method;
use serde_json::{Value, json};

use super::release::{ReleasesDir, manifest};
use super::{Serving, TestDir};

const HEADER: &str = "place_name,place_type,latitude,longitude";

#[tokio::test(flavor = "multi_thread")]
async fn exit_status_reports_too_many_rejected_rows() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let before = manifest(&base);
    let text =
        format!("{HEADER}\nBlue Kettle Reno,Coffee Shop,39.5296,-119.8138\n,Coffee Shop,39.5,-119.8\n");
    fs::write(releases.path("a.csv"), &text).expect("a file");
    fs::write(releases.path("a.csv.rejects.csv"), "of before\n").expect("a file");
    let import = ["import", "places", "@a.csv", "--release", "@base", "--max-rejects"];
    for (most, dry) in [("0", false), ("49.9%", false), ("0", true)] {
        let dry = if dry { &["--dry-run"][..] } else { &[] };
        let ended = releases.run(&[&import[..], &[most], dry].concat()).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{most}: {ended:?}");
        let said = format!(
            "marquee: 1 of 2 rows were rejected, more than {most} as --max-rejects allows, so no release was written; \
             the rejected rows, with their lines and reasons, are in "
        );
        assert!(ended.stderr.starts_with(&said), "{}", ended.stderr);
        assert!(ended.stderr.trim_end().ends_with("a.csv.rejects-2.csv"), "{}", ended.stderr);
        assert_eq!(manifest(&base), before, "{most}");
    }
    let rejects = fs::read_to_string(releases.path("a.csv.rejects-2.csv")).expect("rejected rows");
    let header = HEADER.replace(',', "\",\"");
    let expected =
        format!("\"_line\",\"_reason\",\"{header}\"\n3,\"place_name is missing\",,Coffee Shop,39.5,-119.8\n");
    assert_eq!(rejects, expected);
    let untouched = fs::read_to_string(releases.path("a.csv.rejects.csv")).expect("the earlier file");
    assert_eq!(untouched, "of before\n");

    let ended = releases.run(&[&import[..], &["some"]].concat()).await;
    assert!(ended.code == Some(2) && ended.stderr.contains("or a part of all, such as 2.5%"), "{ended:?}");
    let printed = releases.printed(&[&import[..], &["50%"]].concat()).await;
    assert!(printed.starts_with("2 rows: 1 accepted "), "{printed}");
    assert_ne!(manifest(&base), before);

    // Corrected rejects can be imported directly. By default, any number of rows may be rejected.
    fs::write(
        releases.path("corrected.csv"),
        rejects.replace("missing\",", "missing\",Red Kettle") + ",,,,,\n,,,,,x\n",
    )
    .expect("a file");
    let printed = releases.printed(&["import", "places", "@corrected.csv", "--release", "@base"]).await;
    assert!(printed.starts_with("2 rows: 1 accepted "), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_corrected_rejects_equals_importing_a_clean_file() {
    let releases = ReleasesDir::new();
    releases.sample("base");
    let about = ["--source", "Example Outdoor", "--vintage", "2026-06-30"];
    let record = |id: u32, longitude: f64| {
        let geometry = json!({"type": "Point", "coordinates": [longitude, 39.5296]});
        json!({
            "spot_id": id,
            "location": {"geometry": geometry, "state": "NV", "zip_code": "89501"},
            "layouts": [{"faces": [{"spots": [{"measures": [{"at_home": "20260630"}]}]}]}],
        })
    };
    let feature = |id: u32, longitude: f64| {
        let geometry = json!({"type": "Point", "coordinates": [longitude, 39.5296]});
        let properties = json!({"spot_id": id, "state": "Nevada", "zip_code": "89501", "size": "14x48"});
        json!({"type": "Feature", "geometry": geometry, "properties": properties})
    };
    let lines = |longitude| format!("{}\n{}\n", record(7, -119.8), record(8, longitude));
    let collection = |longitude| {
        json!({"type": "FeatureCollection", "features": [feature(7, -119.8), feature(8, longitude)]})
            .to_string()
    };
    for (extension, dirty, clean) in [
        ("jsonl", lines(119.8138), lines(-119.8138)),
        ("geojson", collection(119.8138), collection(-119.8138)),
    ] {
        let [dirty_file, clean_file, rejects] = ["dirty", "clean", &format!("dirty.{extension}.rejects")]
            .map(|name| format!("@{name}.{extension}"));
        fs::write(releases.path(&dirty_file[1..]), dirty).expect("a file");
        fs::write(releases.path(&clean_file[1..]), clean).expect("a file");
        let [first, both, of_clean] =
            ["first", "both", "of-clean"].map(|name| format!("@{name}-{extension}"));
        let import = async |file: &str, base: &str, out: &str| {
            let arguments = ["import", "inventory", file, "--release", base, "--out", out];
            releases.printed(&[&arguments[..], &about].concat()).await
        };
        let printed = import(&dirty_file, "@base", &first).await;
        assert!(printed.starts_with("2 rows: 1 accepted "), "{printed}");
        let path = releases.path(&rejects[1..]);
        let rejected = fs::read_to_string(&path).expect("the rejected row");
        assert!(rejected.contains("longitude lacks its minus sign"), "{rejected}");
        fs::write(&path, rejected.replace("119.8138", "-119.8138")).expect("the corrected row");
        let printed = import(&rejects, &first, &both).await;
        assert!(printed.starts_with("1 rows: 1 accepted "), "{printed}");
        let printed = import(&clean_file, "@base", &of_clean).await;
        assert!(printed.starts_with("2 rows: 2 accepted "), "{printed}");
        let [both, of_clean] = [both, of_clean].map(|release| manifest(&releases.path(&release[1..])));
        assert_eq!(both, of_clean, "{extension}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn source_must_be_a_listable_string() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let before = manifest(&base);
    fs::write(releases.path("a.csv"), format!("{HEADER}\nA,Coffee Shop,39.5296,-119.8138\n"))
        .expect("a file");
    let import = ["import", "places", "@a.csv", "--release", "@base", "--source"];
    let long = "x".repeat(201);
    for source in ["", "  ", "Two\nlines", "Example Outdoor; Other Outdoor", &long] {
        let ended = releases.run(&[&import[..], &[source]].concat()).await;
        let says = "must have 1 to 200 characters, with no control characters and no \"; \"";
        assert!(ended.code == Some(2) && ended.stderr.contains(says), "{source:?}: {ended:?}");
        assert_eq!(manifest(&base), before, "{source:?}");
    }
    releases.printed(&[&import[..], &[&format!("  {}\t", &long[1..])]].concat()).await;
    let sources = manifest(&base)["sources"].clone();
    assert_eq!(sources.as_array().and_then(|sources| sources.last()).expect("a source")["name"], long[1..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn summary_has_notices_about_encoding_and_unknown_place_types() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let text = format!("{HEADER}\nCaf\u{e9} Reno,Cofee Shop,39.5296,-119.8138\n").replace(',', ";");
    let windows_1252: Vec<u8> =
        text.chars().map(|character| u8::try_from(u32::from(character)).expect("Latin")).collect();
    fs::write(releases.path("a.csv"), windows_1252).expect("a file");
    let printed = releases.printed(&["import", "places", "@a.csv", "--release", "@base"]).await;
    let notices: Vec<&str> = printed.lines().filter(|line| line.starts_with("notice: ")).collect();
    let [encoding, kind] = notices.as_slice() else { panic!("two notices: {printed}") };
    let read =
        "a.csv: 1 of its rows or lines are not UTF-8, the first of them 2; they were read as Windows-1252";
    assert!(encoding.contains(read), "{encoding}");
    assert_eq!(
        *kind,
        "notice: \"Cofee Shop\" is a place type that the release did not have, of 1 places; the nearest that it \
         has is \"Coffee Shop\""
    );
    let serving =
        "`marquee serve` opens a release when it starts: restart one that is running to serve this one";
    assert!(printed.lines().last().is_some_and(|line| line.starts_with(serving)), "{printed}");
    assert!(manifest(&base)["files"]["places"]["rows"]["place_types"].as_u64().is_some());
}

async fn sources(serving: &Serving, path: &str, body: &Value) -> (Vec<Value>, Value) {
    let (name, key) = match path {
        "/msearch/inventory" => ("apikey", &serving.credentials.enterprise_key),
        _ => ("X-API-Key", &serving.credentials.enterprise_key),
    };
    let answer = serving.call(Method::POST, path, (name, key), Some(body)).await;
    let provenance = answer.json()["meta"]["provenance"].clone();
    let listed = provenance["sources"].as_array().cloned().unwrap_or_default();
    (listed, provenance["sources_total"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_list_sources_and_a_running_service_keeps_its_release() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let spot = |id: u32| {
        json!({
            "spot_id": id,
            "location": {"geometry": {"type": "Point", "coordinates": [-119.8138, 39.5296]}, "dma_name": "Reno Test"},
            "layouts": [{"faces": [{"spots": [{"measures": [{"at_home": "20260630"}]}]}]}],
        })
    };
    for (name, id) in [("one", 7), ("other", 8), ("third", 9)] {
        fs::write(releases.path(&format!("{name}.jsonl")), format!("{}\n", spot(id))).expect("a file");
    }
    let data_dir = TestDir::new();
    let serving = data_dir.serve_release(&base, &[]).await;
    let search = json!({"filter": {"dma_name": "Reno Test"}, "fieldSet": ["id"]});
    let import = ["import", "inventory", "--release", "@base", "--source"];
    // One import of two files.
    let first = ["Example Outdoor", "--vintage", "2026-06-30", "@one.jsonl", "@other.jsonl"];
    let printed = releases.printed(&[&import[..], &first].concat()).await;
    assert!(printed.starts_with("2 rows: 2 accepted ") && printed.contains("restart one that is running"));
    releases
        .printed(&[&import[..], &["Other Outdoor", "--vintage", "2026-07-01", "@third.jsonl"]].concat())
        .await;
    let running = sources(&serving, "/msearch/inventory", &search).await;
    assert_eq!(running, (Vec::new(), Value::Null), "the service keeps the release that it opened");
    serving.interrupt().await;

    let serving = data_dir.serve_release(&base, &[]).await;
    let source = |name: &str, vintage: &str| json!({"source": name, "data_vintage": vintage});
    let (one, other) = (source("Example Outdoor", "2026-06-30"), source("Other Outdoor", "2026-07-01"));
    let found = sources(&serving, "/msearch/inventory", &search).await;
    assert_eq!(found, (vec![one.clone(), other], 2.into()));
    let mut page = search.clone();
    page["pagination"] = json!({"page_size": 2});
    // Only sources of the records in the answer.
    assert_eq!(sources(&serving, "/msearch/inventory", &page).await, (vec![one], 1.into()));
    let places = sources(&serving, "/v2/msearch", &json!({"filter": {"place_name": "starbucks"}})).await;
    assert_eq!(
        (places.0.len(), &places.1, &places.0[0]["data_vintage"]),
        (1, &1.into(), &json!("2024-11-30"))
    );
    serving.interrupt().await;
}
