//! Measurements that this service sells: purchases, steps, and reports.

use accounting::{Credits, Scope, Timestamp, sha256_hex};
use estimates::{OwnMeasurement, Sweep};
use harness::{Answer, Fault, TestOrg, World, as_function, large_spots, samples};
use measurement::{EventRefusal, MeasurementEvent, Outcome};
use serde_json::{Value, json};
use store::{Family, ScheduledChecks};

use super::events::{EVENT, event};
use super::{KIOSK, SILENT, STADIUM, ask_for, campaign, estimate, open_release, router, router_of, spots};
use crate::scenarios::changed;

/// Returns a campaign with the given flight dates.
fn flight(first: &str, last: &str) -> Value {
    let mut body = campaign(&spots(&[KIOSK]));
    body["flight"] = json!({ "start_date": first, "end_date": last });
    body
}

/// Stores a campaign and returns its ID.
pub(super) async fn stored(world: &World, org: &TestOrg, body: &Value) -> String {
    let created = world.post(samples::library(Family::Campaign)).key(&org.key).json(body).send().await;
    created.data()["asset_id"].as_str().expect("an ID").to_owned()
}

pub(super) fn path(id: &str) -> String {
    format!("/v2/measures/campaigns/{id}")
}

pub(super) fn library(id: &str) -> String {
    format!("{}/{id}", samples::library(Family::Campaign))
}

async fn buy(world: &World, org: &TestOrg, id: &str, key: &str) -> Answer {
    world.post(&path(id)).key(&org.key).header("Idempotency-Key", key).send_to(router(world)).await
}

async fn bought(world: &World, org: &TestOrg, body: &Value) -> String {
    let id = stored(world, org, body).await;
    assert_eq!(buy(world, org, &id, &id).await.status, 200);
    id
}

pub(super) async fn status(world: &World, org: &TestOrg, id: &str) -> Value {
    let answer = world.get(&path(id)).key(&org.key).send_to(router(world)).await;
    assert_eq!((answer.status.as_u16(), answer.credits_used()), (200, 0), "{}", answer.text());
    answer.data()
}

/// Returns the events for all steps that are due at `now`.
async fn due_events(sweep: &Sweep, now: Timestamp) -> Vec<MeasurementEvent> {
    let mut events = Vec::new();
    let mut pages = sweep.pages(now);
    while let Some(page) = as_function("sweep", pages.next()).await {
        assert_eq!(page.failed, 0);
        events.extend(page.events);
    }
    events
}

/// Runs sweeps, one simulated minute apart, until no step is due. Returns the event types.
async fn sweep(world: &World) -> Vec<String> {
    let sweep = Sweep::new(world.app.dynamo.clone(), open_release());
    let mut types = Vec::new();
    loop {
        let events = due_events(&sweep, world.clock.now()).await;
        if events.is_empty() {
            return types;
        }
        for event in events {
            assert!(!matches!(world.apply(&event).await, Outcome::Refused { .. }), "{event:?}");
            types.push(event.event_type.to_string());
        }
        world.clock.advance(60_000);
    }
}

async fn used(world: &World, org: &TestOrg) -> Credits {
    world.account(org).await.totals.used
}

#[tokio::test]
async fn past_campaign_completes_within_minutes_with_the_figures_of_its_estimate() {
    let (world, org) = World::with_org().await;
    let body = flight("2026-09-01", "2026-09-30");
    let expected = estimate(&world, &org, &body).await;
    let id = stored(&world, &org, &body).await;
    let before = used(&world, &org).await;
    let status_after_purchase = buy(&world, &org, &id, "first").await.data();
    assert_eq!(status_after_purchase["state"], "queued");
    assert_eq!(status_after_purchase["purchase"]["credits"], 25);
    assert_eq!(status_after_purchase["report"], Value::Null);
    assert_eq!(sweep(&world).await, ["started", "completed"]);
    let completed = status(&world, &org, &id).await;
    assert_eq!(completed["state"], "completed");
    assert_eq!(completed["report"]["status"], "final");
    assert_eq!(completed["report"]["through_date"], "2026-09-30");
    assert_eq!(completed["report"]["results"], expected);
    assert_eq!(used(&world, &org).await - before, 25);
    assert!(sweep(&world).await.is_empty());
}

