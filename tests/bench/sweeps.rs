//! Measures two sweeps over many campaigns: one starts their measurements, the other completes them.

use std::time::{Duration, Instant};

use accounting::{OrgId, PurchaseNames, Tier, Timestamp};
use estimates::Sweep;
use gateway::{App, Config};
use harness::organization;
use marquee::administrator::Administrator;
use marquee::serve::Releases;
use marquee::sweep::measurement_of;
use measurement::{EventType, MeasurementEvent, PurchaseOrder};
use runtime::{Clock, Random};
use store::{AssetId, Assets, Connection, Content, Family, IndexedMembers, create_tables};

use crate::estimates::{IDS, campaign, releases};
use crate::times::beside_an_engine;

const CAMPAIGNS: usize = 10_000;
const DISPLAYS: usize = 200;

/// When all campaigns start and when all final reports are due.
const START: &str = "2027-04-05T12:00:00Z";
const END: &str = "2027-06-28T12:00:00Z";

/// Prints how long each sweep takes.
pub(crate) fn print() {
    let releases = releases();
    beside_an_engine(async |connection, clock, _| print_sweeps(connection, clock, &releases).await);
}

async fn print_sweeps(connection: Connection, clock: Clock, releases: &Releases) {
    let app = App::new(Config::new(connection), clock.clone(), Random::System);
    create_tables(&app.dynamo).await.expect("tables");
    let org = organization(&Administrator::new(app.clone()), "org_bench", Tier::Enterprise, 1_000_000).await;
    for _ in 0..CAMPAIGNS {
        buy(&app, &org).await;
    }
    println!(
        "\n== sweep of {CAMPAIGNS} nationwide 12-week campaigns, each with {DISPLAYS} displays, one core"
    );
    let sweep = Sweep::new(app.dynamo.clone(), releases.estimates.clone());
    for (step, moment) in [("start", START), ("final report", END)] {
        let now = Timestamp::parse(moment).expect("a timestamp");
        let (mut sweeping, mut events) = (Duration::ZERO, Vec::new());
        let (mut pages, mut start) = (sweep.pages(now), Instant::now());
        while let Some(page) = pages.next().await {
            sweeping += start.elapsed();
            assert_eq!(page.failed, 0);
            events.extend(page.events);
            start = Instant::now();
        }
        sweeping += start.elapsed();
        let each = sweeping / u32::try_from(events.len().max(1)).expect("a number");
        println!("{step:<14} {:>6} events {sweeping:>9.1?}  {each:>8.1?} each", events.len());
        let measurement = measurement_of(&app, PurchaseNames::default());
        for event in &events {
            measurement::apply(&measurement, event).await.expect("applied");
        }
    }
}

/// Stores a campaign and buys its measurement.
async fn buy(app: &App, org: &OrgId) {
    let body = campaign("XX2020NATNUS", IDS[1]..IDS[1] + DISPLAYS, "2027-06-27").to_string().into_bytes();
    let content = Content { body, indexed: IndexedMembers::default(), unknown_ids: 0 };
    let assets = Assets::new(app.dynamo.clone(), Family::Campaign);
    let asset: AssetId =
        assets.create::<std::convert::Infallible>(org, content, None).await.expect("an asset").head.id;
    let event = MeasurementEvent {
        event_id: format!("purchase-{asset}").parse().expect("an ID"),
        org_id: org.clone(),
        family: Family::Campaign,
        asset_id: asset,
        event_type: EventType::Purchased,
        occurred_at: app.clock.now(),
        purchase: Some(PurchaseOrder {
            purchase_id: asset.to_string(),
            product: "campaign_measurement".parse().expect("a name"),
            credits: 25,
            is_own: true,
        }),
    };
    let outcome = measurement::apply(&measurement_of(app, PurchaseNames::default()), &event).await;
    assert!(outcome.expect("an outcome").is_applied());
}
