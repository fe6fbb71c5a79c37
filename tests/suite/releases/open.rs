//! Opening releases: verification, partial fetching, caching, and retries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use dataset::{MANIFEST, Manifest, Part};
use harness::{BucketCall, Corruption, Logs};
use release_store::{BucketFailure, FRAMES_IN_FLIGHT, ReleaseConfig};
use release_store::{ReleaseLocation, ReleaseUnavailable, open};

use super::{BUCKET, PACKED, Scratch, assert_same_files, names_in, noise, packed_object, published};

#[tokio::test]
async fn opened_release_equals_the_published_one() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let logs = Logs::capture();
    let opened = open(&scratch.config(&server, &name), &Part::ALL).await.expect("a release");
    assert_same_files(&release, &opened, &Part::ALL);
    assert_eq!(opened.path(), scratch.path("cache").join(&name));
    let lines = logs.of("release_opened");
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let fields = &line["fields"];
    let bytes: u64 = release.manifest().files.values().map(|file| file.bytes).sum();
    assert_eq!((&fields["name"], &fields["bytes"]), (&name.into(), &bytes.into()));
    assert!(fields["fetched_bytes"].as_u64().is_some_and(|packed| (1..bytes).contains(&packed)), "{fields}");
    assert!(fields["fetch_ms"].is_u64() && fields["verify_ms"].is_u64(), "{fields}");
}

#[tokio::test]
async fn only_needed_parts_are_fetched() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release("spring")).await;
    server.take();
    let opened = open(&scratch.config(&server, &name), &[Part::Geographies]).await.expect("a release");
    let mut files = names_in(opened.path());
    files.sort();
    assert_eq!(files, ["geographies.bin", MANIFEST]);
    let object = packed_object(&server, &name, Part::Geographies);
    let object = object.file_name().expect("a name").display().to_string();
    let mut paths: Vec<_> = server.take().into_iter().map(|call| call.path).collect();
    paths[..2].sort();
    let expected = [MANIFEST, PACKED, &object].map(|file| format!("/{BUCKET}/{name}/{file}"));
    assert_eq!(paths, expected);
}

#[tokio::test]
async fn intact_cached_files_are_reused_and_damaged_ones_fetched_again() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let config = scratch.config(&server, &name);
    let parts = [Part::Geographies, Part::Places];
    let opened = open(&config, &parts).await.expect("a release");
    server.take();
    open(&config, &parts).await.expect("a cached release");
    assert_eq!(server.take(), [], "the cached release needs no requests");

    fs::write(opened.file(Part::Places), "spoiled").expect("written");
    let again = open(&config, &parts).await.expect("a release");
    assert_same_files(&release, &again, &parts);

    let more = open(&config, &Part::ALL).await.expect("a release");
    assert_same_files(&release, &more, &Part::ALL);
}

#[tokio::test]
async fn concurrent_processes_fetch_once() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let config = scratch.config(&server, &name);
    server.take();
    let parts = [Part::Places];
    let opening = [(); 3].map(|()| {
        let config = config.clone();
        tokio::spawn(async move { open(&config, &parts).await })
    });
    for opened in opening {
        let opened = opened.await.expect("no panic").expect("a release");
        assert_same_files(&release, &opened, &parts);
    }
    assert_eq!(server.take().len(), 3, "one manifest, one description, and one part");
}

#[tokio::test]
async fn partial_downloads_of_other_processes_are_ignored() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let partial = scratch.path("cache").join(format!("{name}.partial"));
    fs::create_dir_all(&partial).expect("a folder");
    fs::write(partial.join(Part::Places.file()), "half").expect("written");
    let opened = open(&scratch.config(&server, &name), &[Part::Places]).await.expect("a release");
    assert_same_files(&release, &opened, &[Part::Places]);
    assert!(!partial.exists());
}