#[tokio::test]
async fn client_link_shows_the_totals_of_the_report() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2026-09-01", "2026-09-30")).await;
    world.share(&org, &id).await;
    let shown = async || {
        let view =
            world.get("/v2/client-links/campaign").header("x-client-link", &samples::client_link_token());
        view.send().await.data()["report"].clone()
    };
    assert_eq!(shown().await, Value::Null);
    assert_eq!(sweep(&world).await, ["started", "completed"]);
    let totals = status(&world, &org, &id).await["report"]["results"]["totals"].clone();
    let expected =
        json!({ "status": "final", "through_date": "2026-09-30", "results": { "totals": totals } });
    assert_eq!(shown().await, expected);
}

#[tokio::test]
async fn running_campaign_gets_a_report_after_each_week_and_a_final_one_after_its_last_day() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2026-11-22", "2026-12-08")).await;
    // A day ends at 12:00 UTC on the next day, so the flight starts at 12:00 UTC on its first day.
    let steps = [
        ("2026-11-22T11:59:59Z", vec![], "queued", Value::Null),
        ("2026-11-22T12:00:00Z", vec!["started"], "in_flight", Value::Null),
        ("2026-11-29T11:59:00Z", vec![], "in_flight", Value::Null),
        ("2026-11-29T12:00:00Z", vec!["measured"], "in_flight", json!("2026-11-28")),
        ("2026-12-06T12:00:00Z", vec!["measured"], "in_flight", json!("2026-12-05")),
        ("2026-12-09T11:59:00Z", vec![], "in_flight", json!("2026-12-05")),
        ("2026-12-09T12:00:00Z", vec!["completed"], "completed", json!("2026-12-08")),
    ];
    let mut weeks = Vec::new();
    for (moment, events, state, through) in steps {
        world.move_to(moment);
        assert_eq!(sweep(&world).await, events, "{moment}");
        let now = status(&world, &org, &id).await;
        assert_eq!((&now["state"], &now["report"]["through_date"]), (&json!(state), &through), "{moment}");
        weeks = now["report"]["results"]["weeks"].as_array().cloned().unwrap_or(weeks);
    }
    assert_eq!(weeks.len(), 3);
    assert_eq!(weeks[2]["end_date"], "2026-12-08");
}

#[tokio::test]
async fn event_is_measured_with_the_visits_of_the_periods_that_have_ended() {
    let (world, org) = World::with_org().await;
    let evenings = [
        ("2026-11-21T19:00:00-05:00", "2026-11-21T21:00:00-05:00"),
        ("2026-11-28T19:00:00-05:00", "2026-11-28T21:00:00-05:00"),
    ];
    let body = event(&[STADIUM], &evenings);
    let expected = ask_for(EVENT, &world, &org, &body).await.data();
    let created = world.post(samples::library(Family::Event)).key(&org.key).json(&body).send().await.data();
    let path = format!("/v2/measures/events/{}", created["asset_id"].as_str().expect("an ID"));
    let call = world.post(&path).key(&org.key).header("Idempotency-Key", "one");
    assert_eq!(call.send_to(router(&world)).await.data()["purchase"]["product"], "event_measurement");
    let steps = [
        ("2026-11-21T12:00:00Z", "started", Value::Null),
        ("2026-11-28T12:00:00Z", "measured", json!(10_000)),
        ("2026-11-29T12:00:00Z", "completed", json!(20_000)),
    ];
    let mut report = Value::Null;
    for (moment, step, visits) in steps {
        world.move_to(moment);
        assert_eq!(sweep(&world).await, [step], "{moment}");
        let read = world.get(&path).key(&org.key).send_to(router(&world)).await;
        report = read.data()["report"].clone();
        assert_eq!(report["results"]["totals"]["visits"], visits, "{moment}");
    }
    assert_eq!((&report["status"], &report["results"]), (&json!("final"), &expected));
}

