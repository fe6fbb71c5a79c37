//! Credits that the operator takes away again.

use accounting::{GrantId, PrepaidKind, Product, Tier};
use harness::{TestOrg, World, price};
use marquee::administrator::AdministratorError;

use super::{assert_whole, spend};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

async fn grant(world: &World, org: &TestOrg, credits: u64) -> GrantId {
    world.operator.grant(&org.id, PrepaidKind::Promotional, credits, None).await.expect("room")
}

#[tokio::test]
async fn what_is_left_of_a_grant_is_taken_away_once_and_what_was_used_stays_used() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 5).await;
    let revoked = grant(&world, &org, 10).await;
    spend(&world.app, &org, 4).await.expect("credits");
    assert_eq!(world.operator.revoke_credits(&org.id, &revoked).await.expect("a live grant"), 6);
    let account = world.account(&org).await;
    assert_eq!((account.left(), account.totals.used, account.totals.expired), (5, 4, 6));
    assert_whole(&account);
    assert_eq!(world.operator.revoke_credits(&org.id, &revoked).await.expect("it is quiet"), 0);
    assert_eq!(world.account(&org).await.totals, account.totals);
}

#[tokio::test]
async fn a_process_that_remembers_the_grant_draws_nothing_from_it() {
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    let org = world.org_with("org_a", Tier::Enterprise, paid).await;
    let revoked = grant(&world, &org, 10 * paid).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    world.operator.revoke_credits(&org.id, &revoked).await.expect("a live grant");
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!((answer.status.as_u16(), answer.credits_remaining()), (200, 0), "the other grant pays");
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()));
}

#[tokio::test]
async fn only_a_live_prepaid_grant_is_revoked() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let expires_at = Some(world.clock.now().plus_days(1));
    let short = world.operator.grant(&org.id, PrepaidKind::Promotional, 5, expires_at).await.expect("room");
    let spent = grant(&world, &org, 3).await;
    // The grant of refunds, the metered one, and one that never was.
    spend(&world.app, &org, 9).await.expect("metered credits");
    world.clock.advance(2 * 24 * 60 * 60 * 1_000);
    for id in [short, spent, "0badf00d".parse().expect("a name")] {
        let refused = world.operator.revoke_credits(&org.id, &id).await.expect_err("it is not live");
        assert!(matches!(refused, AdministratorError::UnknownGrant { .. }), "{refused}");
    }
    let metered = GrantId::metered(world.clock.now().day().month());
    let refused = world.operator.revoke_credits(&org.id, &metered).await.expect_err("it is metered");
    assert!(matches!(refused, AdministratorError::MeteredGrant), "{refused}");
}
