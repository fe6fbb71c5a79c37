//! `marquee release diff` and `list`, and commands that read releases in a bucket.

use std::fs;
use std::os::unix::fs::symlink;

use dataset::{Folder, MANIFEST};
use harness::BucketServer;

use super::release::ReleasesDir;

/// Creates the sample release and a release with different displays. Returns the names in their manifests.
async fn sample_and_other(releases: &ReleasesDir) -> [String; 2] {
    releases.sample("sample");
    let synthesize = ["synthesize", "--spots", "50", "--release", "@sample", "--out", "@made"];
    releases.printed(&synthesize).await;
    let made = releases.path("made/latest").canonicalize().expect("a release");
    fs::rename(made, releases.path("other")).expect("a new name");
    ["sample", "other"].map(|name| {
        let folder = Folder::open(&releases.path(name)).expect("a release");
        folder.manifest().name.clone()
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn diff_prints_counts_and_details() {
    let releases = ReleasesDir::new();
    sample_and_other(&releases).await;
    assert_eq!(releases.printed(&["diff", "@sample", "@sample"]).await, "no differences\n");
    let counts = releases.printed(&["diff", "@sample", "@other"]).await;
    let expected = "\
50 displays added, 0 changed, 6065 removed
  NYC OpenData, Bus Stop Shelters (panels and impressions are modelled) (nyc-bus-shelters): 0 added, 0 changed, 3330 removed; \
         3330 before, 0 after
  NYC OpenData, LinkNYC Kiosk Locations (missing fields and impressions are modelled) (citybridge): 0 added, 0 changed, \
         2176 removed; 2176 before, 0 after
";
    assert!(counts.starts_with(expected), "{counts}");
    let detailed = releases.printed(&["diff", "@sample", "@other", "--details"]).await;
    let rows = detailed.strip_prefix(&counts).and_then(|rest| rest.strip_prefix("\ndisplays\n"));
    let rows: Vec<&str> = rows.expect("the rows follow the counts").lines().collect();
    assert_eq!(rows.iter().filter(|row| row.starts_with("+ ")).count(), 50);
    assert_eq!(rows.iter().filter(|row| row.starts_with("- ")).count(), 6065);
    assert_eq!(rows.len(), 6115);

    let places = releases.path("other/places.bin");
    let length = fs::metadata(&places).expect("a file").len() as usize;
    fs::remove_file(&places).expect("a file");
    fs::write(&places, vec![0; length]).expect("a file");
    let refused = releases.refused(&["diff", "@sample", "@other"]).await;
    assert!(refused.starts_with("the release in other cannot be used: places.bin: "), "{refused}");
    let refused = releases.refused(&["diff", "@sample", "@nowhere"]).await;
    assert!(refused.starts_with("there is no release in nowhere; "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn releases_in_a_bucket_are_compared_inspected_verified_and_listed() {
    let releases = ReleasesDir::new();
    let [sample, other] = sample_and_other(&releases).await;
    let server = BucketServer::start(&releases.path("server")).await;
    server.create_bucket("releases");
    let endpoint = server.connection().endpoint.expect("an address");
    let at =
        async |arguments: &[&str]| releases.printed(&[arguments, &["--endpoint", &endpoint]].concat()).await;
    let none = at(&["list", "s3://releases"]).await;
    assert_eq!(none, "there are no releases in s3://releases\n");
    for release in ["@sample", "@other"] {
        at(&["publish", release, "--bucket", "releases"]).await;
    }
    let [s3_sample, s3_other] = [&sample, &other].map(|name| format!("s3://releases/{name}"));

    let expected = releases.printed(&["diff", "@sample", "@other"]).await;
    assert_eq!(at(&["diff", &s3_sample, &s3_other]).await, expected);
    assert_eq!(at(&["diff", "@sample", &s3_other]).await, expected);
    let in_folder = releases.printed(&["inspect", "@sample"]).await;
    let (first, rest) = in_folder.split_once('\n').expect("lines");
    assert!(first.starts_with(&format!("{sample} (")), "{first}");
    assert!(rest.contains("  170090 places from chain store locators of 2024 "), "{rest}");
    assert_eq!(at(&["inspect", &s3_sample]).await, format!("{sample} ({s3_sample})\n{rest}"));
    let valid = format!("{sample} is valid: all checksums and cross-references match\n");
    assert_eq!(at(&["verify", &s3_sample]).await, valid);

    // A release without a manifest isn't published yet.
    fs::create_dir(server.object("releases", "unfinished")).expect("a new folder");
    fs::write(server.object("releases", "unfinished/packed.json"), "{}").expect("a file");
    let listed = at(&["list", "s3://releases"]).await;
    let mut names: Vec<_> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    names.sort_unstable();
    let mut expected = [sample.as_str(), other.as_str()];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert!(
        listed.lines().all(|line| line.contains("  synthetic-only    published 2") && line.ends_with(" MB"))
    );

    let (manifest, missing) = (format!("{sample}/{MANIFEST}"), "s3://releases/nothing");
    for (arguments, says) in [
        (["verify", missing].as_slice(), "s3://releases/nothing/manifest.json: does not exist"),
        (&["diff", missing, "@sample"], "s3://releases/nothing/manifest.json: does not exist"),
        (&["list", "s3://elsewhere"], "s3://elsewhere/: the bucket does not exist"),
    ] {
        let refused = releases.refused(&[arguments, &["--endpoint", &endpoint]].concat()).await;
        assert!(refused.ends_with(says), "{refused}");
    }
    fs::write(server.object("releases", &manifest), "{}").expect("a file");
    let listed = at(&["list", "s3://releases"]).await;
    let line = listed.lines().find(|line| line.starts_with(&sample)).expect("the release is listed");
    assert!(line.contains("  cannot be used: manifest.json: is not a release manifest"), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_shows_the_releases_in_a_folder_and_the_latest() {
    let releases = ReleasesDir::new();
    fs::create_dir_all(releases.path("all/empty")).expect("a new folder");
    assert_eq!(
        releases.printed(&["list", "@all"]).await,
        "there are no releases in @\n".replace('@', &releases.path("all").display().to_string())
    );
    for name in ["all/one", "all/two", "all/old"] {
        releases.sample(name);
    }
    symlink("two", releases.path("all/latest")).expect("a new link");
    let old = releases.path("all/old").join(MANIFEST);
    fs::remove_file(&old).expect("a link");
    fs::write(&old, r#"{"format": 9}"#).expect("a file");
    let listed = releases.printed(&["list", "@all"]).await;
    let line =
        |name: &str| listed.lines().find(|line| line.starts_with(name)).expect("the release is listed");
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(
        line("two").starts_with("two  synthetic-only    written 2") && line("two").ends_with(" MB  latest")
    );
    assert!(line("one").ends_with(" MB"), "{listed}");
    assert!(line("old").contains("  cannot be used: manifest.json: has format 9, "), "{listed}");

    let refused = releases.refused(&["list", "@nowhere"]).await;
    assert_eq!(refused, "there is no folder nowhere; run `marquee release build` to build a release");
    let refused = releases.refused(&["list", "@all/one"]).await;
    assert!(refused.starts_with("all/one is a release; to show its contents, run "), "{refused}");
    // Without an argument, the command lists the releases in .local/releases.
    fs::create_dir_all(releases.path(".local/releases")).expect("a new folder");
    let listed = releases.printed(&["list"]).await;
    assert_eq!(listed, "there are no releases in .local/releases\n");
}
