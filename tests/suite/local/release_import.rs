//! Tests of `marquee release import`, and of the service with an imported release.

use std::fs;
use std::path::Path;

use dataset::Folder;
use dataset::inventory::{FieldSet, Inventory};
use harness::{root, sample_release};
use http::Method;
use serde_json::{Value, json};

use super::release::{ReleasesDir, manifest};
use super::{Serving, TestDir};

/// Copies an example into the folder, so that rejected rows are written next to the copy.
fn example(releases: &ReleasesDir, name: &str) {
    fs::copy(root().join("data/examples").join(name), releases.path(name)).expect("an example");
}

fn extension(file: &str) -> &str {
    file.rsplit_once('.').expect("a name with an extension").1
}

/// Returns the line numbers and reasons of rejected rows.
fn reasons(rejects: &Path) -> Vec<String> {
    let text = fs::read_to_string(rejects).expect("rejected rows");
    let lines = text.lines().filter(|line| !line.starts_with("\"_line\",\"_reason\","));
    let members = |line: &str| {
        let Ok(row) = serde_json::from_str::<Value>(line.trim_end_matches(',')) else {
            // In a line that isn't JSON, the line number and the reason come first.
            let (line, rest) = line.strip_prefix("{\"_line\":")?.split_once(",\"_reason\":\"")?;
            return Some(format!("{line},{}", rest.split_once("\",\"")?.0));
        };
        let marked = if row["properties"].is_object() { &row["properties"] } else { &row };
        Some(format!("{},{}", marked["_line"], marked["_reason"].as_str()?))
    };
    match rejects.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => lines.map(str::to_owned).collect(),
        _ => lines.filter_map(members).collect(),
    }
}

async fn post(serving: &Serving, path: &str, body: &Value) -> harness::Answer {
    let key = ("X-API-Key", serving.credentials.enterprise_key.as_str());
    serving.call(Method::POST, path, key, Some(body)).await
}

async fn profile(serving: &Serving, id: u64) -> Value {
    serving.get(&format!("/v2/place/profiles/{id}"), &serving.credentials.enterprise_key).await.data()
}

