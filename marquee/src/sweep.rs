//! Runs due measurement steps and creates measurement events, for the local process and administrator
//! commands. In the cloud, the sweep function runs the steps, and a queue delivers the events.

use std::sync::Arc;
use std::time::Duration;

use accounting::{Credits, OrgId, PurchaseNames, Timestamp};
use estimates::{Release, Sweep};
use gateway::App;
use measurement::{EventType, MeasurementEvent, Outcome, PurchaseOrder};
use serde::Serialize;
use store::{AssetId, Family, RequestId};

/// The interval between sweeps in `marquee serve`, which is the same as in template.yaml's schedule.
const EVERY: Duration = Duration::from_secs(60);

/// The result of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Swept {
    /// The number of scheduled checks.
    pub checked: usize,
    /// The number of events that were applied.
    pub applied: usize,
    /// The number of checks that failed, events that couldn't be applied, and shards that couldn't be read. A
    /// later sweep retries them.
    pub failed: usize,
}

/// Runs all measurement steps that are due at `now`, which can be in the future to rehearse a measurement.
pub async fn sweep(app: &App, release: &Arc<Release>, now: Timestamp) -> Swept {
    let sweep = Sweep::new(app.dynamo.clone(), release.clone());
    let measurement = measurement_of(app, PurchaseNames::default());
    let mut swept = Swept::default();
    let mut pages = sweep.pages(now);
    while let Some(page) = pages.next().await {
        for event in &page.events {
            match measurement::apply(&measurement, event).await {
                Ok(Outcome::Applied | Outcome::Purchased { .. } | Outcome::Deleted { .. }) => {
                    swept.applied += 1;
                }
                Ok(Outcome::AlreadyApplied) => {}
                Ok(Outcome::Refused { .. }) | Err(_) => swept.failed += 1,
            }
        }
        swept.checked += page.checked;
        swept.failed += page.failed;
    }
    swept
}

/// Sweeps every minute until the process ends.
pub(crate) async fn sweep_each_minute(app: App, release: Arc<Release>) {
    loop {
        tokio::time::sleep(EVERY).await;
        sweep(&app, &release, app.clock.now()).await;
    }
}

/// Creates an event as a measurement product could send it now, with a random ID. `credits` is the price of a
/// purchase.
pub(crate) fn new_event(
    app: &App,
    org: OrgId,
    family: Family,
    asset: AssetId,
    event_type: EventType,
    credits: Credits,
) -> MeasurementEvent {
    let id = RequestId::from_random(app.random.bytes()).to_string();
    let purchase = (event_type == EventType::Purchased).then(|| PurchaseOrder {
        purchase_id: format!("purchase-{id}"),
        product: format!("{family}_measurement").parse().expect("a valid billing name"),
        credits,
        is_own: false,
    });
    MeasurementEvent {
        event_id: id.parse().expect("a UUID is a valid event ID"),
        org_id: org,
        family,
        asset_id: asset,
        event_type,
        occurred_at: app.clock.now(),
        purchase,
    }
}

/// Returns the measurement function's state, connected to an app's tables.
pub fn measurement_of(app: &App, purchase_names: PurchaseNames) -> measurement::App {
    measurement::App {
        dynamo: app.dynamo.clone(),
        purchase_names,
        handler_deadline: app.config.handler_deadline,
        clock: app.clock.clone(),
        random: app.random.clone(),
    }
}
