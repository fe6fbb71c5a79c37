//! Faults at random between the SDK and the engine, over thousands of calls of a fixed seed. Afterwards every
//! credit and every asset is accounted for.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use harness::{
    Answer, Body, Delete, Fault, Logs, TestOrg, World, WorldOptions, samples, stamped, text, version, whole,
};
use http::Method;
use measurement::{EventType, Outcome};
use serde_json::Value;
use shared::dynamo::Accounts;
use shared::types::{Family, PrepaidKind, Tier, Timestamp};

use super::ledger::Ledger;
use super::paid;
use super::traffic::{PRICE, Sender};

const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(250);
const ROUNDS: u64 = 24;
const SENDERS: u64 = 3;
const CALLS: usize = 13;

/// The faults in a hundred requests, round after round.
const WEATHER: [usize; 8] = [4, 10, 25, 50, 10, 2, 35, 15];

/// The stamp of the assets that all senders of an organization edit.
const SHARED: &str = "small-shared";

const STATES: [&str; 5] = ["draft", "queued", "in_flight", "completed", "failed"];

#[tokio::test]
async fn no_credit_and_no_asset_is_lost_or_made_whatever_the_wire_does() {
    let logs = Logs::capture();
    let world =
        World::with(WorldOptions { attempt_timeout: ATTEMPT_TIMEOUT, ..WorldOptions::default() }).await;
    let world = Arc::new(world);
    // The play begins two days before the month ends.
    world.clock.advance(8 * 24 * 3_600_000);
    let orgs = orgs(&world).await;
    world.wire.record();
    let mut senders = senders(&world, &orgs).await;
    for round in 0..ROUNDS {
        break_wire(&world, round);
        if round % 4 == 3 {
            pass_time_until_just_before_midnight(&world);
        }
        let playing: Vec<_> = senders.into_iter().map(|sender| tokio::spawn(sender.play(CALLS))).collect();
        tokio::time::sleep(Duration::from_millis(40)).await;
        // In the middle of the calls a minute passes, and now and then midnight.
        world.clock.advance(61_000);
        senders = Vec::new();
        for sender in playing {
            senders.push(sender.await.expect("a sender finds nothing wrong"));
        }
    }
    world.wire.mend().await;
    settle_unsure_events(&world, &mut senders).await;
    for (org, shared_path) in &orgs {
        world
            .operator
            .grant(&org.id, PrepaidKind::Purchased, 1_000, None)
            .await
            .expect("credits for the audit");
        let (mut of_org, others) =
            senders.into_iter().partition::<Vec<_>, _>(|sender| sender.org.id == org.id);
        senders = others;
        audit_assets(&world, org, &mut of_org, shared_path).await;
        senders.extend(of_org);
    }
    let ledger = Ledger::of(&world.wire.take());
    assert_eq!(ledger.repeated(), 0, "no step changes an account twice");
    let doubts = Doubts::read(&logs);
    let mut calls = 0;
    for (org, _) in &orgs {
        let of_org: Vec<_> = senders.iter().filter(|sender| sender.org.id == org.id).collect();
        calls += of_org.iter().map(|sender| sender.made.len()).sum::<usize>();
        audit_credits(&world, org, &of_org, &ledger, &doubts).await;
    }
    assert!(calls >= 2_500, "thousands of calls: {calls}");
    assert!(doubts.all() * 20 < calls, "what nobody can tell stays rare: {doubts:?} of {calls}");
}

/// No call lasts for hours: to one that did, the next day would be a wrong clock's.
fn pass_time_until_just_before_midnight(world: &World) {
    let now = world.clock.now();
    let midnight = now.day().start().plus_seconds(24 * 3_600);
    world.clock.advance(midnight.unix_millis() - now.unix_millis() - 30_000);
}

/// The requests that the log says nobody can tell the charge or the refund of.
#[derive(Debug)]
struct Doubts {
    charge: HashSet<String>,
    unanswered: HashSet<String>,
    refund: HashSet<String>,
}

