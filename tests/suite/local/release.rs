//! `marquee release build`, `inspect`, `verify`, and `publish`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use dataset::{FORMAT, MANIFEST, Manifest, Part};
use harness::{BucketServer, root, sample_release, sha256};
use serde_json::Value;
use tokio::process::Command;

use super::{Ended, TestDir, binary, in_time, share_build_cache};

/// A temporary folder for releases, which is deleted when the test ends.
pub(super) struct ReleasesDir(TestDir);

impl ReleasesDir {
    pub(super) fn new() -> Self {
        let dir = TestDir::new();
        share_build_cache(&dir.path().join("releases"));
        Self(dir)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Copies the sample release with hard links. Because copies share their files, tests must replace files
    /// instead of writing to them.
    pub(super) fn sample(&self, name: &str) -> PathBuf {
        let copy = self.path(name);
        fs::create_dir(&copy).expect("a new folder");
        for file in Part::ALL.map(Part::file).into_iter().chain([MANIFEST]) {
            fs::hard_link(sample_release().path().join(file), copy.join(file)).expect("a hard link");
        }
        copy
    }

    /// Runs `marquee release` until it exits. In the arguments, `@name` becomes a path in this folder.
    pub(super) async fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, &[]).await
    }

    async fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
        let mut command = Command::new(binary("marquee"));
        command.env_clear().envs(variables.iter().copied()).current_dir(self.0.path()).arg("release");
        for argument in arguments {
            match argument.strip_prefix('@') {
                Some(name) => command.arg(self.path(name)),
                None => command.arg(argument),
            };
        }
        command.stdin(Stdio::null()).kill_on_drop(true);
        in_time(command.output()).await.expect("the program runs").into()
    }

    /// Runs a command that must succeed and print nothing to standard error. Returns its standard output.
    pub(super) async fn printed(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}: {ended:?}");
        ended.stdout
    }

    /// Runs a command that must fail, and returns its error without this folder's path.
    pub(super) async fn refused(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
        let error = ended.stderr.strip_prefix("marquee: ").and_then(|error| error.strip_suffix('\n'));
        let error = error.unwrap_or_else(|| panic!("the error must have one line: {ended:?}"));
        assert!(!error.contains('\n'), "the error must have one line: {error}");
        error.replace(&format!("{}/", self.0.path().display()), "")
    }
}

pub(super) fn manifest(release: &Path) -> Value {
    let text = fs::read(release.join(MANIFEST)).expect("a manifest");
    serde_json::from_slice(&text).expect("JSON")
}

/// Replaces a file without changing its other hard links.
pub(super) fn replace(file: &Path, bytes: impl AsRef<[u8]>) {
    fs::remove_file(file).expect("a file");
    fs::write(file, bytes).expect("written");
}