#[tokio::test]
async fn assets_with_large_bodies_are_measured_after_edits() {
    let (world, org) = World::with_org().await;
    let mut campaign = flight("2026-12-01", "2026-12-31");
    campaign["spots"] = large_spots(1, 300);
    campaign["spots"][0]["display_id"] = json!(KIOSK.to_string());
    let period = ("2026-12-01T19:00:00-05:00", "2026-12-01T21:00:00-05:00");
    let event = event(&[STADIUM], &[period]);
    for (family, mut body) in [(Family::Campaign, campaign.clone()), (Family::Event, event)] {
        if family == Family::Event {
            body["description"] = campaign["spots"].to_string().into();
        }
        let library = samples::library(family);
        let created = world.post(library).key(&org.key).json(&body).send().await.data();
        let id = created["asset_id"].as_str().expect("an ID");
        let path = format!("{}/{id}", library.replace("scenarios", "measures"));
        let call = world.post(&path).key(&org.key).header("Idempotency-Key", id);
        assert_eq!(call.send_to(router(&world)).await.status, 200);
        assert!(sweep(&world).await.is_empty());
        let edit = json!({ "customer": changed(&body, "/customer/customer_scenario_id", Some(json!("2")))["customer"] });
        assert_eq!(
            world.patch(&format!("{library}/{id}")).key(&org.key).json(&edit).send().await.status,
            200
        );
        assert!(sweep(&world).await.is_empty());
    }
    world.move_to("2026-12-01T12:00:00Z");
    assert_eq!(sweep(&world).await, ["started", "started"]);
}

#[tokio::test]
async fn latest_step_replaces_overdue_steps() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2026-10-19", "2026-12-31")).await;
    assert_eq!(sweep(&world).await, ["started", "measured"]);
    assert_eq!(status(&world, &org, &id).await["report"]["through_date"], "2026-11-15");
    world.move_to("2026-12-21T12:00:00Z");
    assert_eq!(sweep(&world).await, ["measured"]);
    assert_eq!(status(&world, &org, &id).await["report"]["through_date"], "2026-12-20");
}

#[tokio::test]
async fn purchase_is_charged_once_per_key_and_asset() {
    let (world, org) = World::with_org().await;
    let [id, other] = [
        stored(&world, &org, &flight("2026-12-01", "2026-12-31")).await,
        stored(&world, &org, &flight("2026-12-01", "2026-12-31")).await,
    ];
    let before = used(&world, &org).await;
    let first = buy(&world, &org, &id, "one").await.data();
    assert_eq!(buy(&world, &org, &id, "one").await.data(), first);
    assert_eq!(buy(&world, &org, &id, "two").await.error(), (409, "STATE_CONFLICT".to_owned()));
    assert_eq!(buy(&world, &org, &other, "one").await.error(), (409, "IDEMPOTENCY_KEY_REUSED".to_owned()));
    let keyless = world.post(&path(&other)).key(&org.key).send_to(router(&world)).await;
    keyless.assert_invalid(&[("Idempotency-Key", "is required; send a new key for each purchase")], "no key");
    assert_eq!(used(&world, &org).await - before, 25);
    world.move_to("2026-12-01T12:00:00Z");
    assert_eq!(sweep(&world).await, ["started"]);
    assert_eq!(buy(&world, &org, &id, "one").await.data()["state"], "in_flight");
    assert_eq!(used(&world, &org).await - before, 25);
}

#[tokio::test]
async fn purchases_that_cannot_be_measured_are_refused_before_the_charge() {
    let (world, org, other) = World::with_two_orgs().await;
    let good = flight("2026-12-01", "2026-12-31");
    let with = |pointer: &str, value: Value| changed(&good, pointer, Some(value));
    let no_one = json!("01999999-9999-5999-8999-999999999999");
    let cases = [
        (campaign(&spots(&[SILENT])), "/spots"),
        (flight("2026-12-01", "2027-12-02"), "/flight"),
        (with("/cohort/service_segment_ids", json!([no_one])), "/cohort/service_segment_ids/0"),
        (with("/cohort/service_base_segment_id", no_one), "/cohort/service_base_segment_id"),
    ];
    for (body, pointer) in cases {
        let id = stored(&world, &org, &body).await;
        let before = used(&world, &org).await;
        let refused = buy(&world, &org, &id, &id).await;
        assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()), "{}", refused.text());
        assert_eq!(refused.violations()[0].0, pointer);
        assert_eq!(used(&world, &org).await, before);
        assert_eq!(status(&world, &org, &id).await["state"], "draft");
    }
    let id = stored(&world, &org, &good).await;
    let foreign = buy(&world, &other, &id, "mine").await;
    assert_eq!(foreign.error(), (404, "NOT_FOUND".to_owned()));
    world.delete(&library(&id)).key(&org.key).send().await;
    assert_eq!(buy(&world, &org, &id, "late").await.error(), (404, "NOT_FOUND".to_owned()));
    assert_eq!(buy(&world, &org, "7", "odd").await.error(), (404, "NOT_FOUND".to_owned()));
    assert!(sweep(&world).await.is_empty());
}