impl Doubts {
    fn read(logs: &Logs) -> Self {
        let of = |event| logs.of(event).iter().map(|line| text(&line["fields"]["request_id"])).collect();
        Self { charge: of("charge_in_doubt"), unanswered: of("charge_unanswered"), refund: of("refund_lost") }
    }

    fn all(&self) -> usize {
        self.charge.len() + self.unanswered.len() + self.refund.len()
    }
}

/// Makes the organizations, each with an asset that all its senders edit: pay-as-you-go, one with many grants
/// that expire in the middle, one that runs out of credits, and a sandbox with its low rate.
async fn orgs(world: &World) -> Vec<(TestOrg, String)> {
    let metered = world.org_with("org_metered", Tier::PayAsYouGo, 20).await;
    let granted = world.org_with("org_granted", Tier::Enterprise, 2_000).await;
    let grants = [
        (PrepaidKind::Promotional, 60, Some("2026-11-29T12:00:00Z")),
        (PrepaidKind::Promotional, 90, Some("2026-12-01T06:00:00Z")),
        (PrepaidKind::Allocated, 70, Some("2026-11-30T00:00:00Z")),
        (PrepaidKind::Allocated, 90, None),
        (PrepaidKind::Purchased, 30, Some("2026-12-02T00:00:00Z")),
    ];
    for (kind, credits, expires_at) in grants {
        let expires_at = expires_at.and_then(Timestamp::parse);
        world.operator.grant(&granted.id, kind, credits, expires_at).await.expect("a grant");
    }
    let poor = world.org_with("org_poor", Tier::Enterprise, 250).await;
    world.operator.grant(&poor.id, PrepaidKind::Promotional, 150, None).await.expect("a grant");
    let sandbox = world.org_with("org_sandbox", Tier::Sandbox, 0).await;
    let mut orgs = Vec::new();
    for org in [metered, granted, poor, sandbox] {
        let library = samples::library(Family::Event);
        let body = stamped(Family::Event, SHARED);
        let created = world.post(library).key(&org.key).json(&body).send().await.data();
        let path = format!("{library}/{}", text(&created["asset_id"]));
        orgs.push((org, path));
    }
    orgs
}

async fn senders(world: &Arc<World>, orgs: &[(TestOrg, String)]) -> Vec<Sender> {
    let mut senders = Vec::new();
    for (number, (org, shared_path)) in orgs.iter().enumerate() {
        for seed in 0..SENDERS {
            let mut sender = Sender::new(world, org, shared_path, 100 * number as u64 + seed);
            if number < 2 && seed == 0 {
                sender.create_large().await;
            }
            senders.push(sender);
        }
    }
    senders
}

fn break_wire(world: &World, round: u64) {
    let mut rng = fastrand::Rng::with_seed(1_000 + round);
    let weather = WEATHER[round as usize % WEATHER.len()];
    world.wire.break_with(move |_| {
        if rng.usize(0..100) >= weather {
            return Fault::None;
        }
        match rng.usize(0..9) {
            0 | 1 => Fault::AnswerLost,
            2 => Fault::ErrorAfterCommit,
            3 => Fault::RequestLost,
            4 => Fault::ErrorBeforeCommit,
            5 => Fault::Throttled,
            6 => Fault::Conflict,
            7 => Fault::Delayed(ATTEMPT_TIMEOUT + Duration::from_millis(rng.u64(0..100))),
            _ => Fault::ArrivesLate(rng.usize(1..40)),
        }
    });
}

/// Sends every event again that was not answered: it is found applied, or applied, or refused, for good.
async fn settle_unsure_events(world: &World, senders: &mut [Sender]) {
    for known in senders.iter_mut().flat_map(|sender| &mut sender.assets) {
        let Some(event) = known.unsure.take() else { continue };
        match measurement::apply(&world.app, &event).await.expect("the wire is mended") {
            Outcome::Applied
            | Outcome::Purchased { .. }
            | Outcome::Deleted { .. }
            | Outcome::AlreadyApplied => known.applied.push(event),
            Outcome::Refused { .. } => {}
        }
    }
}

