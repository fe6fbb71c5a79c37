//! Publishing releases: only missing objects are uploaded, the manifest is uploaded last, and other releases
//! are never overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use dataset::{Folder, MANIFEST, Manifest, Part};
use futures_util::future::join_all;
use release_store::Bucket;
use release_store::{ReleaseLocation, Unpublished, publish};
use serde_json::{Value, json};

use super::{BUCKET, PACKED, Scratch, assert_same_files, names_in, packed_object, published, sha256};

fn no_progress(_: &str, _: u64, _: u64) {}

#[tokio::test]
async fn manifest_is_published_last_and_progress_reaches_its_total() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = &release.manifest().name;
    let said = Mutex::new(Vec::new());
    let progress = |what: &str, done: u64, total: u64| {
        said.lock().expect("the progress").push((what.to_owned(), done, total))
    };
    let published = publish(&bucket, &release, &progress).await.expect("published");
    assert_eq!(published.location, ReleaseLocation::Bucket { bucket: BUCKET.to_owned(), name: name.clone() });
    assert_eq!(published.uploaded, Part::ALL);
    let mut put: Vec<_> =
        server.take().into_iter().filter(|call| call.method == "PUT").map(|call| call.path).collect();
    assert_eq!(put.len(), Part::ALL.len() + 2);
    assert_eq!(put.pop(), Some(format!("/{BUCKET}/{name}/{MANIFEST}")));
    assert_eq!(put.pop(), Some(format!("/{BUCKET}/{name}/{PACKED}")));
    put.sort();
    let mut objects: Vec<_> = Part::ALL.map(|part| packed_object(&server, name, part)).into();
    objects.sort();
    let objects = objects.iter().map(|object| object.file_name().expect("a name").display().to_string());
    let objects: Vec<_> = objects.map(|object| format!("/{BUCKET}/{name}/{object}")).collect();
    assert_eq!(put, objects);
    let packed = objects.iter().map(|object| server.object("", &object[1..]));
    let packed: u64 = packed.map(|object| fs::metadata(object).expect("an object").len()).sum();
    let total = release.manifest().files.values().map(|file| file.bytes).sum();
    let said = said.into_inner().expect("the progress");
    assert_eq!(said[..2], [("verifying".to_owned(), 0, total), ("verifying".to_owned(), total, total)]);
    assert_eq!((published.bytes, published.packed_bytes), (total, packed));
    assert!(said.contains(&("packing".to_owned(), total, total)), "{said:?}");
    assert_eq!(said.last(), Some(&("uploading".to_owned(), packed, packed)));
    let steps = ["verifying", "packing", "uploading"];
    let step = |what: &str| steps.iter().position(|step| *step == what).expect("a step");
    assert!(said.is_sorted_by_key(|(what, done, _)| (step(what), *done)), "{said:?}");
}

#[tokio::test]
async fn publishing_again_uploads_only_missing_objects() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    server.take();
    let again = publish(&bucket, &release, &no_progress).await.expect("published");
    assert_eq!(again.uploaded, []);
    let calls = server.take();
    assert!(!calls.is_empty() && calls.iter().all(|call| call.method != "PUT"), "{calls:?}");

    fs::remove_file(packed_object(&server, &name, Part::Places)).expect("removed");
    fs::write(packed_object(&server, &name, Part::Measures), "half").expect("written");
    let again = publish(&bucket, &release, &no_progress).await.expect("published");
    assert_eq!(again.uploaded, [Part::Places, Part::Measures]);
    release_store::open(&scratch.config(&server, &name), &Part::ALL).await.expect("a complete release");
}

#[tokio::test]
async fn interrupted_publication_can_be_completed() {
    let cases: [(&str, &[&str], &[Part]); 3] = [
        ("before the manifest", &[MANIFEST], &[]),
        ("before the description", &[MANIFEST, PACKED], &[]),
        ("before an object", &[MANIFEST, PACKED, "places.bin."], &[Part::Places]),
    ];
    for (when, gone, uploaded) in cases {
        let scratch = Scratch::new();
        let (server, bucket) = scratch.bucket().await;
        let release = scratch.release("spring");
        let name = published(&bucket, &release).await;
        let folder = server.object(BUCKET, &name);
        let whole = objects(&folder);
        for file in names_in(&folder).iter().filter(|file| gone.iter().any(|gone| file.starts_with(gone))) {
            fs::remove_file(folder.join(file)).expect("removed");
        }
        release_store::open(&scratch.config(&server, &name), &Part::ALL).await.expect_err(when);
        let again = publish(&bucket, &release, &no_progress).await.expect(when);
        assert_eq!(again.uploaded, uploaded, "{when}");
        assert_eq!(objects(&folder), whole, "{when}");
        release_store::open(&scratch.config(&server, &name), &Part::ALL).await.expect(when);
    }
}

#[tokio::test]
async fn concurrent_publications_agree_on_one_description() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    server.delay(Duration::from_millis(20));
    server.conflict(2);
    let publishing = [(); 3].map(|()| publish(&bucket, &release, &no_progress));
    for published in join_all(publishing).await {
        published.expect("published");
    }
    let name = &release.manifest().name;
    assert_eq!(names_in(&server.object(BUCKET, name)).len(), Part::ALL.len() + 2);
    release_store::open(&scratch.config(&server, name), &Part::ALL).await.expect("a release");
}

