//! Damaged releases: reads are retried or refused, errors name the damaged object, and no partial file
//! remains.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use dataset::{MANIFEST, Part};
use futures_util::future::join_all;
use harness::{BucketServer, Corruption};
use release_store::{BucketFailure, PackedError, PackedFault, ReleaseUnavailable, open};
use serde_json::{Value, json};

use super::{BUCKET, PACKED, Scratch, assert_same_files, names_in, noise, packed_object, published, sha256};

/// The size of a full frame before compression, in bytes.
const FRAME: usize = 2 * 1024 * 1024;

/// Returns a release's parts. The places take up three frames.
fn parts() -> BTreeMap<Part, Vec<u8>> {
    BTreeMap::from([(Part::Places, noise(2 * FRAME + 4_321)), (Part::Population, noise(5_000))])
}

#[tokio::test]
async fn inconsistent_description_is_refused_before_fetching_parts() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change, &str); 16] = [
        ("no part", |packed| drop(places(packed).take()), "is not a valid description of a packed release"),
        ("format", |packed| packed["format"] = json!(2), "has format 2, but this program reads format 1"),
        ("absent", |packed| drop(of(packed, "parts").remove("places")), "does not describe places.bin"),
        (
            "outside",
            |packed| places(packed)["object"] = json!("../x/places.bin.0123456789ab.zst"),
            " for places.bin; a name must be ",
        ),
        (
            "of another",
            |packed| places(packed)["object"] = json!("measures.bin.0123456789ab.zst"),
            " for places.bin; a name must be ",
        ),
        (
            "no digits",
            |packed| places(packed)["object"] = json!("places.bin.0123456789aG.zst"),
            " for places.bin; a name must be ",
        ),
        ("object longer", |packed| add(&mut places(packed)["bytes"], 1), "frames for places.bin, "),
        ("object absurd", |packed| places(packed)["bytes"] = json!(u64::MAX), "frames for places.bin, "),
        ("frame longer", |packed| add(&mut frame(packed, 1)["packed_bytes"], 1), "frames for places.bin, "),
        (
            "frame absurd",
            |packed| frame(packed, 1)["packed_bytes"] = json!(u64::MAX),
            "frame 1 of places.bin is 18446744073709551615 bytes packed",
        ),
        (
            "frame empty",
            |packed| frame(packed, 1)["packed_bytes"] = json!(0),
            "frame 1 of places.bin is 0 bytes packed",
        ),
        (
            "unpacks to more",
            |packed| add(&mut frame(packed, 2)["unpacked_bytes"], 1),
            "frames for places.bin that unpack to 4198626 bytes, but the manifest says 4198625",
        ),
        (
            "unpacks to too much",
            |packed| frame(packed, 0)["unpacked_bytes"] = json!(FRAME + 1),
            "frame 0 of places.bin is",
        ),
        (
            "unpacks to nothing",
            |packed| frame(packed, 0)["unpacked_bytes"] = json!(0),
            "frame 0 of places.bin is",
        ),
        ("missing frame", |packed| drop(frames(packed).remove(1)), "frames for places.bin, "),
        (
            "frame twice",
            |packed| {
                let again = frame(packed, 0).clone();
                frames(packed).push(again)
            },
            "frames for places.bin, ",
        ),
    ];
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release_of("large", &parts())).await;
    let file = server.object(BUCKET, &format!("{name}/{PACKED}"));
    let whole = fs::read(&file).expect("a description");
    for (what, change, says) in cases {
        let mut packed = serde_json::from_slice(&whole).expect("JSON");
        change(&mut packed);
        fs::write(&file, packed.to_string()).expect("written");
        server.take();
        let error = open(&scratch.config(&server, &name), &[Part::Population]).await.expect_err(what);
        assert!(matches!(error, ReleaseUnavailable::Packed { .. }), "{what}: {error}");
        let error = error.to_string();
        let expected = format!("the release at s3://{BUCKET}/{name} cannot be used: {PACKED}: ");
        assert!(error.starts_with(&expected) && error.contains(says), "{what}: {error}");
        assert_eq!(server.take().len(), 2, "{what}: only the manifest and the description are read");
        assert_eq!(names_in(&scratch.path("cache")), [format!("{name}.lock")], "{what}");
    }
}

