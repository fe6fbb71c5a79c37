//! A tier change that fails in the database is reported as such, not as an unknown organization.

use accounting::{AccessTier, Tier};
use harness::{Fault, World};
use marquee::administrator::AdministratorError;

#[tokio::test]
async fn a_change_of_tier_that_the_database_does_not_take_is_no_unknown_organization() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await;
    for fault in [Fault::ErrorBeforeCommit, Fault::Throttled] {
        world.wire.break_with(move |sent| if sent.is_write() { fault } else { Fault::None });
        let refused = world.operator.set_tier(&org.id, Tier::Sandbox, None).await;
        world.wire.mend().await;
        let told = matches!(refused, Err(AdministratorError::Store(_) | AdministratorError::Unanswered(_)));
        assert!(told, "{fault:?}: {refused:?}");
        assert_eq!(world.account(&org).await, before, "{fault:?}");
    }
    world.operator.set_tier(&org.id, Tier::Sandbox, None).await.expect("a whole wire");
    let after = world.account(&org).await;
    assert_eq!(after.holder.tier(), AccessTier::Organization(Tier::Sandbox));
}