async fn report(serving: &Serving, ids: &[u64]) -> harness::Answer {
    post(serving, "/v2/measures/place/report", &json!({ "place_id": ids })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn import_accepts_places_in_every_format_only_once() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let jsonl = json!({
        "place_name": "Blue Kettle Reno",
        "place_type": "Coffee Shop",
        "latitude": 39.5296,
        "longitude": -119.8138,
    });
    fs::write(releases.path("places.jsonl"), format!("{jsonl}\n{{}}\n")).expect("a file");
    let missing = "place_name is missing; place_type is missing; latitude is missing; longitude is missing";
    for (file, map, summary, rejected) in [
        (
            "places.csv",
            Some("places_map.toml"),
            "5 rows: 4 accepted (1 of them outside the United States, 0 with derived ids), 1 rejected",
            "6,\"latitude and longitude are both 0",
        ),
        (
            "sights.geojson",
            Some("sights_map.toml"),
            "3 rows: 2 accepted (0 of them outside the United States, 2 with derived ids), 1 rejected",
            "3,the geometry is a \"LineString\", not a Point",
        ),
        (
            "places.jsonl",
            None,
            "2 rows: 1 accepted (0 of them outside the United States, 1 with derived ids), 1 rejected",
            &format!("2,{missing}"),
        ),
    ] {
        if let Some(map) = map {
            example(&releases, file);
            example(&releases, map);
        }
        let map = map.map(|map| format!("@{map}"));
        let map = map.as_ref().map_or_else(Vec::new, |map| vec!["--map", map]);
        let (source, rejects) =
            (format!("@{file}"), releases.path(&format!("{file}.rejects.{}", extension(file))));
        let import = [&["import", "places", &source, "--release", "@base"][..], &map].concat();

        let before = manifest(&base);
        let dry = releases.printed(&[&import[..], &["--dry-run"]].concat()).await;
        assert_eq!(dry.lines().next(), Some(summary), "{file}");
        assert!(dry.ends_with("a dry run: no release was written\n"), "{dry}");
        assert_eq!(manifest(&base), before);
        let said = reasons(&rejects);
        assert!(said.len() == 1 && said[0].starts_with(rejected), "{said:?}");

        fs::remove_file(&rejects).expect("the rejected rows of the dry run");
        let printed = releases.printed(&import).await;
        assert_eq!(printed.lines().next(), Some(summary), "{file}");
        assert_eq!(reasons(&rejects), said);
        let after = manifest(&base);
        assert_ne!(after["name"], before["name"]);
        assert!(printed.contains(after["name"].as_str().expect("a name")), "{printed}");

        // The second import finds every row in the release, and keeps the earlier file of rejected rows.
        let refused = releases.refused(&import).await;
        let second = format!("{file}.rejects-2.{}", extension(file));
        let expected = format!(
            "{file}: no row was accepted, so no release was written; the rejected rows, with their lines and \
             reasons, are in {second}"
        );
        assert_eq!(refused, expected);
        assert_eq!(reasons(&rejects), said);
        let second = reasons(&releases.path(&second));
        let duplicates =
            second.iter().filter(|reason| reason.contains("of the release has the same")).count();
        assert_eq!(duplicates, second.len() - 1, "{file}");
        assert_eq!(manifest(&base), after);
    }
    releases.printed(&["verify", "@base"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_place_is_found_and_has_a_profile_without_figures() {
    let releases = ReleasesDir::new();
    releases.sample("base");
    example(&releases, "places.csv");
    example(&releases, "places_map.toml");
    let import = [
        "import",
        "places",
        "@places.csv",
        "--map",
        "@places_map.toml",
        "--release",
        "@base",
        "--out",
        "@new",
    ];
    releases
        .printed(&[&import[..], &["--source", "Example Coffee", "--vintage", "2026-06-30"]].concat())
        .await;
    let base = manifest(&releases.path("base"));
    assert_eq!(base["name"], sample_release().manifest().name.as_str(), "the base release is unchanged");
    let sources = manifest(&releases.path("new"))["sources"].as_array().expect("sources").clone();
    assert_eq!(
        sources.last().map(|source| [&source["name"], &source["vintage"]]),
        Some([&json!("Example Coffee"), &json!("2026-06-30")])
    );

    let data_dir = TestDir::new();
    let serving = data_dir.serve_release(&releases.path("new"), &[]).await;
    let found = post(&serving, "/v2/msearch", &json!({ "filter": { "place_name": "blue kettle" } })).await;
    let found = found.json()["data"]["results"].as_array().expect("places").clone();
    let mut names: Vec<_> = found.iter().map(|place| place["place_name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    let expected = [
        "Blue Kettle Anchorage, Downtown",
        "Blue Kettle Boston",
        "Blue Kettle Times Square",
        "Blue Kettle Toronto",
    ];
    assert_eq!(names, expected);

    let new_york = profile(&serving, 1001).await;
    assert_eq!(
        (&new_york["market"]["dma"]["id"], &new_york["visits"]),
        (&json!("US2020XDMA501"), &Value::Null)
    );
    assert_eq!(new_york["published_date"], "2025-03-14");
    assert_eq!(profile(&serving, 1003).await["published_date"], "2026-06-30");
    let toronto = profile(&serving, 1004).await;
    for area in ["county", "state", "cbsa", "dma"] {
        assert_eq!(toronto["market"][area], Value::Null, "{area}: {toronto}");
    }
    assert_eq!((&toronto["city"], &toronto["postal_code"]), (&json!("Toronto"), &json!("M5X 1A9")));
    let unmeasured = report(&serving, &[1001]).await;
    assert_eq!(unmeasured.error(), (404, "NOT_FOUND".to_owned()));
    assert!(unmeasured.text().contains("has been measured yet"), "{}", unmeasured.text());
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn import_accepts_inventory_as_columns_and_as_full_records() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    for name in ["linknyc_kiosks.csv", "linknyc.toml"] {
        fs::copy(root().join("data/inventory").join(name), releases.path(name)).expect("an example");
    }
    let import =
        ["import", "inventory", "@linknyc_kiosks.csv", "--map", "@linknyc.toml", "--release", "@base"];
    let before = manifest(&base);
    let refused = releases.refused(&[&import[..], &["--rejects", "@kiosks.csv"]].concat()).await;
    assert!(refused.contains("no row was accepted"), "{refused}");
    let others = reasons(&releases.path("kiosks.csv"));
    let of_another = "is of another source, \"\"NYC OpenData, LinkNYC Kiosk Locations";
    assert!(others.len() == 2235 && others.iter().all(|reason| reason.contains(of_another)), "{}", others[0]);
    let sources = ["--source", "NYC OpenData, LinkNYC Kiosk Locations (missing fields are modelled)"];
    let import = [&import[..], &sources, &["--vintage", "2025-04-26"]].concat();
    let dry = releases.printed(&[&import[..], &["--dry-run"]].concat()).await;
    let summary = "2235 rows: 2235 accepted (2235 of them in the place of spots of the release, 0 outside the \
                   United States, 2235 with derived ids, 0 not measured, which no search returns), 0 rejected";
    assert_eq!(dry.lines().next(), Some(summary));
    assert_eq!(manifest(&base), before);
    releases.printed(&import).await;
    // The imported spots equal those of the sample, except that the sample also has its empty members.
    let of_sample = spots_in(sample_release());
    let imported = spots_in(&Folder::open(&base).expect("a release"));
    assert_eq!(imported.len(), of_sample.len());
    for (imported, own) in imported.iter().zip(&of_sample) {
        assert_eq!(known_of(imported), known_of(own));
    }
    let (kiosk, own) = (&imported[0], &of_sample[0]);
    assert_eq!(own["location"]["place_types"], json!({ "name": "" }), "{own}");
    assert!(kiosk["location"].get("place_types").is_none() && kiosk["location"].get("places").is_none());

    let spot = json!({
        "spot_id": 7,
        "location": { "geometry": { "type": "Point", "coordinates": [-119.8138, 39.5296] }, "dma_id": "811" },
        "layouts": [{ "faces": [{ "spots": [{ "measures": [{ "at_home": "20260630" }] }] }] }],
    });
    fs::write(releases.path("feed.jsonl"), format!("{spot}\n{spot}\n{{\"spot_id\": 8}}\n")).expect("a file");
    let feed = ["import", "inventory", "@feed.jsonl", "--release", "@base", "--source", "Example Outdoor"];
    let printed = releases.printed(&feed).await;
    let summary = "3 rows: 1 accepted (0 of them in the place of spots of the release, 0 outside the United \
                   States, 0 with derived ids, 0 not measured, which no search returns), 2 rejected";
    assert_eq!(printed.lines().next(), Some(summary));
    let said = reasons(&releases.path("feed.jsonl.rejects.jsonl"));
    assert!(said[0].starts_with("2,row 1 of the file has the same spot_id 7"), "{said:?}");
    assert!(said[1].starts_with("3,location.geometry: is missing; a spot is at a point"), "{said:?}");
    releases.printed(&["verify", "@base"]).await;
    let (before, after) =
        (&before["files"]["inventory"]["rows"], &manifest(&base)["files"]["inventory"]["rows"]);
    for rows in ["spots", "measured_spots"] {
        assert_eq!(after[rows].as_u64(), before[rows].as_u64().map(|rows| rows + 1), "{rows}");
    }
    let about = manifest(&base)["provenance"]["inventory"]["source"].clone();
    assert!(about.as_str().is_some_and(|source| source.ends_with("; Example Outdoor")), "{about}");
}

/// Returns every spot of a release by ascending ID.
fn spots_in(release: &Folder) -> Vec<Value> {
    let inventory = Inventory::open(release).expect("an inventory");
    let records = inventory.indexes().map(|index| inventory.record(index, FieldSet::ALL));
    records.map(|record| serde_json::to_value(record).expect("JSON")).collect()
}

/// Returns a record without nulls, empty strings, empty lists, and empty objects.
fn known_of(record: &Value) -> Value {
    let known = |value: &Value| Some(known_of(value)).filter(|value| !is_empty(value));
    match record {
        Value::Object(members) => {
            let members = members.iter().filter_map(|(name, value)| Some((name.clone(), known(value)?)));
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(known_of).collect(),
        other => other.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    [Value::Null, json!(""), json!([]), json!({})].contains(value)
}

/// Returns the example record of the documentation, which has 700 weekly visits, for a place of the sample.
fn record(place: u64) -> Value {
    let text = fs::read_to_string(root().join("docs/reference/data-format.md")).expect("the documentation");
    let line = text.lines().find(|line| line.starts_with("{\"place_id\"")).expect("an example line");
    let mut record: Value = serde_json::from_str(line).expect("JSON");
    record["place_id"] = place.into();
    record
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_records_replace_modelled_ones_and_mixed_sums_count_as_modelled() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let ids: Vec<u64> = dataset::Measures::open(sample_release())
        .expect("records")
        .ids()
        .take(2)
        .map(|id| id.raw())
        .collect();
    let with = |change: fn(&mut Value)| {
        let mut record = record(ids[0]);
        change(&mut record);
        record
    };
    let lines = [
        with(|record| record["local_visits"] = 701.into()),
        record(7),
        with(|record| record["origins"][0]["zip_code"] = "00000".into()),
        record(ids[0]),
        record(ids[0]),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(releases.path("measures.jsonl"), format!("{text}{{\"place_id\": 1\n")).expect("a file");
    let import =
        ["import", "places-measures", "@measures.jsonl", "--release", "@base", "--vintage", "2026-07-31"];
    let printed = releases.printed(&[&import[..], &["--source", "Example Panel"]].concat()).await;
    assert_eq!(printed.lines().next(), Some("6 rows: 1 accepted (one for each place), 5 rejected"));
    let said = reasons(&releases.path("measures.jsonl.rejects.jsonl"));
    let expected = [
        "1,local_visits: 701 is more than 700, the sum of visits".to_owned(),
        "2,place_id: 7 is no place of this release".to_owned(),
        "3,origins[0].zip_code: \"00000\" is no ZIP code of this release".to_owned(),
        format!("5,place_id: row 4 of the file has a record of place {} already", ids[0]),
        "6,invalid JSON: EOF while parsing an object, at byte 14".to_owned(),
    ];
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for (said, expected) in said.iter().zip(&expected) {
        assert!(said.starts_with(expected.as_str()), "{said}\nbut expected\n{expected}");
    }
    releases.printed(&["verify", "@base"]).await;

    let data_dir = TestDir::new();
    let serving = data_dir.serve_release(&base, &[]).await;
    let provenance = |answer: &harness::Answer| answer.json()["meta"]["provenance"].clone();
    let loaded = report(&serving, &ids[..1]).await;
    assert_eq!(loaded.json()["places"][0]["visits"], 700, "{}", loaded.text());
    let about = provenance(&loaded);
    // The index compares cohorts with the nation, which is based on census data.
    let source = about["source"].as_str().expect("a source");
    assert!(source.starts_with("Example Panel; shares of cohorts: US Census Bureau"), "{source}");
    assert_eq!(
        [&about["data_maturity"], &about["data_vintage"]],
        [&json!("research-preview"), &json!("2026-07-31")]
    );
    // The record has no modelled members.
    assert_eq!(loaded.json()["places"][0]["constants_of_type"], json!([]));
    assert_eq!(loaded.json()["constants_of_type"], json!([]));
    let path = format!("/v2/place/profiles/{}", ids[0]);
    let alone = serving.get(&path, &serving.credentials.enterprise_key).await;
    // A profile has no comparison with the nation.
    assert_eq!(provenance(&alone)["data_maturity"], "production");
    for modelled in [&ids[1..], &ids[..]] {
        let answer = report(&serving, modelled).await;
        assert_eq!(provenance(&answer)["data_maturity"], "synthetic-only", "{modelled:?}");
    }
    let credits = profile(&serving, ids[0]).await;
    assert_eq!((&credits["visits"], &credits["certified"]), (&json!(700), &json!(true)));
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_files_and_commands_leave_the_release_unchanged() {
    let releases = ReleasesDir::new();
    let base = releases.sample("base");
    let before = manifest(&base);
    fs::write(releases.path("a.csv"), "name\nA\n").expect("a file");
    fs::write(releases.path("map.toml"), "[columns]\nname = \"a\"\n").expect("a file");
    fs::write(releases.path("empty.jsonl"), "").expect("a file");
    let places = ["import", "places", "--release", "@base"];
    let measures = ["import", "places-measures", "--release", "@base"];
    for (command, more, says) in [
        (
            places,
            &["@a.csv"][..],
            "a.csv: there is no column \"latitude\" for latitude; the columns are \"name\"; a column map can name \
             one",
        ),
        (places, &["@a.csv", "--map", "@map.toml"], "map.toml: there is no target \"name\""),
        (places, &["@nowhere.csv"], "nowhere.csv: cannot be read: "),
        (places, &["@map.toml"], "map.toml: the name must end in .csv"),
        (places, &["@empty.jsonl"], "empty.jsonl: is empty"),
        (
            places,
            &["@a.csv", "--rejects", "@a.csv"],
            "a.csv: the rejected rows cannot be written over the rows",
        ),
        (places, &["@a.csv", "./a.csv"], "./a.csv: is the same file as a.csv; name it once"),
        (
            places,
            &["@a.csv", "@map.toml", "--rejects", "@r.csv"],
            "r.csv: the rejected rows of several files",
        ),
        (measures, &["@empty.jsonl"], "empty.jsonl: no row was accepted, so no release was written"),
        (measures, &["@nowhere.jsonl"], "nowhere.jsonl: cannot be read: "),
    ] {
        let refused = releases.refused(&[&command[..], more].concat()).await;
        assert!(refused.starts_with(says), "{more:?}: {refused}");
        let left = fs::read_dir(releases.path("")).expect("a folder").count();
        assert_eq!(left, 4, "{more:?}: the release and the three files");
        assert_eq!(manifest(&base), before, "{more:?}");
    }
    let refused = releases.refused(&["import", "places", "@a.csv", "--release", "@nowhere"]).await;
    assert!(refused.starts_with("there is no release in nowhere; "), "{refused}");
    let ended = releases.run(&["import", "places", "@a.csv", "--vintage", "2026-02-30"]).await;
    assert!(
        ended.code == Some(2) && ended.stderr.contains("must be a calendar date (YYYY-MM-DD)"),
        "{ended:?}"
    );
}