#[tokio::test]
async fn large_parts_are_fetched_in_a_few_concurrent_ranges() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let frame = 2 * 1024 * 1024;
    let large = [
        (Part::Places, noise(2 * frame + 4_321)),
        (Part::Measures, noise(7 * frame)),
        (Part::Geographies, vec![b' '; 4 * frame]),
        (Part::Population, noise(1)),
    ];
    let release = scratch.release_of("large", &BTreeMap::from(large));
    let name = published(&bucket, &release).await;
    server.take();
    server.delay(Duration::from_millis(100));
    let parts = [(Part::Places, 3), (Part::Measures, 7), (Part::Geographies, 4), (Part::Population, 1)];
    let used = parts.map(|(part, _)| part);
    let opened = open(&scratch.config(&server, &name), &used).await.expect("a release");
    assert_same_files(&release, &opened, &used);
    let calls = server.take();
    for (part, expected) in parts {
        let object = packed_object(&server, &name, part);
        let mut ranges = ranges_of(&calls, &object);
        ranges.sort();
        assert_eq!(ranges.len(), expected, "{part:?}: {ranges:?}");
        let mut at = 0;
        for (start, end) in ranges {
            assert_eq!(start, at, "{part:?}");
            at = end;
        }
        assert_eq!(at, fs::metadata(object).expect("an object").len(), "{part:?}");
    }
    let most = server.most_in_flight();
    assert!((2..=FRAMES_IN_FLIGHT).contains(&most), "{most} concurrent requests");
}

#[tokio::test]
async fn broken_downloads_resume_where_they_stopped() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let large = [(Part::Places, noise(1_000_000))];
    let release = scratch.release_of("large", &BTreeMap::from(large));
    let name = published(&bucket, &release).await;
    server.take();
    server.corrupt(MANIFEST, Corruption::BrokenOff, 1);
    server.corrupt(Part::Places.file(), Corruption::BrokenOff, 2);
    let opened = open(&scratch.config(&server, &name), &[Part::Places]).await.expect("a release");
    assert_same_files(&release, &opened, &[Part::Places]);
    let ranges: Vec<_> = server.take().into_iter().map(|call| call.range).collect();
    // Reads the manifest again and then the part in three ranges.
    let length = fs::metadata(packed_object(&server, &name, Part::Places)).expect("an object").len();
    let from = |start: u64| Some(format!("bytes={start}-{}", length - 1));
    let halves = [0, length / 2, length / 2 + length.div_ceil(2) / 2].map(from);
    assert_eq!(ranges, [&[None, None, None], &halves[..]].concat());
}

