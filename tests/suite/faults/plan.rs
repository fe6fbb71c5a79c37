//! Tier changes that fail because of database faults.

use accounting::{AccessTier, Tier};
use harness::{Fault, World};
use marquee::administrator::AdministratorError;

#[tokio::test]
async fn tier_change_reports_a_store_error_when_the_database_fails() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await;
    for fault in [Fault::ErrorBeforeCommit, Fault::Throttled] {
        world.wire.inject_faults(move |sent| if sent.is_write() { fault } else { Fault::None });
        let refused = world.administrator.set_tier(&org.id, Tier::Sandbox, None).await;
        world.wire.stop_faults().await;
        let is_store_error =
            matches!(refused, Err(AdministratorError::Store(_) | AdministratorError::Unanswered(_)));
        assert!(is_store_error, "{fault:?}: {refused:?}");
        assert_eq!(world.account(&org).await, before, "{fault:?}");
    }
    world
        .administrator
        .set_tier(&org.id, Tier::Sandbox, None)
        .await
        .expect("the tier change succeeds without faults");
    let after = world.account(&org).await;
    assert_eq!(after.holder.tier(), AccessTier::Organization(Tier::Sandbox));
}