/// Returns spots with long, unknown display IDs, which make the report too large.
fn spots_with_long_ids() -> Value {
    let digest = |part: usize| sha256_hex(&[&part.to_le_bytes()[..]]);
    let id = |number: usize| (16 * number..16 * (number + 1)).map(digest).collect::<String>();
    let unknown = (0..1_000).map(|number| json!({ "display_id": id(number), "spot_id": number + 2 }));
    spots(&[KIOSK]).into_iter().chain(unknown).collect()
}

#[tokio::test]
async fn report_that_is_too_large_is_refused_before_the_charge_and_fails_after_an_edit() {
    let (world, org) = World::with_org().await;
    let mut large = flight("2026-12-01", "2026-12-31");
    large["spots"] = spots_with_long_ids();
    let id = stored(&world, &org, &large).await;
    let before = used(&world, &org).await;
    let refused = buy(&world, &org, &id, "large").await;
    assert_eq!(refused.error(), (400, "VALIDATION_ERROR".to_owned()), "{}", refused.text());
    assert_eq!(refused.violations()[0].0, "/cohort/geography_ids");
    assert_eq!(used(&world, &org).await, before);
    let id = bought(&world, &org, &flight("2026-12-01", "2026-12-31")).await;
    let edit = json!({ "spots": large["spots"] });
    assert_eq!(world.patch(&library(&id)).key(&org.key).json(&edit).send().await.status, 200);
    let before = used(&world, &org).await;
    world.move_to("2026-12-01T12:00:00Z");
    assert_eq!(sweep(&world).await, ["failed"]);
    let reason = status(&world, &org, &id).await["report"]["failure"].to_string();
    assert!(reason.contains("must result in a smaller report"), "{reason}");
    assert_eq!(before - used(&world, &org).await, 24);
}

#[tokio::test]
async fn sweep_continues_after_a_shard_or_a_check_fails() {
    let (world, org) = World::with_org().await;
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(bought(&world, &org, &flight("2026-09-01", "2026-09-30")).await);
    }
    let sweep = Sweep::new(world.app.dynamo.clone(), open_release());
    let found = async |now: Timestamp| {
        let (mut events, mut failed, mut pages) = (0, 0, sweep.pages(now));
        while let Some(page) = as_function("sweep", pages.next()).await {
            events += page.events.len();
            failed += page.failed;
        }
        (events, failed)
    };
    let shard =
        |id: &str| u8::from_str_radix(&id[id.len() - 2..], 16).expect("a UUID") % ScheduledChecks::SHARDS;
    let broken = shard(&ids[0]);
    let in_broken = ids.iter().filter(|id| shard(id) == broken).count();
    let key = format!("\"due#{broken}\"");
    world.wire.inject_faults(move |sent| match sent.operation.as_str() {
        "Query" if sent.body.to_string().contains(&key) => Fault::ErrorBeforeCommit,
        _ => Fault::None,
    });
    assert_eq!(found(world.clock.now()).await, (8 - in_broken, 1));
    world.wire.stop_faults().await;
    world.wire.inject_faults(|sent| if sent.is_write() { Fault::ErrorBeforeCommit } else { Fault::None });
    assert_eq!(found(world.clock.now()).await, (0, in_broken));
    world.wire.stop_faults().await;
    assert_eq!(found(world.clock.now()).await, (in_broken, 0));
}