#[tokio::test]
async fn unavailable_bucket_is_retried_a_limited_number_of_times() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    server.refuse(3);
    open(&scratch.config(&server, &name), &[Part::Places]).await.expect("a release");

    fs::remove_dir_all(scratch.path("cache")).expect("removed");
    server.refuse(usize::MAX);
    let error = open(&scratch.config(&server, &name), &[Part::Places]).await.expect_err("unavailable");
    let ReleaseUnavailable::Bucket(error) = &error else { panic!("{error}") };
    assert!(matches!(error.failure, BucketFailure::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn missing_altered_and_mismatched_manifests_are_refused() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let other = published(&bucket, &scratch.release("autumn")).await;
    let manifest = server.object(BUCKET, &format!("{name}/{MANIFEST}"));
    let config = scratch.config(&server, &name);
    fs::copy(server.object(BUCKET, &format!("{other}/{MANIFEST}")), &manifest).expect("copied");
    let error = open(&config, &[Part::Places])
        .await
        .expect_err("the manifest belongs to another release")
        .to_string();
    assert!(error.contains(MANIFEST) && error.contains(&other), "{error}");

    let altered = Manifest { provenance: BTreeMap::new(), ..release.manifest().clone() };
    fs::write(&manifest, altered.to_json()).expect("written");
    let error = open(&config, &[Part::Places]).await.expect_err("altered").to_string();
    assert!(error.contains(&format!("{MANIFEST}: does not match the release's name")), "{error}");

    fs::write(&manifest, "{").expect("written");
    let error = open(&config, &[Part::Places]).await.expect_err("no JSON").to_string();
    assert!(error.contains(MANIFEST), "{error}");

    fs::write(&manifest, vec![b' '; 2 * 1024 * 1024]).expect("written");
    let error = open(&config, &[Part::Places]).await.expect_err("the manifest is too large").to_string();
    assert!(error.contains(MANIFEST) && error.contains("1048576 bytes"), "{error}");

    fs::remove_file(&manifest).expect("removed");
    let error = open(&config, &[Part::Places]).await.expect_err("missing").to_string();
    assert!(error.contains(MANIFEST) && error.contains("does not exist"), "{error}");
}

#[tokio::test]
async fn inaccessible_bucket_is_reported_without_secrets() {
    let scratch = Scratch::new();
    let (server, _) = scratch.bucket().await;
    let mut config = scratch.config(&server, "spring");
    let location = ReleaseLocation::Bucket { bucket: "elsewhere".to_owned(), name: "spring".to_owned() };
    config.location = Ok(location);
    let error = open(&config, &[Part::Places]).await.expect_err("unknown").to_string();
    assert!(
        error.contains(&format!("s3://elsewhere/spring/{MANIFEST}: the bucket does not exist")),
        "{error}"
    );

    // The server doesn't accept these credentials.
    let secret = "wJalrXUtnFEMIsecret";
    let stranger = Credentials::new("AKIASTRANGER", secret, None, None, "test");
    let cloud = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(SharedCredentialsProvider::new(stranger));
    let mut config = scratch.config(&server, "spring");
    config.buckets.cloud =
        Some(cloud.endpoint_url(config.buckets.endpoint.take().expect("an address")).build());
    let error = open(&config, &[Part::Places]).await.expect_err("the credentials are unknown");
    let texts = format!("{error} {error:?}");
    assert!(texts.contains(&format!("s3://{BUCKET}/spring")), "{texts}");
    for part in [secret, "AKIASTRANGER", "Signature", "Authorization"] {
        assert!(!texts.contains(part), "{texts}");
    }
}

#[tokio::test]
async fn release_in_a_folder_is_verified() {
    let scratch = Scratch::new();
    let release = scratch.release("spring");
    let config = ReleaseConfig::at(ReleaseLocation::Folder(release.path().to_owned()));
    let opened = open(&config, &Part::ALL).await.expect("a release");
    assert_same_files(&release, &opened, &Part::ALL);

    alter(&release.file(Part::Places));
    open(&config, &[Part::Geographies]).await.expect("another part");
    let logs = Logs::capture();
    let error = open(&config, &Part::ALL).await.expect_err("a part is altered").to_string();
    assert!(error.contains("places.bin") && error.contains(&release.path().display().to_string()), "{error}");
    let lines = logs.of("release_refused");
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&line["level"], &line["fields"]["error"]), (&"ERROR".into(), &error.into()));

    let nowhere = scratch.path("nowhere");
    let config = ReleaseConfig::at(ReleaseLocation::Folder(nowhere.clone()));
    let error = open(&config, &[]).await.expect_err("the folder is missing").to_string();
    assert!(error.contains(&nowhere.join(MANIFEST).display().to_string()), "{error}");
}

#[tokio::test]
async fn missing_and_invalid_locations_are_reported() {
    let mut config = ReleaseConfig::default();
    let error = open(&config, &[]).await.expect_err("RELEASE is unset").to_string();
    assert!(error.contains("RELEASE is not set"), "{error}");
    let invalid = "s3://releases".parse::<ReleaseLocation>().expect_err("the location has no release name");
    config.location = Err(invalid.clone().into());
    let error = open(&config, &[]).await.expect_err("invalid").to_string();
    assert_eq!(error, format!("RELEASE {invalid}"));
}

#[tokio::test]
async fn unwritable_cache_is_reported() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release("spring")).await;
    let mut config = scratch.config(&server, &name);
    let file = scratch.path("file");
    fs::write(&file, "in the way").expect("written");
    config.cache = file.clone();
    let error = open(&config, &[Part::Places]).await.expect_err("the cache is not a folder").to_string();
    assert!(error.contains(&file.display().to_string()), "{error}");
}

/// Returns the requested ranges of an object. Each is the first byte and the byte after the last.
fn ranges_of(calls: &[BucketCall], object: &Path) -> Vec<(u64, u64)> {
    let name = object.file_name().expect("a name").to_str().expect("UTF-8");
    let calls = calls.iter().filter(|call| call.path.ends_with(name));
    let bounds = |range: &str| {
        let (start, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        Some((start.parse().ok()?, last.parse::<u64>().ok()? + 1))
    };
    calls.map(|call| call.range.as_deref().and_then(bounds).expect("a range")).collect()
}

fn alter(file: &Path) {
    let mut bytes = fs::read(file).expect("an object");
    bytes[17] ^= 1;
    fs::write(file, bytes).expect("written");
}
