//! Suspended organizations: which calls are rejected, and when suspending and resuming take effect.

use accounting::Product;
use harness::{TestOrg, World, samples};
use measurement::{EventRefusal, Outcome};
use store::Family;

use super::assert_whole;

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

/// How long suspensions are cached, in milliseconds.
const MEMORY_MILLIS: i64 = 30_000;

fn refusal() -> (u16, String) {
    (403, "ORGANIZATION_SUSPENDED".to_owned())
}

async fn suspend(world: &World, org: &TestOrg) {
    // `suspend` returns whether the account has changed.
    assert!(world.administrator.suspend(&org.id).await.expect("a response"));
}

async fn resume(world: &World, org: &TestOrg) {
    // `resume` returns whether the account has changed.
    assert!(world.administrator.resume(&org.id).await.expect("a response"));
}

#[tokio::test]
async fn suspension_does_not_affect_other_organizations_or_sessions() {
    let (world, org, other) = World::with_two_orgs().await;
    suspend(&world, &org).await;
    assert_eq!(world.get(SUMMARY).key(&other.key).send().await.status, 200);
    let anonymous = world.post("/v2/measures/population/at_home").json(&samples::population_at_home());
    assert_eq!(anonymous.send().await.status, 200, "sessions belong to no organization");
    assert_eq!(world.get("/v2/health").send().await.status, 200);
}

#[tokio::test]
async fn cached_suspension_ends_within_thirty_seconds() {
    let (world, org) = World::with_org().await;
    suspend(&world, &org).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.error(), refusal());
    let credits = world.get("/v2/billing/credits").key(&org.key).send().await;
    assert_eq!(credits.status, 200, "operations for suspended organizations work despite the cache");
    resume(&world, &org).await;
    let (_, cold) = world.another_process(8).await;
    // A process that hasn't cached the suspension reads the account.
    assert_eq!(world.get(SUMMARY).key(&org.key).send_to(cold).await.status, 200);
    world.clock.advance(MEMORY_MILLIS - 1);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.error(), refusal());
    world.clock.advance(1);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    assert_whole(&world.account(&org).await);
}

#[tokio::test]
async fn repeated_suspend_and_resume_report_no_change() {
    let (world, org) = World::with_org().await;
    let state = async || world.account(&org).await.suspended_at;
    assert!(!world.administrator.resume(&org.id).await.expect("a response"));
    suspend(&world, &org).await;
    let first = state().await;
    assert_eq!(first, Some(world.clock.now()));
    world.clock.advance(1_000);
    assert!(!world.administrator.suspend(&org.id).await.expect("a response"));
    assert_eq!(state().await, first, "the time of the suspension is unchanged");
    resume(&world, &org).await;
    assert_eq!(state().await, None);
    assert!(!world.administrator.resume(&org.id).await.expect("a response"));
}

#[tokio::test]
async fn suspension_blocks_only_purchase_events() {
    let (world, org) = World::with_org().await;
    let (running, bought) =
        (world.draft(&org, Family::Campaign).await, world.draft(&org, Family::Event).await);
    let draft = world.draft(&org, Family::Campaign).await;
    world.bring_to(&org, &running, "queued").await;
    world.bring_to(&org, &bought, "queued").await;
    let before = world.account(&org).await;
    suspend(&world, &org).await;
    let refused = Outcome::Refused { reason: EventRefusal::OrganizationSuspended };
    assert_eq!(world.measure(&org, &draft, "purchased").await, refused);
    assert_eq!(world.account(&org).await.totals, before.totals);
    for event_type in ["started", "measured", "completed"] {
        assert_eq!(world.measure(&org, &running, event_type).await, Outcome::Applied, "{event_type}");
    }
    assert_eq!(world.measure(&org, &bought, "failed").await, Outcome::Applied);
    let after = world.account(&org).await;
    assert_eq!(after.left(), before.left() + 24, "all but one credit is refunded");
    assert_whole(&after);
    resume(&world, &org).await;
    assert!(world.measure(&org, &draft, "purchased").await.is_applied());
}

#[tokio::test]
async fn failed_call_is_refunded_after_suspension() {
    let (world, org) = World::with_org().await;
    let product = Product::ScenarioCampaignCrud;
    let mut admission = super::admit(&world.app, product, super::with_key(&org)).await.expect("admitted");
    suspend(&world, &org).await;
    world.app.admissions.refund(&mut admission).await;
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.left()), (0, 1_000_000));
}

#[tokio::test]
async fn process_with_a_cached_account_applies_the_suspension_to_its_next_call() {
    let (world, org) = World::with_org().await;
    let (_, warm) = world.another_process(9).await;
    let ask = || world.get(SUMMARY).key(&org.key).send_to(warm.clone());
    assert_eq!(ask().await.status, 200);
    suspend(&world, &org).await;
    world.wire.record();
    assert_eq!(ask().await.error(), refusal());
    world.wire.take();
    for _ in 0..3 {
        assert_eq!(ask().await.error(), refusal());
    }
    assert_eq!(world.wire.take(), [], "rejected calls need no database requests");
}
