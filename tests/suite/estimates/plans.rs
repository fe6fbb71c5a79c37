//! The five plans in docs/explanation/estimates.md, estimated with the sample's displays and one more.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use dataset::Folder;
use harness::{TestOrg, World, assert_table, grouped, samples};
use serde_json::{Value, json};

use super::{ESTIMATE, built, number, record, spots};

const DOCUMENT: &str = "docs/explanation/estimates.md";
const HEADING: &str = "## Five example plans\n";

/// A bulletin on a freeway in the Mojave Desert, whose owner states its impressions.
const BULLETIN: u32 = 4_000_000_000;

const LIST: &str = r#"
    label = "plans"
    [sample]
    displays = true
    [[displays]]
    source = "Example Outdoor"
    vintage = 2026-06-30
    files = ["bulletin.jsonl"]
"#;

/// Returns a release with the sample's displays and the bulletin. It is built once.
fn release() -> &'static Folder {
    static RELEASE: OnceLock<Folder> = OnceLock::new();
    RELEASE.get_or_init(|| {
        let more = json!({
            "digital": false, "venue_type": "outdoor.billboards.roadside", "weekly_impressions": 200_000,
            "persons": "18+",
        });
        let bulletin = record(BULLETIN, "92309", [-116.07, 35.27], &more);
        built("plans", LIST, &[("bulletin.jsonl", bulletin.to_string())])
    })
}

/// Returns a campaign in the given markets, for adults 18-34.
fn campaign(displays: &[u32], end: &str, markets: &[&str]) -> Value {
    json!({
        "flight": { "start_date": "2027-04-05", "end_date": end },
        "spots": spots(displays),
        "cohort": {
            "geography_ids": markets,
            "service_segment_ids": [samples::segment("age_18_34")],
            "service_base_segment_id": samples::segment("everyone"),
        },
        "customer": samples::campaign()["customer"],
    })
}

/// Returns the lowest IDs among the displays that match a filter.
async fn displays(world: &World, org: &TestOrg, filter: &Value, count: usize) -> Vec<u32> {
    let inventory = inventory::Release::open(release()).expect("the release opens");
    let body = json!({
        "filter": filter, "fieldSet": ["spot_id"], "pagination": { "page": 1, "page_size": 2_000 },
    });
    let call = world.post("/msearch/inventory").header("apikey", &org.key).json(&body);
    let found = call.send_to(inventory::router(&world.app, Arc::new(inventory))).await.json();
    let rows = found["results"].as_array().unwrap_or_else(|| panic!("{found}"));
    let id = |row: &Value| row["spot_id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("an ID");
    rows.iter().map(id).take(count).collect()
}

/// Returns the plans in the same order as the table.
async fn plans(world: &World, org: &TestOrg) -> Vec<(&'static str, Value)> {
    const WEEK: &str = "2027-04-11";
    const FOUR_WEEKS: &str = "2027-05-02";
    let [new_york, san_francisco, los_angeles] = ["US2020XDMA501", "US2020XDMA807", "US2020XDMA803"];
    let kiosk = |county: &str| json!({ "county_name": county, "media_name": "LinkNYC Link1.0 kiosk" });
    let manhattan = displays(world, org, &kiosk("New York County, NY"), 2_000).await;
    let brooklyn = displays(world, org, &kiosk("Kings County, NY"), 40).await;
    let shelters = json!({ "county_name": "Queens County, NY", "venue_type": "outdoor.bus_shelters" });
    let shelters = displays(world, org, &shelters, 40).await;
    let signs = displays(world, org, &json!({ "county_name": "San Francisco County, CA" }), 20).await;
    let mixed = [brooklyn, shelters, signs].concat();
    let (one, other) = (&manhattan[..60], &manhattan[40..100]);
    let both = [one, other].concat();
    vec![
        ("1. one kiosk in Manhattan, one week", campaign(&manhattan[..1], WEEK, &[new_york])),
        ("2. all kiosks in Manhattan, four weeks", campaign(&manhattan, FOUR_WEEKS, &[new_york])),
        (
            "3. kiosks in Brooklyn, bus shelters in Queens, signs in San Francisco, four weeks",
            campaign(&mixed, FOUR_WEEKS, &[new_york, san_francisco]),
        ),
        ("4. one bulletin in the desert, four weeks", campaign(&[BULLETIN], FOUR_WEEKS, &[los_angeles])),
        ("5a. 60 kiosks in Manhattan, four weeks", campaign(one, FOUR_WEEKS, &[new_york])),
        (
            "5b. 60 kiosks in Manhattan, including 20 from 5a, four weeks",
            campaign(other, FOUR_WEEKS, &[new_york]),
        ),
        ("5a and 5b in one campaign", campaign(&both, FOUR_WEEKS, &[new_york])),
    ]
}

fn row(name: &str, data: &Value) -> String {
    let totals = &data["totals"];
    let whole = |figure: &str| grouped(totals[figure].as_u64().expect("a whole number"));
    let displays = data["displays"].as_array().expect("displays").len();
    let silent = data["displays_without_impressions"].as_array().expect("displays").len();
    let silent = if silent == 0 { String::new() } else { format!(", plus {silent} without impressions") };
    format!(
        "| {name} | {}{silent} | {} | {} | {} ({} to {}) | {:.2} | {:.1} |\n",
        grouped(displays as u64),
        whole("impressions"),
        whole("target_impressions"),
        whole("reach"),
        whole("reach_low"),
        whole("reach_high"),
        number(&totals["frequency"]),
        number(&totals["trp"]),
    )
}

#[tokio::test]
async fn five_plans_have_the_documented_figures() {
    let (world, org) = World::with_org().await;
    let estimates = estimates::Release::open(release()).expect("the release opens");
    let router = estimates::router(&world.app, Arc::new(estimates), None);
    let columns = "| plan | displays | impressions | target impressions | reach | frequency | TRP |\n";
    let mut table = format!("{columns}|---|---|---|---|---|---|---|\n");
    let mut reach = Vec::new();
    for (name, body) in plans(&world, &org).await {
        world.clock.advance(60_000);
        let answer = world.post(ESTIMATE).key(&org.key).json(&body).send_to(router.clone()).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        let data = answer.data();
        reach.push(number(&data["totals"]["reach"]));
        table.write_str(&row(name, &data)).expect("writing to memory");
    }
    let [.., one, other, both] = reach[..] else { panic!("{reach:?}") };
    assert!(both > one.max(other) && both < one + other, "{reach:?}");
    assert_table(DOCUMENT, HEADING, &table);
}
