//! Simulates a year of measurements with faults: lost and repeated events, concurrent sweeps, sweeps stopped
//! at any point, and a switch to another release.

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use accounting::{Credits, Timestamp};
use axum::Router;
use estimates::{Release, Sweep};
use harness::{TestOrg, World, WorldOptions, as_function, sample_release, samples};
use measurement::{MeasurementEvent, Outcome};
use runtime::{Clock, Random};
use serde_json::json;
use store::{Family, ScheduledChecks};

use super::measurements::{library, path, status, stored};
use super::{ESTIMATE, KIOSK, SILENT, campaign, open_release, release, router, router_of, spots};

const ASSETS: usize = 120;

/// The first day of the year, and the day on which the release is switched.
const FIRST_DAY: &str = "2027-01-01T12:00:30Z";
const SWITCH: i64 = 200;

/// The number of simulated days. All flights end at least a month before the last day.
const DAYS: i64 = 365;

/// A campaign in the simulation.
struct Simulated {
    id: String,
    bought_on: i64,
    /// The day on which the customer edits or deletes the campaign if it is still queued.
    changed_on: i64,
    change: Change,
    seen: String,
}

#[derive(Clone, Copy)]
enum Change {
    None,
    OtherDates,
    /// Adds a display without impressions, which makes the measurement fail.
    SilentDisplay,
    Delete,
}

struct Year {
    world: World,
    org: TestOrg,
    router: Router,
    random: Random,
    assets: Vec<Simulated>,
    /// The credits used by calls, excluding measurements.
    spent: Credits,
    /// Events that the queue delivers late.
    late: Vec<MeasurementEvent>,
}

fn date(day: i64) -> String {
    Timestamp::parse(FIRST_DAY).expect("a timestamp").plus_days(day).day().to_string()
}

