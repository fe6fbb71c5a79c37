//! Tests of publishing data releases to a bucket and of opening them.

mod calls;
mod damage;
mod functions;
mod network;
mod not_ready;
mod open;
mod parts;
mod publish;
mod room;
mod switch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use dataset::{Figures, FileEntry, Folder, MANIFEST, Manifest, Maturity, Part, Provenance};
use harness::{BucketServer, sha256};
use release_store::Bucket;
use release_store::{ReleaseConfig, ReleaseLocation, publish};

const BUCKET: &str = "releases";

/// The object that describes a packed release.
const PACKED: &str = "packed.json";

/// A temporary folder, which is deleted when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let name = format!("releases-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let scratch = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        let _ = std::fs::remove_dir_all(&scratch.0);
        std::fs::create_dir_all(&scratch.0).expect("a folder");
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Creates a release with small parts, whose checksums are valid but whose contents aren't.
    fn release(&self, label: &str) -> Folder {
        let small = Part::ALL.map(|part| (part, format!("{label} {part:?}").into_bytes().repeat(1_000)));
        self.release_of(label, &BTreeMap::from(small))
    }

    fn release_of(&self, label: &str, parts: &BTreeMap<Part, Vec<u8>>) -> Folder {
        let path = self.path(label);
        std::fs::create_dir(&path).expect("a new folder");
        let mut files = BTreeMap::new();
        for (part, bytes) in parts {
            std::fs::write(path.join(part.file()), bytes).expect("written");
            let entry = FileEntry { bytes: bytes.len() as u64, sha256: sha256(bytes), rows: BTreeMap::new() };
            files.insert(*part, entry);
        }
        let provenance = Provenance {
            source: "a test".to_owned(),
            source_doc: String::new(),
            methodology_version: "1".to_owned(),
            data_vintage: "2026-07-01".to_owned(),
            data_freshness: "static".to_owned(),
            data_latency_days: None,
            data_maturity: Maturity::SyntheticOnly,
            modelled_from: Vec::new(),
            cohort_resolution: None,
            known_gaps: Vec::new(),
        };
        let provenance = [Figures::Places, Figures::Inventory].map(|figures| (figures, provenance.clone()));
        let manifest = Manifest::new(label, files, BTreeMap::from(provenance), Vec::new());
        std::fs::write(path.join(MANIFEST), manifest.to_json()).expect("written");
        Folder::open(&path).expect("a release")
    }

    /// Starts a server that has one bucket.
    async fn bucket(&self) -> (BucketServer, Bucket) {
        let server = BucketServer::start(&self.path("server")).await;
        server.create_bucket(BUCKET);
        let bucket = Bucket::connect(&server.connection(), BUCKET);
        (server, bucket)
    }

    /// Returns the configuration of a process that opens a release from the bucket and has its own cache.
    fn config(&self, server: &BucketServer, name: &str) -> ReleaseConfig {
        let location = ReleaseLocation::Bucket { bucket: BUCKET.to_owned(), name: name.to_owned() };
        let cache = self.path("cache");
        ReleaseConfig { cache, buckets: server.connection(), ..ReleaseConfig::at(location) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Publishes a release and returns its name.
async fn published(bucket: &Bucket, folder: &Folder) -> String {
    let name = folder.manifest().name.clone();
    let (bucket, folder) = (bucket.clone(), folder.clone());
    let published = tokio::spawn(async move { publish(&bucket, &folder, &|_, _, _| ()).await });
    published.await.expect("publishing does not panic").expect("published");
    name
}

/// Returns random bytes, which can't be compressed.
fn noise(bytes: usize) -> Vec<u8> {
    let mut noise = vec![0; bytes];
    fastrand::Rng::with_seed(7).fill(&mut noise);
    noise
}

/// Returns the path of the file that stores a packed part in the bucket.
fn packed_object(server: &BucketServer, name: &str, part: Part) -> PathBuf {
    let release = server.object(BUCKET, name);
    let object = names_in(&release).into_iter().find(|file| file.starts_with(&format!("{}.", part.file())));
    release.join(object.unwrap_or_else(|| panic!("{part:?} in {}", release.display())))
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn assert_same_files(one: &Folder, other: &Folder, parts: &[Part]) {
    assert_eq!(one.manifest(), other.manifest());
    for part in parts {
        let [one, other] = [one, other].map(|folder| std::fs::read(folder.file(*part)).expect("a part"));
        assert!(one == other, "{part:?}");
    }
}