fn files(release: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(release).expect("a release").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| {
            (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

/// Returns the sorted names of a folder's entries.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn sample_is_reproducible_and_describes_its_contents() {
    let releases = ReleasesDir::new();
    let data = root().join("data");
    let (list, data) = (data.join("release.toml").display().to_string(), data.display().to_string());
    let build = ["build", &list, "--data", &data, "--out", "@releases"];
    let printed = releases.printed(&build).await;
    let one = releases.path("releases/latest");
    let mut built = files(&one);
    assert_eq!(built, files(sample_release().path()), "the same bytes as the tests' sample release");
    assert_eq!(built.len(), Part::ALL.len() + 1);
    assert!(printed.starts_with("built sample-"), "{printed}");
    assert!(releases.printed(&build).await.contains("no differences"));
    assert_eq!(files(&one), built);

    built.remove(MANIFEST);
    let manifest = manifest(&one);
    let name = manifest["name"].as_str().expect("a name");
    assert!(name.starts_with("sample-") && name.len() == "sample-".len() + 32, "{name}");
    assert_eq!((&manifest["format"], &manifest["maturity"]), (&FORMAT.into(), &"synthetic-only".into()));
    for (file, bytes) in &built {
        let entry = &manifest["files"][file.trim_end_matches(".bin")];
        assert_eq!(entry["bytes"], bytes.len(), "{file}");
        assert_eq!(entry["sha256"].as_str().map(str::len), Some(64), "{file}");
        assert!(entry["rows"].as_object().is_some_and(|rows| !rows.is_empty()), "{file}");
    }
    for (figures, maturity) in [("places", "production"), ("modelled_measures", "synthetic-only")] {
        assert_eq!(manifest["provenance"][figures]["data_maturity"], maturity);
    }
    let sources = manifest["sources"].as_array().expect("sources");
    for member in ["name", "vintage", "licence"] {
        assert!(
            sources.iter().all(|source| source[member].as_str().is_some_and(|text| !text.is_empty())),
            "{member}"
        );
    }

    let printed = releases.printed(&["inspect", "@releases/latest"]).await;
    let attribution = "required attribution: Postal code data (c) GeoNames, CC BY 4.0";
    let missing = "known gap: brand coverage varies by region";
    for said in [name, "places.bin", "200686 places", "public domain", attribution, missing] {
        assert!(printed.contains(said), "{said} in {printed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn build_reports_missing_data_and_folders_that_are_not_writable() {
    let releases = ReleasesDir::new();
    let data = root().join("data");
    let (list, data) = (data.join("release.toml").display().to_string(), data.display().to_string());
    fs::create_dir(releases.path("mine")).expect("a folder");
    fs::write(releases.path("mine/notes.txt"), "mine").expect("a file");
    let refused = releases.refused(&["build", &list, "--data", &data, "--out", "@mine/notes.txt"]).await;
    assert!(refused.starts_with("the cache in mine/notes.txt/.cache cannot be used: "), "{refused}");
    let refused = releases.refused(&["build", &list, "--data", "@nowhere", "--out", "@new"]).await;
    let expected =
        "no source data in nowhere; run the command in the repository's root folder, or set --data";
    assert_eq!(refused, expected);
    let refused = releases.refused(&["build", &list, "--data", "@mine", "--out", "@new"]).await;
    assert!(refused.starts_with("mine/release.toml: cannot be read: "), "{refused}");
    let left = names(&releases.path(""));
    assert_eq!(left, ["mine", "releases"], "no release is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_release_is_refused_with_the_file_name() {
    let releases = ReleasesDir::new();
    releases.sample("whole");
    let printed = releases.printed(&["verify", "@whole"]).await;
    assert!(printed.ends_with(" is valid: all checksums and cross-references match\n"), "{printed}");
    type Spoil = fn(&Path);
    let cases: [(&str, &str, Spoil, &str); 10] = [
        (
            "truncated",
            "places.bin",
            |file| replace(file, &fs::read(file).expect("a file")[..1_000]),
            "has 1000 bytes, but the manifest says ",
        ),
        ("flipped", "measures.bin", |file| flip(file), "does not match the manifest: its SHA-256 differs"),
        (
            "missing",
            "population.bin",
            |file| fs::remove_file(file).expect("a file"),
            "No such file or directory",
        ),
        (
            "folder",
            "geographies.bin",
            |file| {
                fs::remove_file(file).expect("a file");
                fs::create_dir(file).expect("a folder");
            },
            "the manifest says",
        ),
        (
            "of-format-1",
            MANIFEST,
            |file| edit(file, |manifest| manifest["format"] = 1.into()),
            "has format 1, but this program reads format 14",
        ),
        (
            "of-another-form",
            MANIFEST,
            |file| replace(file, r#"{"format": 15, "parts": []}"#),
            "has format 15, but this program reads format 14",
        ),
        ("no-json", MANIFEST, |file| replace(file, "<html>"), "is not a release manifest"),
        (
            "named-badly",
            MANIFEST,
            |file| edit(file, |manifest| manifest["name"] = "../up".into()),
            "has the name \"../up\"; a name may contain only letters, digits, `-`, `_`, and `.`",
        ),
        (
            "endless",
            MANIFEST,
            |file| edit(file, |manifest| manifest["files"]["places"]["bytes"] = u64::MAX.into()),
            "lists places.bin with 18446744073709551615 bytes",
        ),
        (
            "altered",
            MANIFEST,
            |file| edit(file, |manifest| manifest["sources"][0]["licence"] = "none".into()),
            "does not match the release's name: the release is named \"sample-",
        ),
    ];
    for (what, file, corrupt, says) in cases {
        let release = releases.sample(what);
        corrupt(&release.join(file));
        let refused = releases.refused(&["verify", &format!("@{what}")]).await;
        let expected = format!("the release in {what} cannot be used: {file}: ");
        assert!(refused.starts_with(&expected) && refused.contains(says), "{what}: {refused}");
        // The service also refuses to start with the damaged release.
        let shown = release.display().to_string();
        let served = TestDir::new().refused(&["serve", "--port", "0", "--release", &shown]).await;
        let way_out = "; to build the sample release, run `marquee release build`\n";
        assert!(
            served.contains(file) && served.contains(says) && served.ends_with(way_out),
            "{what}: {served}"
        );
    }
    for command in ["verify", "inspect"] {
        let refused = releases.refused(&[command, "@nowhere"]).await;
        assert!(
            refused.starts_with("there is no release in nowhere; run `marquee release build` "),
            "{refused}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mixed_release_with_valid_checksums_and_name_is_refused() {
    let releases = ReleasesDir::new();
    let release = releases.sample("mixed");
    // The checksums match, but the last record refers to a place that doesn't exist.
    let places = fs::read(release.join(Part::Places.file())).expect("a file");
    let known = sample_release();
    let places_of = dataset::Places::open(known).expect("places");
    let first = dataset::Measures::open(known).expect("records").ids().next().expect("a record");
    assert!(places_of.find(first).is_some());
    let measures = fs::read(release.join(Part::Measures.file())).expect("a file");
    let needle = first.raw().to_le_bytes();
    let at = measures.windows(8).position(|bytes| bytes == needle).expect("an ID in the records");
    let mut altered = measures.clone();
    altered[at..at + 8].copy_from_slice(&1_u64.to_le_bytes());
    assert_eq!(places.len() as u64, known.manifest().files[&Part::Places].bytes);
    replace(&release.join(Part::Measures.file()), &altered);
    let manifest = known.manifest();
    let mut files = manifest.files.clone();
    files.get_mut(&Part::Measures).expect("the records").sha256 = sha256(&altered);
    let (figures, sources) = (manifest.provenance.clone(), manifest.sources.clone());
    let named = Manifest::new(manifest.label(), files, figures, sources);
    replace(&release.join(MANIFEST), named.to_json());
    let refused = releases.refused(&["verify", "@mixed"]).await;
    assert!(refused.ends_with("measures.bin: place 1: has a record, but is not in places.bin"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn publish_uploads_once_and_prints_the_deploy_command() {
    let releases = ReleasesDir::new();
    releases.sample("sample");
    let server = BucketServer::start(&releases.path("server")).await;
    server.create_bucket("releases");
    let endpoint = server.connection().endpoint.expect("an address");
    let name = &sample_release().manifest().name;
    let publish = ["publish", "@sample", "--bucket", "releases", "--endpoint", &endpoint];
    let parts = Part::ALL.len();
    let printed = releases.printed(&publish).await;
    assert!(
        printed.starts_with(&format!("published s3://releases/{name}: {parts} files and the manifest\n")),
        "{printed}"
    );
    let next = format!("\nto deploy it, run `make deploy RELEASE=s3://releases/{name}`\n");
    assert!(printed.ends_with(&next), "{printed}");
    let objects = files(&server.object("releases", name)).into_iter();
    let packed: usize =
        objects.filter(|(file, _)| file.ends_with(".zst")).map(|(_, bytes)| bytes.len()).sum();
    let unpacked: u64 = sample_release().manifest().files.values().map(|file| file.bytes).sum();
    let [packed, unpacked] = [packed as u64, unpacked].map(|bytes| bytes as f64 / 1e6);
    let said = format!("uploaded {packed:.1} MB, compressed from {unpacked:.1} MB");
    assert_eq!(printed.lines().nth(1), Some(said.as_str()));
    assert_eq!(files(&server.object("releases", name)).len(), parts + 2);
    server.take();

    let again = releases.run_with(&publish[..4], &[("S3_ENDPOINT", endpoint.as_str())]).await;
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""), "{again:?}");
    assert!(
        again
            .stdout
            .starts_with(&format!("s3://releases/{name} is already published; nothing was uploaded\n"))
    );
    assert!(again.stdout.ends_with(&next), "{again:?}");
    let calls = server.take();
    assert!(!calls.is_empty() && calls.iter().all(|call| call.method != "PUT"), "{calls:?}");

    let refused =
        releases.refused(&["publish", "@sample", "--bucket", "elsewhere", "--endpoint", &endpoint]).await;
    assert!(
        refused.contains("s3://elsewhere/") && refused.ends_with("the bucket does not exist"),
        "{refused}"
    );
    flip(&releases.path("sample/places.bin"));
    let refused = releases.refused(&publish).await;
    assert!(refused.contains("places.bin") && refused.contains("SHA-256 differs"), "{refused}");
    let refused =
        releases.refused(&["publish", "@nowhere", "--bucket", "releases", "--endpoint", &endpoint]).await;
    assert!(refused.starts_with("there is no release in nowhere; "), "{refused}");
}

/// Flips a bit in the middle of a file.
fn flip(file: &Path) {
    let mut bytes = fs::read(file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    replace(file, bytes);
}

fn edit(file: &Path, change: impl FnOnce(&mut Value)) {
    let mut manifest = serde_json::from_slice(&fs::read(file).expect("a manifest")).expect("JSON");
    change(&mut manifest);
    replace(file, manifest.to_string());
}
