//! Credit grants that the administrator revokes.

use accounting::{GrantId, PrepaidKind, Product, Tier};
use harness::{TestOrg, World, price};
use marquee::administrator::AdministratorError;

use super::{assert_whole, spend};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

async fn grant(world: &World, org: &TestOrg, credits: u64) -> GrantId {
    world.administrator.grant(&org.id, PrepaidKind::Promotional, credits, None).await.expect("added")
}

#[tokio::test]
async fn revoking_a_grant_removes_only_its_unused_credits_once() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 5).await;
    let revoked = grant(&world, &org, 10).await;
    spend(&world.app, &org, 4).await.expect("enough credits");
    assert_eq!(world.administrator.revoke_credits(&org.id, &revoked).await.expect("the grant is live"), 6);
    let account = world.account(&org).await;
    assert_eq!((account.left(), account.totals.used, account.totals.expired), (5, 4, 6));
    assert_whole(&account);
    assert_eq!(
        world.administrator.revoke_credits(&org.id, &revoked).await.expect("a second revocation succeeds"),
        0
    );
    assert_eq!(world.account(&org).await.totals, account.totals);
}

#[tokio::test]
async fn process_with_a_cached_grant_does_not_use_it_after_revocation() {
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    let org = world.org_with("org_a", Tier::Enterprise, paid).await;
    let revoked = grant(&world, &org, 10 * paid).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    world.administrator.revoke_credits(&org.id, &revoked).await.expect("the grant is live");
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    // The other grant pays for the call.
    assert_eq!((answer.status.as_u16(), answer.credits_remaining()), (200, 0));
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()));
}

#[tokio::test]
async fn only_live_prepaid_grants_can_be_revoked() {
    let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
    let expires_at = Some(world.clock.now().plus_days(1));
    let short =
        world.administrator.grant(&org.id, PrepaidKind::Promotional, 5, expires_at).await.expect("added");
    let spent = grant(&world, &org, 3).await;
    // An expired grant, a used-up grant, and an unknown grant.
    spend(&world.app, &org, 9).await.expect("there are metered credits");
    world.clock.advance(2 * 24 * 60 * 60 * 1_000);
    for id in [short, spent, "0badf00d".parse().expect("valid ID")] {
        let refused =
            world.administrator.revoke_credits(&org.id, &id).await.expect_err("the grant is not live");
        assert!(matches!(refused, AdministratorError::UnknownGrant { .. }), "{refused}");
    }
    let metered = GrantId::metered(world.clock.now().day().month());
    let refused =
        world.administrator.revoke_credits(&org.id, &metered).await.expect_err("the grant is metered");
    assert!(matches!(refused, AdministratorError::MeteredGrant), "{refused}");
}
