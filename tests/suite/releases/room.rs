//! Releases that are larger than a function's disk or memory.

use std::collections::BTreeMap;

use dataset::{FileEntry, Folder, MANIFEST, Manifest, Part};
use harness::{Logs, sample_release};
use release_store::{ReleaseConfig, ReleaseLocation, ReleaseUnavailable, Shortage, open};
use serde_json::Value;

use super::{BUCKET, PACKED, Scratch, names_in, noise, published};

const MEGABYTE: u64 = 1024 * 1024;

#[tokio::test]
async fn release_larger_than_the_disk_is_refused_before_fetching() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let release = scratch.release("spring");
    published(&bucket, &release).await;
    let claimed = claiming(&release, 1 << 36);
    let name = &claimed.name;
    std::fs::create_dir(server.object(BUCKET, name)).expect("a new folder");
    let manifest = server.object(BUCKET, &format!("{name}/{MANIFEST}"));
    std::fs::write(manifest, claimed.to_json()).expect("written");
    server.take();
    let mut config = scratch.config(&server, name);
    config.free_bytes = |_| Ok(120 * MEGABYTE + 1);
    let logs = Logs::capture();
    let error = open(&config, &[Part::Geographies, Part::Places]).await.expect_err("no room");
    let folder = scratch.path("cache");
    let said = format!(
        "the release requires 131074 MB, but {} has 120 MB free; increase the function's EphemeralStorage",
        folder.display()
    );
    assert_eq!(error.to_string(), said);
    assert_eq!(
        error,
        ReleaseUnavailable::TooLarge(Shortage::Disk { folder: folder.clone(), needed: 131_074, free: 120 })
    );
    assert_eq!(logs.of("release_refused")[0]["fields"]["error"], said);
    let mut paths: Vec<_> = server.take().into_iter().map(|call| call.path).collect();
    paths.sort();
    assert_eq!(paths, [MANIFEST, PACKED].map(|file| format!("/{BUCKET}/{name}/{file}")));
    assert_eq!(names_in(&folder), [format!("{name}.lock")]);
}

#[tokio::test]
async fn disk_needs_room_only_for_the_used_parts() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let parts = [(Part::Places, noise(3_000_000)), (Part::Measures, noise(4_000_000))];
    let name = published(&bucket, &scratch.release_of("large", &BTreeMap::from(parts))).await;
    let mut config = scratch.config(&server, &name);
    config.free_bytes = |_| Ok(6 * MEGABYTE);
    open(&config, &[Part::Places]).await.expect("the disk has room for one part");
    // Older releases in the cache and previously fetched parts also occupy the disk.
    let error = open(&config, &[Part::Places, Part::Measures])
        .await
        .expect_err("the disk has no room for both parts")
        .to_string();
    assert!(error.contains("requires 9 MB, but") && error.contains("has 6 MB free"), "{error}");
    open(&config, &[Part::Places]).await.expect("the first part is still cached");

    config.free_bytes = |_| Err(std::io::Error::other("no such disk"));
    let error = open(&config, &[Part::Measures]).await.expect_err("unknown").to_string();
    assert!(error.contains("cache") && error.contains("no such disk"), "{error}");
}

#[tokio::test]
async fn release_larger_than_memory_is_refused() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let parts = [(Part::Places, noise(3_000_000)), (Part::Measures, noise(4_000_000))];
    let release = scratch.release_of("large", &BTreeMap::from(parts));
    let name = published(&bucket, &release).await;
    let in_bucket = scratch.config(&server, &name);
    let in_folder = ReleaseConfig::at(ReleaseLocation::Folder(release.path().to_owned()));
    // One part is 3,000,000 bytes (2.9 MB) long. The two parts have a combined size of 6.7 MB.
    let cases = [(&[Part::Places][..], 3), (&[Part::Places, Part::Measures], 7)];
    for (config, place) in [(in_folder, "a folder"), (in_bucket, "a bucket")] {
        for (used, megabytes) in cases {
            let with_memory = |memory_mb| ReleaseConfig { memory_mb, ..config.clone() };
            server.take();
            let error = open(&with_memory(Some(megabytes + 63)), used).await.expect_err("no room");
            let said = format!(
                "the release's parts require {megabytes} MB, but the function has {} MB of memory; increase \
                 MemorySize to at least {}",
                megabytes + 63,
                megabytes + 64
            );
            assert_eq!(error.to_string(), said, "{place}");
            let calls = server.take();
            assert!(
                calls.iter().all(|call| [MANIFEST, PACKED].iter().any(|file| call.path.ends_with(file))),
                "{place}: {calls:?}"
            );
            for enough in [Some(megabytes + 64), Some(10_240), None] {
                open(&with_memory(enough), used).await.expect(place);
            }
            // Cached parts are refused, too.
            open(&with_memory(Some(megabytes)), used).await.expect_err("no room");
        }
    }
}

#[tokio::test]
async fn template_memory_sizes_fit_the_sample_release() {
    let template: Value = serde_saphyr::from_str(include_str!("../../../template.yaml")).expect("YAML");
    let general = &template["Globals"]["Function"]["MemorySize"];
    let inventory = [&inventory::Release::PARTS[..], &inventory::Release::LATER_PARTS].concat();
    let estimates = [&estimates::Release::PARTS[..], &estimates::Release::LATER_PARTS].concat();
    let places = [&places::Release::PARTS[..], &places::Release::LATER_PARTS].concat();
    let functions: [(&str, &[Part]); 7] = [
        ("CampaignsFunction", &scenarios::Release::PARTS),
        ("EventsFunction", &scenarios::Release::PARTS),
        ("PlacesFunction", &places),
        ("AudiencesFunction", &audiences::Release::PARTS),
        ("EstimatesFunction", &estimates),
        ("InventoryFunction", &inventory),
        ("TilesFunction", &tiles::Release::PARTS),
    ];
    for (function, parts) in functions {
        let properties = &template["Resources"][function]["Properties"];
        assert!(properties.is_object(), "{function}");
        let mut config = ReleaseConfig::at(ReleaseLocation::Folder(sample_release().path().to_owned()));
        config.memory_mb = properties["MemorySize"].as_u64().or(general.as_u64());
        assert!(config.memory_mb.is_some(), "{function}");
        open(&config, parts).await.expect(function);
    }
}

/// Returns a copy of a release's manifest in which each part's length is `bytes`.
fn claiming(release: &Folder, bytes: u64) -> Manifest {
    let manifest = release.manifest();
    let of_one = |(part, entry): (&Part, &FileEntry)| (*part, FileEntry { bytes, ..entry.clone() });
    let files = manifest.files.iter().map(of_one).collect();
    Manifest::new(manifest.label(), files, manifest.provenance.clone(), manifest.sources.clone())
}