/// Holds what is listed to what was acknowledged, and the summary to what is listed.
async fn audit_assets(world: &World, org: &TestOrg, senders: &mut [Sender], shared_path: &str) {
    let mut unacknowledged: BTreeSet<String> = BTreeSet::new();
    let mut listed = BTreeMap::new();
    for family in [Family::Campaign, Family::Event] {
        let assets = list_all(world, &mut senders[0], family, "").await;
        world.clock.advance(61_000);
        let path = format!("{}/summary", samples::library(family));
        let summary = ask(&mut senders[0], &path).await.data();
        assert_eq!(summary["total"], assets.len(), "{} {family}", org.id);
        for state in STATES {
            let in_state: Vec<_> = assets.iter().filter(|asset| asset["state"] == state).cloned().collect();
            assert_eq!(summary["by_state"][state], in_state.len(), "{} {family} {state}", org.id);
            let by_index = list_all(world, &mut senders[0], family, &format!("&state={state}")).await;
            assert!(by_index == in_state, "{} {family} {state}", org.id);
        }
        listed.extend(assets.into_iter().map(|asset| (text(&asset["asset_id"]), asset)));
    }
    let shared =
        listed.remove(shared_path.rsplit('/').next().expect("an id")).expect("the shared asset is there");
    audit_shared(&ask(&mut senders[0], shared_path).await, &shared, senders);
    for known in senders.iter().flat_map(|sender| &sender.assets) {
        let Some(id) = &known.id else {
            unacknowledged.insert(known.bodies[0].stamp.clone());
            continue;
        };
        match (listed.remove(id), known.delete) {
            (Some(asset), Delete::NotSent | Delete::Unanswered) => {
                let stamp = whole(&asset);
                assert!(
                    known.possible().contains(&stamp.as_str()),
                    "{stamp} is not the last one of {known:?}"
                );
                let state = text(&asset["state"]).parse().expect("a state");
                assert!(known.possible_states().contains(&state), "{state} of {known:?}");
            }
            (None, Delete::Done | Delete::Unanswered) => {}
            (Some(_), Delete::Done) => panic!("deleted and still there: {known:?}"),
            (None, Delete::NotSent) => panic!("created and not there: {known:?}"),
        }
    }
    for (id, asset) in listed {
        assert!(unacknowledged.remove(&whole(&asset)), "{id} was created twice or by nobody");
    }
}

/// Holds the asset that all edit to the edits: each acknowledged one made a version of its own.
fn audit_shared(read: &Answer, listed: &Value, senders: &[Sender]) {
    let edits: Vec<&Body> = senders.iter().flat_map(|sender| &sender.shared).collect();
    let versions: Vec<u64> = edits.iter().filter_map(|edit| edit.version).collect();
    assert_eq!(versions.iter().collect::<BTreeSet<_>>().len(), versions.len(), "an edit was lost");
    let last = versions.iter().max().copied().unwrap_or(1);
    assert!(version(read) >= last && read.data() == *listed);
    let stamp = whole(listed);
    if version(read) == 1 {
        assert_eq!(stamp, SHARED);
        return;
    }
    let is_last = |edit: &&Body| {
        if version(read) == last { edit.version == Some(last) } else { edit.version.is_none() }
    };
    assert!(
        edits.into_iter().filter(is_last).any(|edit| edit.stamp == stamp),
        "{stamp} at {}",
        version(read)
    );
    assert!(version(read) as usize <= 1 + senders.iter().map(|sender| sender.shared.len()).sum::<usize>());
}

/// Reads what the audit needs, again where the machine is too slow for the short tries of this world.
async fn ask(sender: &mut Sender, path: &str) -> Answer {
    for _ in 0..5 {
        let answer = sender.send(Method::GET, path, None).await;
        if answer.status == 200 {
            return answer;
        }
    }
    panic!("{path} is not answered on a mended wire")
}

