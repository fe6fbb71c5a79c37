//! Estimates of campaigns, in a release with displays whose impressions are known.

mod campaigns;
mod delivery;
mod measurements;
mod refused;
mod year;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::middleware::{self, Next};
use dataset::Folder;
use estimates::{OwnMeasurement, Release};
use harness::{Answer, TestOrg, World, as_function, build_release, samples};
use serde_json::{Value, json};

const ESTIMATE: &str = "/v2/measures/campaigns/estimate";

/// Displays on Manhattan: a screen without and one with a share of voice, a static one with modelled
/// impressions, and one whose impressions are those of a spot.
const KIOSK: u32 = 30_518_842;
const SCREEN: u32 = 30_518_901;
const BILLBOARD: u32 = 30_519_077;
const SPOT: u32 = 30_519_102;

/// Displays without impressions, in Los Angeles, and without a ZIP code.
const SILENT: u32 = 30_519_230;
const FAR: u32 = 30_520_011;
const NOWHERE: u32 = 30_520_012;

fn record(id: u32, zip_code: &str, point: [f64; 2], more: &Value) -> Value {
    let mut record = json!({
        "spot_id": id,
        "location": { "geometry": { "type": "Point", "coordinates": point } },
    });
    if !zip_code.is_empty() {
        record["location"]["zip_code"] = zip_code.into();
    }
    record.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    record
}

fn records() -> [Value; 7] {
    let manhattan = [-73.96, 40.8];
    let panel = "outdoor.urban_panels";
    // An empty share of the display's own spot counts as missing.
    let own = json!({ "id": SCREEN, "spot_share_of_voice": "" });
    let layouts = json!([{ "spot_share_of_voice": "0.25", "faces": [{ "spots": [own] }] }]);
    [
        record(
            KIOSK,
            "10027",
            manhattan,
            &json!({ "digital": true, "venue_type": panel, "weekly_impressions": 84_000, "persons": "18+" }),
        ),
        record(
            SCREEN,
            "10027",
            manhattan,
            &json!({ "digital": true, "venue_type": panel, "weekly_impressions": 28_000, "layouts": layouts }),
        ),
        record(
            BILLBOARD,
            "10003",
            manhattan,
            &json!({
                "digital": false,
                "venue_type": "outdoor.billboards.roadside",
                "weekly_impressions": 140_000,
                "modelled": ["weekly_impressions"],
            }),
        ),
        record(
            SPOT,
            "10027",
            manhattan,
            &json!({ "digital": true, "weekly_impressions": 7_000, "impressions_of": "spot", "layouts": layouts }),
        ),
        record(SILENT, "10027", manhattan, &json!({ "digital": true })),
        record(FAR, "90012", [-118.24, 34.06], &json!({ "weekly_impressions": 70_000 })),
        record(NOWHERE, "", manhattan, &json!({ "weekly_impressions": 70_000 })),
    ]
}

/// Returns a release with the displays of this module and no others. It's built once.
fn release() -> &'static Folder {
    static RELEASE: OnceLock<Folder> = OnceLock::new();
    RELEASE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("estimates");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("created");
        let lines: Vec<String> = records().iter().map(Value::to_string).collect();
        std::fs::write(folder.join("records.jsonl"), lines.join("\n")).expect("written");
        let list = "label = \"test\"\n[sample]\nplaces = true\n[[displays]]\nunmeasured = \"keep\"\n\
                    source = \"Example Outdoor\"\nvintage = 2024-03-31\nfiles = [\"records.jsonl\"]\n";
        std::fs::write(folder.join("release.toml"), list).expect("written");
        build_release(&folder.join("release.toml"), &folder.join("releases"))
    })
}

/// Returns the data of the estimates function in [`release`].
fn open_release() -> Arc<Release> {
    Arc::new(Release::open(release()).expect("the release opens"))
}

/// Returns a router that estimates with [`release`], and sells measurements.
fn router(world: &World) -> Router {
    let credits = OwnMeasurement::DEFAULT_CREDITS;
    router_of(world, open_release(), Some(OwnMeasurement { app: world.measurement(), credits }))
}

fn router_of(world: &World, release: Arc<Release>, own: Option<OwnMeasurement>) -> Router {
    let router = estimates::router(&world.app, release, own);
    let mark = |request, next: Next| as_function("estimates", next.run(request));
    router.layer(middleware::from_fn(mark))
}

/// Returns a campaign of 30 days in New York with the given spots, for adults 18-34.
fn campaign(spots: &[Value]) -> Value {
    json!({
        "flight": { "start_date": "2026-09-01", "end_date": "2026-09-30" },
        "spots": spots,
        "cohort": {
            "geography_ids": ["US2020XDMA501"],
            "service_segment_ids": [samples::segment("age_18_34")],
            "service_base_segment_id": samples::segment("everyone"),
        },
        "customer": samples::campaign()["customer"],
    })
}

fn spot(display: u32) -> Value {
    json!({ "display_id": display.to_string(), "spot_id": 1 })
}

fn spots(displays: &[u32]) -> Vec<Value> {
    displays.iter().copied().map(spot).collect()
}

async fn ask(world: &World, org: &TestOrg, body: &Value) -> Answer {
    world.post(ESTIMATE).key(&org.key).json(body).send_to(router(world)).await
}

/// Returns the data of an estimate.
async fn estimate(world: &World, org: &TestOrg, body: &Value) -> Value {
    let answer = ask(world, org, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.data()
}

/// Returns the pointers of an estimate's warnings.
fn warned(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let warnings = answer.json()["meta"]["warnings"].as_array().expect("warnings").clone();
    warnings.iter().map(|warning| warning["pointer"].as_str().expect("a pointer").to_owned()).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} must be a number"))
}