#[tokio::test]
async fn purchase_needs_its_own_scope_and_enough_credits() {
    let (world, org) = World::with_org().await;
    let id = stored(&world, &org, &flight("2026-12-01", "2026-12-31")).await;
    let editor = world.key(&org.id, [Scope::ScenariosRead, Scope::ScenariosWrite].into()).await;
    let buyer = TestOrg { key: editor, ..org.clone() };
    assert_eq!(buy(&world, &buyer, &id, "one").await.error(), (403, "FORBIDDEN".to_owned()));
    let price = 2_000_000;
    let answer = world.post(&path(&id)).key(&org.key).header("Idempotency-Key", "one");
    let own = OwnMeasurement { app: world.measurement(), credits: price };
    let answer = answer.send_to(router_of(&world, open_release(), Some(own))).await;
    assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    let answer = world.post(&path(&id)).key(&org.key).header("Idempotency-Key", "one");
    let answer = answer.send_to(router_of(&world, open_release(), None)).await;
    assert_eq!(answer.error(), (409, "STATE_CONFLICT".to_owned()));
}

#[tokio::test]
async fn edit_of_the_dates_moves_the_start_of_a_queued_campaign() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2027-03-01", "2027-03-31")).await;
    assert!(sweep(&world).await.is_empty());
    let dates = json!({ "flight": { "start_date": "2026-11-01", "end_date": "2026-11-14" } });
    world.patch(&library(&id)).key(&org.key).json(&dates).send().await;
    assert_eq!(sweep(&world).await, ["started", "completed"]);
    assert_eq!(status(&world, &org, &id).await["report"]["through_date"], "2026-11-14");
}

#[tokio::test]
async fn campaign_without_figures_fails_with_a_reason_and_a_refund_and_can_be_bought_again() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2026-11-21", "2026-12-31")).await;
    let silent = json!({ "spots": spots(&[SILENT]) });
    world.patch(&library(&id)).key(&org.key).json(&silent).send().await;
    let before = used(&world, &org).await;
    world.move_to("2026-11-21T12:00:00Z");
    assert_eq!(sweep(&world).await, ["failed"]);
    let failed = status(&world, &org, &id).await;
    assert_eq!((&failed["state"], &failed["report"]["status"]), (&json!("failed"), &json!("failed")));
    let reason = failed["report"]["failure"].as_str().expect("a reason");
    assert!(reason.starts_with("/spots must contain a display with weekly_impressions"), "{reason}");
    assert_eq!(before - used(&world, &org).await, 24);
    // The campaign can no longer be measured, but repeating the purchase with its idempotency key returns the
    // earlier result.
    assert_eq!(buy(&world, &org, &id, &id).await.data(), failed);
    let audible = json!({ "spots": spots(&[KIOSK]) });
    world.patch(&library(&id)).key(&org.key).json(&audible).send().await;
    let again = buy(&world, &org, &id, "again").await.data();
    assert_eq!((&again["state"], &again["report"]), (&json!("queued"), &Value::Null));
    let occurred_at = Timestamp::parse("2026-11-20T12:00:00Z").expect("a timestamp");
    let late = MeasurementEvent { occurred_at, ..world.event(&org, &library(&id), "failed", 0) };
    let refused = Outcome::Refused { reason: EventRefusal::EarlierMeasurement };
    assert_eq!(world.apply(&late).await, refused);
    assert_eq!(sweep(&world).await, ["started"]);
}

#[tokio::test]
async fn deleting_a_queued_campaign_refunds_all_but_one_credit() {
    let (world, org) = World::with_org().await;
    let id = bought(&world, &org, &flight("2027-03-01", "2027-03-31")).await;
    world.delete(&library(&id)).key(&org.key).send().await;
    let before = used(&world, &org).await;
    assert_eq!(sweep(&world).await, ["failed"]);
    assert_eq!(before - used(&world, &org).await, 24);
    assert!(sweep(&world).await.is_empty());
}

#[tokio::test]
async fn assets_that_another_product_measures_stay_queued() {
    let (world, org) = World::with_org().await;
    let id = stored(&world, &org, &flight("2026-09-01", "2026-09-30")).await;
    world.bring_to(&org, &library(&id), "queued").await;
    let dates = json!({ "flight": { "start_date": "2026-11-01", "end_date": "2026-11-14" } });
    world.patch(&library(&id)).key(&org.key).json(&dates).send().await;
    assert!(sweep(&world).await.is_empty());
    assert_eq!(status(&world, &org, &id).await["state"], "queued");
}