#[tokio::test]
async fn missing_truncated_and_oversized_descriptions_are_refused() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release("spring")).await;
    let file = server.object(BUCKET, &format!("{name}/{PACKED}"));
    let whole = fs::read(&file).expect("a description");
    let cases = [
        (
            "cut off",
            Some(whole[..whole.len() / 2].to_vec()),
            "is not a valid description of a packed release",
        ),
        ("too large", Some(vec![b' '; 2 * 1024 * 1024]), "exceeds the limit of 1048576 bytes"),
        ("missing", None, "does not exist"),
    ];
    for (what, bytes, says) in cases {
        match bytes {
            Some(bytes) => fs::write(&file, bytes).expect("written"),
            None => fs::remove_file(&file).expect("removed"),
        }
        let error = open(&scratch.config(&server, &name), &[Part::Places]).await.expect_err(what).to_string();
        assert!(error.contains(&name) && error.contains(PACKED), "{what}: {error}");
        assert!(error.contains(says), "{what}: {error}");
        assert_eq!(names_in(&scratch.path("cache")), [format!("{name}.lock")], "{what}");
    }
}

#[tokio::test]
async fn altered_objects_are_refused_and_not_kept() {
    /// A change to an object, and optionally to the description of its frames.
    type Spoil = fn(&mut Vec<u8>, &mut Value);
    let cases: [(&str, Spoil, &str); 7] = [
        ("truncated", |object, _| object.truncate(100), "does not have the"),
        ("lengthened", |object, _| object.push(0), "does not have the"),
        ("emptied", |object, _| object.clear(), "is shorter than expected"),
        (
            "altered",
            |object, _| *object.last_mut().expect("a byte") ^= 1,
            "frame 2 does not match packed.json: its SHA-256 differs",
        ),
        (
            "no zstd, with the right digest",
            |object, packed| {
                object[0] ^= 1;
                describe(object, frame(packed, 0), 0);
            },
            "frame 0 does not unpack to 2097152 bytes, the length in packed.json",
        ),
        (
            "unpacks to less",
            |object, packed| {
                let start = number(frame(packed, 0), "packed_bytes");
                replace_frame(object, packed, 1, start, &noise(FRAME - 1));
            },
            "frame 1 does not unpack to 2097152 bytes, the length in packed.json: it unpacks to 2097151",
        ),
        (
            "unpacks to more",
            |object, packed| {
                let start = number(frame(packed, 0), "packed_bytes");
                replace_frame(object, packed, 1, start, &noise(FRAME + 1));
            },
            "frame 1 does not unpack to 2097152 bytes, the length in packed.json",
        ),
    ];
    for (what, corrupt, says) in cases {
        let scratch = Scratch::new();
        let (server, bucket) = scratch.bucket().await;
        let name = published(&bucket, &scratch.release_of("large", &parts())).await;
        change(&server, &name, corrupt);
        let error = open(&scratch.config(&server, &name), &parts_of()).await.expect_err(what).to_string();
        assert!(error.contains("places.bin.") && error.contains(says), "{what}: {error}");
        assert!(error.contains(&format!("s3://{BUCKET}/{name}")), "{what}: {error}");
        assert_eq!(names_in(&scratch.path("cache")), [format!("{name}.lock")], "{what}");
    }
}

#[tokio::test]
async fn valid_frames_of_another_part_are_refused() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release_of("large", &parts())).await;
    // The bytes come from a different frame with the same unpacked length, and the digest is correct.
    change(&server, &name, |object, packed| {
        let start = number(frame(packed, 0), "packed_bytes");
        let mut other = noise(FRAME);
        other.reverse();
        replace_frame(object, packed, 1, start, &other);
    });
    let error = open(&scratch.config(&server, &name), &parts_of())
        .await
        .expect_err("the content differs")
        .to_string();
    let said = "cannot be used: places.bin: does not match the manifest: its SHA-256 differs";
    assert!(error.ends_with(said), "{error}");
    assert_eq!(names_in(&scratch.path("cache")), [format!("{name}.lock")]);
}

#[tokio::test]
async fn missing_object_is_reported_by_name() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, &scratch.release("spring")).await;
    let object = packed_object(&server, &name, Part::Places);
    fs::remove_file(&object).expect("removed");
    let error =
        open(&scratch.config(&server, &name), &[Part::Places]).await.expect_err("the object is missing");
    let ReleaseUnavailable::Bucket(error) = &error else { panic!("{error}") };
    let key = format!("{name}/{}", object.file_name().expect("a name").display());
    assert_eq!((&error.key, &error.failure), (&key, &BucketFailure::Missing));
}

#[tokio::test]
async fn corrupted_downloads_are_retried_a_limited_number_of_times() {
    let cases = [
        (Corruption::BrokenOff, 2, "the response was interrupted"),
        (Corruption::Still, 1, "the response is slower than 32768 bytes per second"),
        (Corruption::Slow, 1, "the response is slower than 32768 bytes per second"),
        (Corruption::Altered, 2, "frame 0 does not match packed.json: its SHA-256 differs"),
    ];
    // The cases run concurrently because they mostly wait.
    join_all(cases.map(|(spoiled, passes, says)| fetched_again(spoiled, passes, says))).await;
}

