//! The health check is free and public, verifies any credentials that are sent, and reports database outages.

use accounting::{Scopes, Tier};
use harness::{Answer, Fault, Logs, Sent, World};
use serde_json::json;

const HEALTH: &str = "/v2/health";

#[tokio::test]
async fn health_is_public_and_has_no_envelope() {
    let world = World::new().await;
    let answer = world.get(HEALTH).send().await;
    assert_eq!(answer.status, 200);
    let expected = json!({
        "status": "healthy",
        "version": "0.4.0",
        "timestamp": "2026-11-20T09:00:30.000Z",
        "checks": { "database": "healthy" },
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.number("x-credits-used"), 0);
}

#[tokio::test]
async fn health_verifies_credentials_and_returns_the_tier() {
    let world = World::new().await;
    for (tier, name) in
        [(Tier::Sandbox, "sandbox"), (Tier::PayAsYouGo, "pay_as_you_go"), (Tier::Enterprise, "enterprise")]
    {
        let org = world.org_with(&format!("org_{name}"), tier, 0).await;
        // A key without scopes is valid, too.
        let bare = world.key(&org.id, Scopes::default()).await;
        let token = world.bearer(&org).await;
        // The person belonged to another organization in the previous round. Memberships are cached for 30 s.
        world.clock.advance(30_000);
        let calls =
            [world.get(HEALTH).key(&org.key), world.get(HEALTH).key(&bare), world.get(HEALTH).bearer(&token)];
        for call in calls {
            let answer = call.send().await;
            assert_eq!((answer.status.as_u16(), &answer.json()["tier"]), (200, &json!(name)));
        }
        let account = world.account(&org).await;
        // The calls aren't charged and don't count toward the rate limit.
        assert_eq!((account.window.calls, account.totals.used), (0, 0));
    }
}

#[tokio::test]
async fn health_is_down_during_a_database_outage() {
    let (world, org) = World::with_org().await;
    for fault in [Fault::RequestLost, Fault::ErrorBeforeCommit, Fault::Throttled] {
        world.wire.inject_faults(move |_| fault);
        let answer = world.get(HEALTH).send().await;
        assert_down(&answer);
        // The key isn't cached, so it can't be verified during the outage.
        let with_key = world.get(HEALTH).key(&org.key).send().await;
        assert_eq!(with_key.error(), (503, "SERVICE_UNAVAILABLE".to_owned()), "{fault:?}");
        assert!(with_key.number("retry-after") > 0);
        world.wire.stop_faults().await;
        assert_eq!(world.get(HEALTH).send().await.status, 200, "{fault:?}");
    }
    assert_eq!(world.get(HEALTH).key(&org.key).send().await.status, 200);
    world.wire.inject_faults(|_| Fault::RequestLost);
    let known = world.get(HEALTH).key(&org.key).send().await;
    assert_down(&known);
    assert_eq!(known.json().get("tier"), None);
}

#[track_caller]
fn assert_down(answer: &Answer) {
    assert_eq!(answer.status, 503);
    let body = answer.json();
    assert_eq!((&body["status"], &body["checks"]), (&json!("down"), &json!({ "database": "down" })));
    assert!(answer.number("retry-after") > 0);
}

#[tokio::test]
async fn health_is_degraded_when_only_writes_fail() {
    let (world, org) = World::with_org().await;
    for fault in [Fault::RequestLost, Fault::ErrorBeforeCommit, Fault::Throttled, Fault::AnswerLost] {
        world.wire.inject_faults(move |sent| if sent.is_write() { fault } else { Fault::None });
        let logs = Logs::capture();
        for call in [world.get(HEALTH), world.get(HEALTH).key(&org.key)] {
            let answer = call.send().await;
            let body = answer.json();
            assert_eq!((answer.status.as_u16(), &body["status"]), (200, &json!("degraded")), "{fault:?}");
            assert_eq!(body["checks"], json!({ "database": "degraded" }));
        }
        assert_eq!(logs.of("database_degraded").len(), 1, "expected one probe: {:?}", logs.lines());
        let with_key = world.get(HEALTH).key(&org.key).send().await;
        assert_eq!(with_key.json()["tier"], "enterprise", "the tier is still read");
        world.wire.stop_faults().await;
        world.clock.advance(9_999);
        // The result is cached for 10 s.
        assert_eq!(world.get(HEALTH).send().await.json()["status"], "degraded");
        world.clock.advance(1);
        assert_eq!(world.get(HEALTH).send().await.json()["status"], "healthy", "{fault:?}");
        world.clock.advance(10_000);
    }
}

#[tokio::test]
async fn process_writes_at_most_one_probe_per_ten_seconds() {
    let world = World::new().await;
    world.wire.record();
    let asking: Vec<_> = (0..20).map(|_| tokio::spawn(world.get(HEALTH).send())).collect();
    for answer in asking {
        assert_eq!(answer.await.expect("the task does not panic").status, 200);
    }
    let probes =
        |sent: Vec<Sent>| sent.iter().filter(|sent| sent.is_write()).map(|sent| sent.units).collect();
    let units: Vec<f64> = probes(world.wire.take());
    assert_eq!(units, [1.0]);
    // A clock that moves backward triggers a new probe immediately.
    for (advance, expected) in [(9_999, 0), (1, 1), (-60_000, 1), (5_000, 0), (20_000, 1)] {
        world.clock.advance(advance);
        world.get(HEALTH).send().await;
        let units: Vec<f64> = probes(world.wire.take());
        assert_eq!(units.len(), expected, "{advance}");
    }
    let (_, another) = world.another_process(8).await;
    world.get(HEALTH).send_to(another).await;
    let units: Vec<f64> = probes(world.wire.take());
    assert_eq!(units, [1.0], "each process writes its own probe");
}

#[tokio::test]
async fn no_write_probe_is_sent_while_reads_fail() {
    let world = World::new().await;
    world.wire.inject_faults(|sent| if sent.is_write() { Fault::None } else { Fault::ErrorBeforeCommit });
    world.wire.record();
    assert_down(&world.get(HEALTH).send().await);
    assert!(!world.wire.take().iter().any(Sent::is_write));
}
