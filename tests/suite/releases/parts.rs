//! Each function fetches exactly the parts that it opens.

use std::fs;
use std::sync::Arc;

use axum::Router;
use dataset::{Folder, MANIFEST, Part, ReleaseError};
use gateway::App;
use harness::{World, sample_release, samples};
use release_store::{ReleaseConfig, open};
use serde_json::{Value, json};

use super::{Scratch, packed_object, published};

/// A function's name, the parts that it fetches, and a closure that opens them.
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

/// A part that a function doesn't open at startup, a request that doesn't need it, and one that does.
type LaterPart = (Part, Request, Request);

/// The path and the body of a `POST` request.
type Request = (&'static str, Value);

#[tokio::test]
async fn inventory_function_fetches_parts_when_a_search_first_refers_to_them() {
    let near = json!({ "filter": { "brand": "Starbucks", "state": "NY" }, "distance": "1km" });
    let search = |filter: Value| json!({ "filter": filter });
    let by_places = search(json!({ "near_places": near }));
    let by_index =
        json!({ "service_segment_id": samples::segment("hispanic"), "sort": { "field": "index" } });
    let call = |body: Value| ("/msearch/inventory", body);
    let without = || call(search(json!({ "state": "NY" })));
    let calls = [(Part::Places, without(), call(by_places)), (Part::Exposures, without(), call(by_index))];
    fetched_later(&inventory::Release::PARTS, calls, |app, config, folder| {
        let release = inventory::Release::open(folder).expect("the parts").with_later_parts_from(config);
        inventory::router(app, Arc::new(release))
    })
    .await;
}

#[tokio::test]
async fn places_function_fetches_parts_when_a_report_first_needs_them() {
    let report = |segments: Value| {
        let by_place = json!({ "service_segment_ids": segments });
        ("/v2/measures/place/report", json!({ "place_id": samples::places(1), "by_place": by_place }))
    };
    let [hispanic, adults] = ["hispanic", "age_25_54"].map(samples::segment);
    let composed = report(json!([format!("{hispanic}.{adults}")]));
    let simple = || report(json!([hispanic]));
    let search = ("/v2/msearch", json!({ "filter": { "brand": "Starbucks" } }));
    let calls = [(Part::Measures, search, simple()), (Part::Population, simple(), composed)];
    fetched_later(&places::Release::PARTS, calls, |app, config, folder| {
        let release = places::Release::open(folder).expect("the parts").with_later_parts_from(config);
        places::router(app, Arc::new(release))
    })
    .await;
}

/// Opens a function's release from a bucket. Checks that each part is fetched only when a call first needs
/// it, and again if fetching it fails.
async fn fetched_later<const N: usize>(
    parts: &'static [Part],
    calls: [LaterPart; N],
    router: fn(&App, &ReleaseConfig, &Folder) -> Router,
) {
    let scratch = Scratch::new();
    let (server, bucket) = scratch.bucket().await;
    let name = published(&bucket, sample_release()).await;
    let config = scratch.config(&server, &name);
    let folder = open(&config, parts).await.expect("the release opens");
    let (world, org) = World::with_org().await;
    let router = router(&world.app, &config, &folder);
    for (part, without, with) in calls {
        let call = async |(path, body): &Request| {
            let call = world.post(path).header("apikey", &org.key).header("x-api-key", &org.key);
            call.json(body).send_to(router.clone()).await
        };
        server.take();
        assert_eq!(call(&without).await.status, 200);
        assert_eq!(server.take().len(), 0);

        let (object, hidden) = (packed_object(&server, &name, part), scratch.path("hidden"));
        fs::rename(&object, &hidden).expect("renamed");
        let failed = call(&with).await;
        assert!(failed.status.is_server_error(), "{part:?}: {}", failed.text());
        assert_eq!(failed.number("x-credits-used"), 0, "{part:?}");
        assert!(failed.number("retry-after") > 0);
        fs::rename(&hidden, &object).expect("renamed");

        server.take();
        assert_eq!(call(&with).await.status, 200, "{part:?}");
        let fetched = server.take();
        assert!(fetched.iter().any(|call| call.path.contains(part.file())), "{fetched:?}");
        let kept = |part: &Part| !fetched.iter().any(|call| call.path.contains(&format!("/{}", part.file())));
        assert!(parts.iter().all(kept), "{fetched:?}");
        assert_eq!(call(&with).await.status, 200);
        assert_eq!(server.take().len(), 0);
    }
    let kept = open(&config, parts).await.expect("the other parts are still cached");
    assert_eq!((kept.path(), server.take().len()), (folder.path(), 0));
}
