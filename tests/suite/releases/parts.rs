//! Tests that each function fetches exactly the parts that it opens.

use std::fs;
use std::sync::Arc;

use dataset::{Folder, MANIFEST, Part, ReleaseError};
use harness::{World, sample_release};
use release_store::open;
use serde_json::json;

use super::{Scratch, packed_object, published};

/// The name of a function, the parts that the function fetches, and a closure that opens them.
type FunctionParts = (&'static str, &'static [Part], fn(&Folder) -> Result<(), ReleaseError>);

const FUNCTIONS: [FunctionParts; 6] = [
    ("audiences", &audiences::Release::PARTS, |folder| audiences::Release::open(folder).map(drop)),
    ("estimates", &estimates::Release::PARTS, |folder| estimates::Release::open(folder).map(drop)),
    ("inventory", &inventory::Release::PARTS, |folder| inventory::Release::open(folder).map(drop)),
    ("places", &places::Release::PARTS, |folder| places::Release::open(folder).map(drop)),
    ("scenarios", &scenarios::Release::PARTS, |folder| scenarios::Release::open(folder).map(drop)),
    ("tiles", &tiles::Release::PARTS, |folder| tiles::Release::open(folder).map(drop)),
];

#[test]
fn functions_require_exactly_the_parts_that_they_fetch() {
    let scratch = Scratch::new();
    for (function, parts, open) in FUNCTIONS {
        let path = scratch.path(function);
        fs::create_dir(&path).expect("a new folder");
        let sample = sample_release().path();
        for file in parts.iter().map(|part| part.file()).chain([MANIFEST]) {
            fs::hard_link(sample.join(file), path.join(file)).expect("a hard link");
        }
        let folder = Folder::open(&path).expect("a release");
        assert_eq!(open(&folder), Ok(()), "{function}");
        for part in parts {
            fs::remove_file(folder.file(*part)).expect("a link");
            let error = open(&folder).expect_err(part.file());
            assert_eq!(error.file(), part.file(), "{function}");
            fs::hard_link(sample.join(part.file()), folder.file(*part)).expect("a hard link");
        }
    }
}

#[test]
fn tiles_function_shares_no_parts_with_other_functions() {
    assert_eq!(tiles::Release::PARTS, [Part::DisplayTiles, Part::PlaceTiles, Part::BaseMap]);
    let others = FUNCTIONS.into_iter().filter(|(function, ..)| *function != "tiles");
    for (function, parts, _) in others {
        assert!(tiles::Release::PARTS.iter().all(|part| !parts.contains(part)), "{function}");
    }
}

#[tokio::test]
async fn inventory_function_fetches_places_when_a_search_first_refers_to_them() {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, sample_release()).await;
    let config = scratch.config(&server, &name);
    let folder = open(&config, &inventory::Release::PARTS).await.expect("the release opens");
    let release = inventory::Release::open(&folder).expect("the parts").with_places_from(&config);
    let (world, org) = World::with_org().await;
    let router = inventory::router(&world.app, Arc::new(release));
    let near = json!({ "filter": { "brand": "Starbucks", "state": "NY" }, "distance": "1km" });
    let find = async |filter| {
        let call = world.post("/msearch/inventory").header("apikey", &org.key);
        call.json(&json!({ "filter": filter })).send_to(router.clone()).await
    };
    server.take();
    assert_eq!(find(json!({ "state": "NY" })).await.status, 200);
    assert_eq!(server.take().len(), 0);

    let (object, hidden) = (packed_object(&server, &name, Part::Places), scratch.path("hidden"));
    fs::rename(&object, &hidden).expect("renamed");
    let failed = find(json!({ "near_places": near })).await;
    assert_eq!((failed.status.as_u16(), failed.number("x-credits-used")), (500, 0), "{}", failed.text());
    assert!(failed.number("retry-after") > 0);
    fs::rename(&hidden, &object).expect("renamed");

    server.take();
    let found = find(json!({ "near_places": near })).await;
    assert!(found.json()["total"].as_u64() > Some(0), "{}", found.text());
    let calls = server.take();
    assert!(calls.iter().any(|call| call.path.contains(Part::Places.file())), "{calls:?}");
    for part in inventory::Release::PARTS {
        assert!(!calls.iter().any(|call| call.path.contains(part.file())), "{part:?}: {calls:?}");
    }
    assert_eq!(find(json!({ "not_near_places": near })).await.status, 200);
    assert_eq!(server.take().len(), 0);
    let kept = open(&config, &inventory::Release::PARTS).await.expect("the other parts are still cached");
    assert_eq!((kept.path(), server.take().len()), (folder.path(), 0));
}