#[tokio::test]
async fn objects_packed_by_another_zstd_version_are_reused() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let folder = server.object(BUCKET, &name);
    let object = pack_otherwise(&folder, &release, Part::Places);
    let before = objects(&folder);
    // The earlier publication, with a different zstd version, was interrupted in the first case and completed
    // in the second.
    for gone in [Some(MANIFEST), None] {
        if let Some(gone) = gone {
            fs::remove_file(folder.join(gone)).expect("removed");
        }
        let again = publish(&bucket, &release, &no_progress).await.expect("published");
        assert_eq!(again.uploaded, []);
        assert_eq!(objects(&folder), before);
    }
    let opened = release_store::open(&scratch.config(&server, &name), &Part::ALL).await.expect("a release");
    assert_same_files(&release, &opened, &Part::ALL);

    fs::remove_file(folder.join(&object)).expect("removed");
    let lacking = objects(&folder);
    let refused = publish(&bucket, &release, &no_progress).await.expect_err("the content differs");
    let location = ReleaseLocation::Bucket { bucket: BUCKET.to_owned(), name };
    assert_eq!(refused, Unpublished::PackedOtherwise { location, object, part: "places.bin" });
    assert_eq!(objects(&folder), lacking);
}

#[tokio::test]
async fn invalid_description_is_not_replaced() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let folder = server.object(BUCKET, &name);
    fs::write(folder.join(PACKED), "{}").expect("written");
    let before = objects(&folder);
    let refused = publish(&bucket, &release, &no_progress).await.expect_err("no description");
    assert!(matches!(refused, Unpublished::Described { .. }), "{refused}");
    let said = format!("s3://{BUCKET}/{name} cannot be completed: {PACKED}: is not a valid description");
    assert!(refused.to_string().starts_with(&said), "{refused}");
    assert_eq!(objects(&folder), before);
}

#[tokio::test]
async fn altered_manifest_in_the_bucket_is_not_replaced() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    let name = published(&bucket, &release).await;
    let published = server.object(BUCKET, &format!("{name}/{MANIFEST}"));
    let altered = Manifest { provenance: BTreeMap::new(), ..release.manifest().clone() };
    fs::write(&published, altered.to_json()).expect("written");
    server.take();
    let refused = publish(&bucket, &release, &no_progress).await.expect_err("the manifest is altered");
    assert!(matches!(refused, Unpublished::Altered(_)), "{refused}");
    let said = format!("{MANIFEST} in s3://{BUCKET}/{name} was altered after it was published; ");
    assert!(refused.to_string().starts_with(&said), "{refused}");
    let calls = server.take();
    assert!(!calls.is_empty() && calls.iter().all(|call| call.method != "PUT"), "{calls:?}");
    assert_eq!(fs::read(&published).expect("a manifest"), altered.to_json().as_bytes());
}

#[tokio::test]
async fn damaged_folder_is_not_published() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    fs::write(release.file(Part::Population), "spoiled").expect("written");
    let refused = publish(&bucket, &release, &no_progress).await.expect_err("a part is damaged");
    assert!(refused.to_string().contains("population.bin"), "{refused}");
    assert_eq!(server.take(), []);
}

#[tokio::test]
async fn unavailable_bucket_is_retried() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    server.refuse(3);
    let name = published(&bucket, &scratch.release("spring")).await;
    release_store::open(&scratch.config(&server, &name), &Part::ALL).await.expect("a release");
}

#[tokio::test]
async fn unknown_bucket_is_reported() {
    let scratch = Scratch::new();
    let (server, _) = scratch.bucket().await;
    let bucket = Bucket::connect(&server.connection(), "elsewhere");
    let refused = publish(&bucket, &scratch.release("spring"), &no_progress).await.expect_err("unknown");
    assert!(refused.to_string().contains("the bucket does not exist"), "{refused}");
}

/// Returns the names and the contents of a release's objects.
fn objects(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).expect("an object"));
    names_in(folder).into_iter().map(read).collect()
}

/// Packs a part with a different compression level and frame size, as a different zstd version might. Returns
/// the new object's name.
fn pack_otherwise(folder: &Path, release: &Folder, part: Part) -> String {
    let unpacked = fs::read(release.file(part)).expect("a part");
    let mut packed = Vec::new();
    let mut frames = Vec::new();
    for half in unpacked.chunks(unpacked.len().div_ceil(2)) {
        let frame = zstd::bulk::compress(half, 19).expect("the part is packed");
        let (packed_bytes, unpacked_bytes) = (frame.len(), half.len());
        frames.push(json!({
            "packed_bytes": packed_bytes, "unpacked_bytes": unpacked_bytes, "sha256": sha256(&frame),
        }));
        packed.extend(frame);
    }
    let description = fs::read(folder.join(PACKED)).expect("a description");
    let mut description: Value = serde_json::from_slice(&description).expect("JSON");
    let described = &mut description["parts"][part.file().trim_end_matches(".bin")];
    let ours = described["object"].as_str().expect("a name").to_owned();
    let theirs = format!("{}.{}.zst", part.file(), &sha256(&packed)[..12]);
    assert_ne!(ours, theirs);
    fs::remove_file(folder.join(ours)).expect("removed");
    fs::write(folder.join(&theirs), &packed).expect("written");
    *described = json!({ "object": theirs, "bytes": packed.len(), "frames": frames });
    fs::write(folder.join(PACKED), description.to_string()).expect("written");
    theirs
}