/// Polls a future at most `polls` times and then drops it, as if its process had been stopped.
async fn stopped_after<T>(polls: u64, future: impl Future<Output = T>) -> Option<T> {
    let (mut future, mut left) = (pin!(future), polls);
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

impl Year {
    async fn begin() -> Self {
        let clock = Clock::fixed(Timestamp::parse(FIRST_DAY).expect("a timestamp"));
        let world = World::with(WorldOptions { clock, ..WorldOptions::default() }).await;
        let org = world.org("org_a").await;
        let random = Random::seeded(11);
        // One display is only in the first release, the other only in the second.
        let both = [KIOSK, samples::displays_with_impressions(1)[0]];
        let mut assets = Vec::new();
        for number in 0..ASSETS {
            let begins = random.below(300) as i64;
            let mut body = campaign(&spots([&both[..1], &both[1..], &both, &both][number % 4]));
            let ends = begins + random.below(35) as i64;
            body["flight"] = json!({ "start_date": date(begins), "end_date": date(ends) });
            assets.push(Simulated {
                id: stored(&world, &org, &body).await,
                bought_on: (begins - 20 + random.below(60) as i64).clamp(0, 330),
                changed_on: begins - 1 - random.below(5) as i64,
                change: [Change::None, Change::OtherDates, Change::SilentDisplay, Change::Delete]
                    [(random.below(10).saturating_sub(6)) as usize],
                seen: "draft".to_owned(),
            });
        }
        let router = router(&world);
        Self { world, org, router, random, assets, spent: 0, late: Vec::new() }
    }

    /// Makes the customer's calls for one day.
    async fn act(&mut self, day: i64) {
        for asset in &self.assets {
            // Some clients repeat the purchase because they didn't get a response.
            let purchases = if asset.bought_on == day { 1 + self.random.below(2) } else { 0 };
            for _ in 0..purchases {
                let call = self.world.post(&path(&asset.id)).header("Idempotency-Key", &asset.id);
                call.key(&self.org.key).send_to(self.router.clone()).await;
            }
            if asset.changed_on != day {
                continue;
            }
            let dates = json!({ "start_date": date(day + 2), "end_date": date(day + 12) });
            let edit = || self.world.patch(&library(&asset.id));
            let call = match asset.change {
                Change::None => continue,
                Change::OtherDates => edit().json(&json!({ "flight": dates })),
                Change::SilentDisplay => edit().json(&json!({ "spots": spots(&[SILENT]) })),
                Change::Delete => self.world.delete(&library(&asset.id)),
            };
            self.spent += call.key(&self.org.key).send().await.credits_used();
        }
    }

    /// Runs two sweeps concurrently, and delivers their events through a queue that loses, repeats, and
    /// delays events.
    async fn sweep(&mut self, release: &Arc<Release>) {
        let mut events = std::mem::take(&mut self.late);
        let now = self.world.clock.now();
        for shard in 0..ScheduledChecks::SHARDS {
            let sweep = || async {
                let sweep = Sweep::new(self.world.app.dynamo.clone(), release.clone());
                let polls = if self.random.below(3) == 0 { self.random.below(60) } else { u64::MAX };
                let page = as_function("sweep", sweep.page(shard, now));
                stopped_after(polls, page).await.map(|page| page.expect("a page").events)
            };
            let pages = tokio::join!(sweep(), sweep());
            events.extend([pages.0, pages.1].into_iter().flatten().flatten());
        }
        for event in events {
            match self.random.below(8) {
                0 => {}
                1 => self.late.push(event),
                2 => {
                    self.deliver(&event).await;
                    self.deliver(&event).await;
                }
                _ => self.deliver(&event).await,
            }
        }
    }

    async fn deliver(&self, event: &MeasurementEvent) {
        if let Outcome::Refused { reason } = self.world.apply(event).await {
            // An event may arrive after the event for a later step.
            assert!(reason.to_string().contains("cannot be applied to an asset"), "{event:?}: {reason}");
        }
    }

    /// Checks that every asset's state transitions since the last check are legal.
    async fn check_states(&mut self) {
        for asset in &mut self.assets {
            let answer = self.world.get(&path(&asset.id)).key(&self.org.key);
            let answer = answer.send_to(self.router.clone()).await;
            let state = match answer.status.as_u16() {
                404 => "deleted".to_owned(),
                _ => answer.data()["state"].as_str().expect("a state").to_owned(),
            };
            let is_legal = asset.seen == state
                || match asset.seen.as_str() {
                    "draft" => true,
                    "queued" => state != "draft",
                    "in_flight" => ["completed", "failed"].contains(&state.as_str()),
                    _ => false,
                };
            assert!(is_legal, "{}: {} to {state}", asset.id, asset.seen);
            asset.seen = state;
        }
    }

    /// Checks that no step was performed twice and that the charges are exact. Returns the total cost of the
    /// measurements.
    async fn check_events(&self) -> Credits {
        let (mut charged, mut refunded) = (0, 0);
        for asset in &self.assets {
            let id = asset.id.parse().expect("an ID");
            let events = self.world.administrator.applied_events(&self.org.id, Family::Campaign, id).await;
            let events = events.expect("the events");
            let mut counts = BTreeMap::<_, usize>::new();
            for event in &events {
                let step = (event.event_type.clone(), event.occurred_at);
                *counts.entry(step).or_default() += 1;
                charged += event.charged;
                refunded += event.refunded;
            }
            assert!(counts.values().all(|count| *count == 1), "{id}: {counts:?}");
            let of_type = |name: &str| events.iter().filter(|event| event.event_type == name).count();
            let ends = of_type("completed") + of_type("failed");
            assert!(of_type("purchased") <= 1 && of_type("started") <= 1, "{id}: {counts:?}");
            assert_eq!(ends, of_type("purchased"), "{id} ends once: {counts:?}");
        }
        charged - refunded
    }

    /// Checks that up to 20 final reports equal the estimates of the same asset with the same release.
    /// Returns the number of reports checked.
    async fn check_reports(&self, releases: &HashMap<&str, Arc<Release>>) -> usize {
        let mut reproduced = 0;
        for asset in self.assets.iter().filter(|asset| asset.seen == "completed") {
            let report = status(&self.world, &self.org, &asset.id).await["report"].clone();
            assert_eq!(report["status"], "final");
            if reproduced == 20 {
                continue;
            }
            let release = &releases[report["release"].as_str().expect("a name")];
            let call = self.world.post(ESTIMATE).key(&self.org.key).json(&json!({ "asset_id": asset.id }));
            let estimate = call.send_to(router_of(&self.world, release.clone(), None)).await;
            assert_eq!(report["results"], estimate.data(), "{}", asset.id);
            reproduced += 1;
        }
        reproduced
    }
}

#[tokio::test]
async fn assets_are_charged_and_measured_once_despite_a_year_of_faults() {
    let mut year = Year::begin().await;
    let before = year.world.account(&year.org).await.totals.used;
    let later = Arc::new(Release::open(sample_release()).expect("the release opens"));
    let first = open_release();
    for day in 0..DAYS {
        year.world.move_to(FIRST_DAY);
        year.world.clock.advance(day * 86_400_000);
        year.act(day).await;
        let release = if day < SWITCH { &first } else { &later };
        // On some days, another sweep follows a minute later.
        let sweeps = if day % 10 == 0 { 2 } else { 1 };
        for _ in 0..sweeps {
            year.sweep(release).await;
            year.world.clock.advance(61_000);
        }
        if day % 30 == 0 || day == DAYS - 1 {
            year.check_states().await;
        }
    }
    let mut states = BTreeMap::<&str, usize>::new();
    year.assets.iter().for_each(|asset| *states.entry(&asset.seen).or_default() += 1);
    let unsettled = ["queued", "in_flight"].map(|state| states.get(state).copied());
    assert_eq!(unsettled, [None, None], "nothing gets stuck: {states:?}");
    assert!(states["completed"] > 40 && states["failed"] > 10 && states["deleted"] > 5, "{states:?}");
    let used = year.world.account(&year.org).await.totals.used - before;
    assert_eq!(used, year.check_events().await + year.spent);
    let names = [release(), sample_release()].map(|folder| folder.manifest().name.as_str());
    let releases = HashMap::from([(names[0], first.clone()), (names[1], later.clone())]);
    assert_eq!(year.check_reports(&releases).await, 20);
}