async fn fetched_again(spoiled: Corruption, passes: usize, says: &str) {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release_of("large", &BTreeMap::from([(Part::Places, noise(300_000))]));
    let name = published(&bucket, &release).await;
    let mut config = scratch.config(&server, &name);
    config.buckets.attempt_timeout = Duration::from_secs(1);
    server.corrupt("places.bin", spoiled, passes);
    let opened = open(&config, &[Part::Places]).await.unwrap_or_else(|error| panic!("{spoiled:?}: {error}"));
    assert_same_files(&release, &opened, &[Part::Places]);

    fs::remove_dir_all(scratch.path("cache")).expect("removed");
    server.corrupt("places.bin", spoiled, usize::MAX);
    let error = open(&config, &[Part::Places]).await.expect_err("a part is damaged").to_string();
    assert!(error.contains("places.bin.") && error.contains(says), "{spoiled:?}: {error}");
    assert_eq!(names_in(&scratch.path("cache")), [format!("{name}.lock")], "{spoiled:?}");
}

#[tokio::test]
async fn interrupted_reads_of_manifest_and_description_are_retried() {
    let cases = [(MANIFEST, Corruption::Still), (PACKED, Corruption::Still), (PACKED, Corruption::BrokenOff)];
    for (file, spoiled) in cases {
        let scratch = Scratch::new();
        let (server, bucket) = scratch.bucket().await;
        let release = scratch.release("spring");
        let name = published(&bucket, &release).await;
        let mut config = scratch.config(&server, &name);
        config.buckets.attempt_timeout = Duration::from_secs(1);
        server.corrupt(file, spoiled, 1);
        let opened = open(&config, &[Part::Places]).await.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_same_files(&release, &opened, &[Part::Places]);
    }
}

#[test]
fn errors_name_the_damaged_object() {
    let error = PackedError {
        object: "places.bin.0123456789ab.zst".to_owned(),
        fault: PackedFault::Digest { frame: 3 },
    };
    let said = "places.bin.0123456789ab.zst: frame 3 does not match packed.json: its SHA-256 differs";
    assert_eq!(error.to_string(), said);
}

fn parts_of() -> Vec<Part> {
    parts().into_keys().collect()
}

/// Changes the packed places and their description in the bucket.
fn change(server: &BucketServer, name: &str, change: impl FnOnce(&mut Vec<u8>, &mut Value)) {
    let file = packed_object(server, name, Part::Places);
    let description = server.object(BUCKET, &format!("{name}/{PACKED}"));
    let mut packed: Value =
        serde_json::from_slice(&fs::read(&description).expect("a description")).expect("JSON");
    let mut object = fs::read(&file).expect("an object");
    change(&mut object, &mut packed);
    write(&file, &object);
    write(&description, packed.to_string().as_bytes());
}

/// Replaces a frame's bytes and updates its description, except for `unpacked_bytes`.
fn replace_frame(object: &mut Vec<u8>, packed: &mut Value, index: usize, start: usize, bytes: &[u8]) {
    let end = start + number(frame(packed, index), "packed_bytes");
    let other = zstd::bulk::compress(bytes, 3).expect("the part is packed");
    object.splice(start..end, other.iter().copied());
    frame(packed, index)["packed_bytes"] = json!(other.len());
    places(packed)["bytes"] = json!(object.len());
    describe(object, frame(packed, index), start);
}

/// Updates a frame's digest to match its bytes.
fn describe(object: &[u8], frame: &mut Value, start: usize) {
    let bytes = &object[start..start + number(frame, "packed_bytes")];
    frame["sha256"] = json!(sha256(bytes));
}

fn places(packed: &mut Value) -> &mut Value {
    &mut packed["parts"]["places"]
}

fn frames(packed: &mut Value) -> &mut Vec<Value> {
    places(packed)["frames"].as_array_mut().expect("frames")
}

fn frame(packed: &mut Value, index: usize) -> &mut Value {
    &mut frames(packed)[index]
}

fn of<'a>(value: &'a mut Value, member: &str) -> &'a mut serde_json::Map<String, Value> {
    value[member].as_object_mut().expect("an object")
}

fn number(value: &Value, member: &str) -> usize {
    value[member].as_u64().expect("a number").try_into().expect("a length")
}

fn add(value: &mut Value, more: u64) {
    *value = json!(value.as_u64().expect("a number") + more);
}

fn write(file: &Path, bytes: &[u8]) {
    fs::write(file, bytes).expect("written");
}
