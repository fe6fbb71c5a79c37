//! Tests of estimates. The tests use a release with displays whose impressions are known, and with measured
//! places.

mod campaigns;
mod delivery;
mod events;
mod measurements;
mod plans;
mod refused;
mod year;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::middleware::{self, Next};
use dataset::Folder;
use estimates::{OwnMeasurement, Release};
use harness::{Answer, TestOrg, World, as_function, build_release, samples};
use serde_json::{Map, Value, json};

const ESTIMATE: &str = "/v2/measures/campaigns/estimate";

/// Displays in Manhattan: a screen without a share of voice, a screen with one, a static display with
/// modelled impressions, and a display whose impressions are stated per spot.
const KIOSK: u32 = 30_518_842;
const SCREEN: u32 = 30_518_901;
const BILLBOARD: u32 = 30_519_077;
const SPOT: u32 = 30_519_102;

/// A display without impressions, one in Los Angeles, and one without a ZIP code.
const SILENT: u32 = 30_519_230;
const FAR: u32 = 30_520_011;
const NOWHERE: u32 = 30_520_012;

/// Measured places in Manhattan: a stadium with events on Saturdays, and a place whose visitors' homes are
/// unknown.
pub(crate) const STADIUM: u64 = 110_000_000_001;
pub(crate) const UNKNOWN_HOMES: u64 = 110_000_000_002;

/// A place without visits.
const UNMEASURED: u64 = 110_000_000_003;

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
    // An empty share in the display's own spot counts as missing.
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

const LIST: &str = r#"
    label = "test"
    [sample]
    places = true
    [[displays]]
    unmeasured = "keep"
    source = "Example Outdoor"
    vintage = 2024-03-31
    files = ["records.jsonl"]
    [[places]]
    source = "Example Venues"
    vintage = 2026-07-31
    files = ["places.csv"]
    [[place_measures]]
    source = "Example Panel"
    vintage = 2026-07-31
    files = ["measures.jsonl"]
"#;

/// Returns a place's measured record. `visits` are by day and hour, and `homes` by ZIP code.
fn measured(
    place: u64,
    visits: &[(&str, usize, u64)],
    persons: u64,
    homes: &[(&str, u64)],
    cohorts: &[(&str, u64)],
) -> Value {
    let hours = |day: &str| {
        let mut hours = [0; 24];
        visits.iter().filter(|(of, ..)| *of == day).for_each(|(_, hour, visits)| hours[*hour] = *visits);
        (day.to_owned(), json!(hours))
    };
    let by_day: Map<String, Value> =
        ["mo", "tu", "we", "th", "fr", "sa", "su"].map(hours).into_iter().collect();
    let all: u64 = visits.iter().map(|(.., visits)| visits).sum();
    let origins: Vec<Value> =
        homes.iter().map(|(zip, visits)| json!({ "zip_code": zip, "visits": visits })).collect();
    let segments = cohorts.iter().map(
        |(cohort, persons)| json!({ "service_segment_id": samples::segment(cohort), "persons": persons }),
    );
    json!({
        "place_id": place, "certified": true, "percentile": 50, "activities": all,
        "visits": by_day,
        "visits_unique_persons": persons, "visits_avg_dwell": 60, "local_visits": 0,
        "dwell": {
            "persons_000_030min": all, "persons_030_060min": 0, "persons_060_120min": 0,
            "persons_120_240min": 0, "persons_240_plus": 0,
        },
        "origins": origins, "segments": segments.collect::<Vec<Value>>(),
        "history": { "year": [], "week": [] },
    })
}

fn measures() -> [Value; 2] {
    let matches = [("sa", 19, 6_000), ("sa", 20, 4_000), ("we", 12, 500)];
    let homes = [("10027", 3_150), ("10003", 2_100), ("07302", 1_050)];
    [
        measured(STADIUM, &matches, 7_000, &homes, &[("age_18_34", 3_500)]),
        measured(UNKNOWN_HOMES, &[("mo", 10, 700)], 350, &[], &[]),
    ]
}

/// Returns a release with this module's displays and places, and with the sample's places. It is built once.
pub(crate) fn release() -> &'static Folder {
    static RELEASE: OnceLock<Folder> = OnceLock::new();
    RELEASE.get_or_init(|| {
        let lines = |rows: &[Value]| rows.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let place = |(id, name): (u64, &str)| format!("{id},{name},Stadium or Arena,10027,40.81,-73.96\n");
        let named = [(STADIUM, "Stadium"), (UNKNOWN_HOMES, "Hall"), (UNMEASURED, "New hall")];
        let columns = "place_id,place_name,place_type,zip_code,latitude,longitude\n".to_owned();
        let places = named.map(place).into_iter().fold(columns, |rows, row| rows + &row);
        let files = [
            ("records.jsonl", lines(&records())),
            ("measures.jsonl", lines(&measures())),
            ("places.csv", places),
        ];
        built("estimates", LIST, &files)
    })
}

/// Opens [`release`] for the estimates function.
fn open_release() -> Arc<Release> {
    Arc::new(Release::open(release()).expect("the release opens"))
}

/// Builds a release from a list of sources and their files, in a folder with the given name.
fn built(name: &str, list: &str, files: &[(&str, String)]) -> Folder {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("created");
    for (file, text) in
        files.iter().map(|(file, text)| (*file, text.as_str())).chain([("release.toml", list)])
    {
        std::fs::write(folder.join(file), text).expect("written");
    }
    build_release(&folder.join("release.toml"), &folder.join("releases"))
}

/// Returns a router that sells measurements and estimates with [`release`].
fn router(world: &World) -> Router {
    let credits = OwnMeasurement::DEFAULT_CREDITS;
    router_of(world, open_release(), Some(OwnMeasurement { app: world.measurement(), credits }))
}

fn router_of(world: &World, release: Arc<Release>, own: Option<OwnMeasurement>) -> Router {
    let router = estimates::router(&world.app, release, own);
    let mark = |request, next: Next| as_function("estimates", next.run(request));
    router.layer(middleware::from_fn(mark))
}

/// Returns a 30-day campaign in New York with the given spots, for adults 18-34.
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
    ask_for(ESTIMATE, world, org, body).await
}

async fn ask_for(path: &str, world: &World, org: &TestOrg, body: &Value) -> Answer {
    world.post(path).key(&org.key).json(body).send_to(router(world)).await
}

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
