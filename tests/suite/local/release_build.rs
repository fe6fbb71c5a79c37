//! `marquee release build`, and a service with a release from an administrator's own sources.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use harness::root;
use http::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use super::faults::LIMITED;
use super::release::{ReleasesDir, manifest, names};
use super::{Ended, Serving, TestDir, binary};

/// A register of displays that have no IDs other than the register's unit numbers.
const UNITS: &str = "Unit #,Media Type,Facing,Latitude,Longitude,Weekly Impressions 18+\n\
                     1,Bulletin,N,39.5296,-119.8138,\"12,000\"\n\
                     2,Poster,S,39.5396,-119.8138,\"9,000\"\n";

/// Writes a list of sources with the sample's places and the given entries.
fn list(releases: &ReleasesDir, entries: &str) {
    let text = format!("label = \"test\"\n[sample]\nplaces = true\n{entries}");
    fs::write(releases.path("release.toml"), text).expect("a file");
}

fn displays(files: &str, more: &str) -> String {
    format!(
        "[[displays]]\nsource = \"Example Outdoor\"\nvintage = 2026-06-30\nfiles = [{files}]\nids = \"example\"\n{more}\n"
    )
}

/// Builds a release from the list of sources.
async fn build(releases: &ReleasesDir, arguments: &[&str]) -> Ended {
    let data = root().join("data").display().to_string();
    let build = ["build", "@release.toml", "--data", &data, "--out", "@releases"];
    releases.run(&[&build[..], arguments].concat()).await
}

async fn post(serving: &Serving, path: &str, body: &Value) -> harness::Answer {
    let name = if path == "/msearch/inventory" { "apikey" } else { "X-API-Key" };
    serving.call(Method::POST, path, (name, &serving.credentials.enterprise_key), Some(body)).await
}