async fn list_all(world: &World, sender: &mut Sender, family: Family, filter: &str) -> Vec<Value> {
    let mut assets = Vec::new();
    let mut cursor = String::new();
    loop {
        // The lowest rate is 10 calls a minute.
        world.clock.advance(61_000);
        let path = format!("{}?limit=100{filter}{cursor}", samples::library(family));
        let answer = ask(sender, &path).await;
        assets.extend(answer.data().as_array().expect("a list").clone());
        let pagination = &answer.json()["pagination"];
        let Some(next) = pagination["cursor"].as_str() else {
            assert_eq!(pagination["total"], assets.len(), "{family} {filter}");
            return assets;
        };
        cursor = format!("&cursor={next}");
    }
}

/// Holds every call's answer to what landed for it, and the account to all that landed.
async fn audit_credits(world: &World, org: &TestOrg, senders: &[&Sender], ledger: &Ledger, doubts: &Doubts) {
    let day = |text: &str| text.parse().expect("a day");
    // The asset that all edit was charged before the record began.
    let (mut charged, mut calls) = (1, 1);
    for made in senders.iter().flat_map(|sender| &sender.made) {
        let (charges, refunds) = (ledger.charges(&made.request_id), ledger.refunds(&made.request_id));
        let id = &made.request_id;
        let is_right = match made.status {
            402 | 429 => charges == 0 && made.credits == 0,
            503 if doubts.unanswered.contains(id) => refunds == 0 && made.credits == 0,
            503 if doubts.refund.contains(id) => charges == 1 && made.credits == paid(),
            503 if doubts.charge.contains(id) => refunds == 0 && made.credits == 0,
            503 => charges == refunds && made.credits == 0,
            _ if doubts.charge.contains(id) => refunds == 0 && made.credits == 0,
            _ => charges == 1 && refunds == 0 && made.credits == paid(),
        };
        assert!(
            is_right && charges <= 1 && refunds <= charges,
            "{made:?}: {charges} charges, {refunds} refunds"
        );
        charged += charges - refunds;
        calls += charges;
    }
    let events = senders.iter().flat_map(|sender| &sender.assets).flat_map(|known| &known.applied);
    let of = |event_type| events.clone().filter(|event| event.event_type == event_type).count();
    let (purchased, failed) = (of(EventType::Purchased), of(EventType::Failed));
    assert!(purchased > 5, "{}", org.id);
    let bought = PRICE as usize * purchased - (PRICE as usize - 1) * failed;
    calls += purchased;
    let account = world.account(org).await;
    let used = charged as u64 * paid() + bought as u64;
    assert_eq!(account.totals.used, used, "{}", org.id);
    assert_eq!(
        account.totals.granted,
        account.left() + account.totals.used + account.totals.expired,
        "{}",
        org.id
    );
    let accounts = Accounts::new(world.app.dynamo.clone());
    let mut booked = vec![account.today];
    for month in ["2026-11", "2026-12"] {
        booked.extend(
            accounts.past_usage(&org.id, month.parse().expect("a month")).await.expect("the engine answers"),
        );
    }
    let usage =
        accounts.usage(&org.id, day("2026-11-01"), day("2026-12-31")).await.expect("the engine answers");
    booked.sort_by_key(|day| day.day);
    assert_eq!(usage, Some(booked.clone()), "{} is shown what is booked", org.id);
    let days: BTreeSet<_> = booked.iter().map(|day| day.day).collect();
    assert!(days.len() == booked.len() && days.len() > 3, "{} {booked:#?}", org.id);
    let lines = || booked.iter().flat_map(|day| day.usage.values());
    assert_eq!(lines().map(|line| line.credits).sum::<i64>(), used as i64, "{}", org.id);
    assert_eq!(lines().map(|line| line.calls).sum::<i64>(), calls as i64, "{}", org.id);
}