async fn profile(serving: &Serving, id: u64) -> Value {
    serving.get(&format!("/v2/place/profiles/{id}"), &serving.credentials.enterprise_key).await.data()
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_status_distinguishes_the_four_outcomes() {
    let releases = ReleasesDir::new();
    fs::write(releases.path("units.csv"), UNITS).expect("a file");
    list(&releases, &displays("\"units.csv\"", ""));
    let first = build(&releases, &[]).await;
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""), "{first:?}");
    assert!(
        first.stdout.contains("\nno release to compare with, so changes were not checked\n"),
        "{first:?}"
    );
    let name = manifest(&releases.path("releases/latest"))["name"].clone();

    let again = build(&releases, &[]).await;
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""), "{again:?}");
    assert!(again.stdout.contains("\nno differences\n"), "{again:?}");
    assert_eq!(manifest(&releases.path("releases/latest"))["name"], name);

    let half = UNITS.lines().take(2).collect::<Vec<_>>().join("\n");
    fs::write(releases.path("units.csv"), half).expect("a file");
    let stopped = build(&releases, &[]).await;
    assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(3), ""), "{stopped:?}");
    assert!(stopped.stderr.contains("shrank by more than 20%"), "{stopped:?}");
    assert_eq!(manifest(&releases.path("releases/latest"))["name"], name);
    let accepted = build(&releases, &["--accept-changes", "example"]).await;
    assert_eq!(accepted.code, Some(0), "{accepted:?}");
    assert!(accepted.stdout.contains("0 displays added, 0 changed, 1 removed"), "{accepted:?}");

    fs::write(releases.path("releases/latest/manifest.json"), "{}").expect("a file");
    let unchecked = build(&releases, &[]).await;
    assert_eq!(unchecked.code, Some(4), "{unchecked:?}");
    assert!(unchecked.stdout.contains("\nnotice: cannot compare with the latest release: "), "{unchecked:?}");
    assert_eq!(unchecked.stderr, "marquee: built with 1 notice; see above\n");

    list(&releases, &displays("\"nothing-*.csv\"", ""));
    let refused = build(&releases, &[]).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{refused:?}");
    assert!(refused.stderr.contains("\"nothing-*.csv\" doesn't match any file"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn summary_shows_common_reasons_and_the_files_of_rejected_rows() {
    let releases = ReleasesDir::new();
    let wrong = "3,Bulletin,N,139.5,-119.8,1\n4,Bulletin,N,140.5,-119.8,1\n5,Bulletin,N,39.5,-119.8,many\n";
    fs::write(releases.path("units.csv"), format!("{UNITS}{wrong}")).expect("a file");
    list(&releases, &displays("\"units.csv\"", "max_rejects = 2"));
    let stopped = build(&releases, &[]).await;
    assert_eq!(stopped.code, Some(3), "{stopped:?}");
    let said = "3 of 5 rows were rejected, which exceeds max_rejects = 2";
    assert!(stopped.stderr.contains(said) && stopped.stderr.contains("units.csv.rejects.csv"), "{stopped:?}");
    assert!(!releases.path("releases/latest").exists() && !releases.path("ids").exists());

    list(&releases, &displays("\"units.csv\"", "max_rejects = \"60%\""));
    let built = build(&releases, &[]).await;
    assert_eq!(built.code, Some(0), "{built:?}");
    for line in [
        "displays from Example Outdoor (example): 2 of 5 rows accepted, 2 with assigned IDs",
        "  2 rejected: latitude N is not between N and N degrees",
        "  1 rejected: weekly_impressions \"…\" is not",
    ] {
        assert!(built.stdout.lines().any(|shown| shown.starts_with(line)), "{line}\n{built:?}");
    }
    let rejects = fs::read_to_string(releases.path("units.csv.rejects.csv")).expect("rejected rows");
    assert_eq!(rejects.lines().count(), 4, "{rejects}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_build_and_a_concurrent_build_leave_the_latest_release_intact() {
    let releases = ReleasesDir::new();
    fs::write(releases.path("units.csv"), UNITS).expect("a file");
    list(&releases, &displays("\"units.csv\"", ""));
    assert_eq!(build(&releases, &[]).await.code, Some(0));
    let name = manifest(&releases.path("releases/latest"))["name"].clone();
    let more = (3..400).map(|unit| format!("{unit},Bulletin,N,39.5{unit:03},-119.8,100\n"));
    fs::write(releases.path("units.csv"), UNITS.to_owned() + &more.collect::<String>()).expect("a file");
    for millis in [5, 20, 60, 120, 200, 300] {
        let mut command = Command::new(binary("marquee"));
        let data = root().join("data");
        command.current_dir(releases.path("")).args([
            "release",
            "build",
            "release.toml",
            "--out",
            "releases",
            "--data",
        ]);
        let mut child =
            command.arg(data).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        let _ = tokio::time::timeout(Duration::from_millis(millis), child.wait()).await;
        let _ = child.kill().await;
        let latest = manifest(&releases.path("releases/latest"))["name"].clone();
        releases.printed(&["verify", "@releases/latest"]).await;
        if latest != name {
            break;
        }
    }
    let (one, other) = tokio::join!(build(&releases, &[]), build(&releases, &[]));
    for ended in [one, other] {
        assert!(matches!(ended.code, Some(0 | 4)), "{ended:?}");
    }
    releases.printed(&["verify", "@releases/latest"]).await;
    let left = names(&releases.path("releases"));
    assert!(left.iter().all(|name| !name.starts_with(".incomplete")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_leaves_releases_unchanged() {
    let releases = ReleasesDir::new();
    fs::write(releases.path("units.csv"), UNITS).expect("a file");
    list(&releases, &displays("\"units.csv\"", ""));
    assert_eq!(build(&releases, &[]).await.code, Some(0));
    let state = || (names(&releases.path("releases")), manifest(&releases.path("releases/latest")));
    let before = state();
    fs::write(releases.path("units.csv"), format!("{UNITS}3,Poster,S,39.5496,-119.8138,100\n"))
        .expect("a file");
    // Each limit on file sizes makes the build fail at a different file, until no file exceeds the limit.
    let mut failures = 0;
    for blocks in (0..).map(|power| 1_u32 << power) {
        let mut command = Command::new("sh");
        command.args(["-c", LIMITED, &blocks.to_string()]).arg(binary("marquee"));
        command.args(["release", "build", "release.toml", "--out", "releases", "--data"]);
        command.arg(root().join("data")).current_dir(releases.path("")).env_remove("RELEASE");
        let ended = Ended::from(command.output().await.expect("the program runs"));
        if ended.code == Some(0) {
            break;
        }
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{blocks}: {ended:?}");
        let names_file = ended.stderr.contains(".bin") || ended.stderr.contains("releases");
        assert!(names_file && ended.stderr.contains("File too large"), "{blocks}: {ended:?}");
        assert_eq!(state(), before, "{blocks}");
        failures += 1;
    }
    assert!(failures > 5, "{failures}");
    assert_eq!(names(&releases.path("releases")).len(), before.0.len() + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_ids_stop_the_build_and_are_recovered_from_a_release() {
    let releases = ReleasesDir::new();
    fs::write(releases.path("units.csv"), UNITS).expect("a file");
    list(&releases, &displays("\"units.csv\"", ""));
    assert_eq!(build(&releases, &[]).await.code, Some(0));
    let ids = fs::read_to_string(releases.path("ids/example.csv")).expect("assigned IDs");
    fs::remove_dir_all(releases.path("ids")).expect("a folder");
    let refused = build(&releases, &[]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("recover the file with `marquee release ids "), "{refused:?}");
    releases.printed(&["ids", "@releases/latest", "--out", "@ids"]).await;
    assert_eq!(fs::read_to_string(releases.path("ids/example.csv")).expect("recovered IDs"), ids);
    assert_eq!(build(&releases, &[]).await.code, Some(0));
    let refused = releases.refused(&["ids", "@releases/latest", "--out", "@ids"]).await;
    assert!(refused.starts_with("ids/example.csv already exists; "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn built_places_displays_and_measures_are_served_with_their_sources() {
    let releases = ReleasesDir::new();
    for name in ["places.csv", "places_map.toml"] {
        fs::copy(root().join("data/examples").join(name), releases.path(name)).expect("an example");
    }
    fs::write(releases.path("units.csv"), UNITS).expect("a file");
    let text = fs::read_to_string(root().join("docs/reference/data-format.md")).expect("the documentation");
    let line = text.lines().find(|line| line.starts_with("{\"place_id\"")).expect("an example line");
    let mut record: Value = serde_json::from_str(line).expect("JSON");
    record["place_id"] = 1001.into();
    fs::write(releases.path("visits.jsonl"), record.to_string()).expect("a file");
    let places = "[[places]]\nsource = \"Example Coffee\"\nvintage = 2026-06-30\nfiles = [\"places.csv\"]\n\
                  map = \"places_map.toml\"\n[[place_measures]]\nsource = \"Example Panel\"\nvintage = 2026-07-31\n\
                  files = [\"visits.jsonl\"]\n";
    list(&releases, &format!("{}{places}", displays("\"units.csv\"", "")));
    let built = build(&releases, &[]).await;
    assert_eq!(built.code, Some(0), "{built:?}");

    let data_dir = TestDir::new();
    let serving = data_dir.serve_release(&releases.path("releases/latest"), &[]).await;
    let found = post(&serving, "/v2/msearch", &json!({ "filter": { "place_name": "blue kettle" } })).await;
    assert_eq!(found.json()["data"]["results"].as_array().map(Vec::len), Some(4), "{}", found.text());
    // Visits to the administrator's own places are measured or missing. Visits to the sample's places are
    // modelled.
    let own = found.json()["data"]["results"].as_array().expect("places").clone();
    assert!(own.iter().all(|row| row["maturity"] == "production"), "{own:?}");
    let others = post(&serving, "/v2/msearch", &json!({ "filter": { "brand": "Starbucks" } })).await;
    assert_eq!(others.json()["data"]["results"][0]["maturity"], "synthetic-only");
    let new_york = profile(&serving, 1001).await;
    assert_eq!(new_york["maturity"], "production");
    assert_eq!(
        [&new_york["market"]["dma"]["id"], &new_york["visits"], &new_york["certified"]],
        [&json!("US2020XDMA501"), &json!(700), &json!(true)]
    );
    assert_eq!(profile(&serving, 1003).await["published_date"], "2026-06-30");
    let report = post(&serving, "/v2/measures/place/report", &json!({ "place_id": [1001] })).await;
    let about = &report.json()["meta"]["provenance"];
    assert!(about["source"].as_str().is_some_and(|source| source.starts_with("Example Panel; ")), "{about}");
    let search = json!({ "filter": { "media_owner": "Unknown Outdoor" }, "fieldSet": ["id"] });
    assert_eq!(post(&serving, "/msearch/inventory", &search).await.json()["total"], 0);
    let search = json!({ "filter": { "state": "NV", "exclude_modelled": true } });
    let found = post(&serving, "/msearch/inventory", &search).await.json();
    assert_eq!((&found["total"], &found["results"][0]["persons"]), (&json!(2), &json!("18+")), "{found}");
    assert_eq!(found["results"][0]["maturity"], "production");
    let source = json!({ "source": "Example Outdoor", "data_vintage": "2026-06-30" });
    assert_eq!(found["meta"]["provenance"]["sources"], json!([source]));
    serving.interrupt().await;
}
