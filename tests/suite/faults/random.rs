//! Faults at random between the SDK and the engine, over thousands of calls of a fixed seed. Afterwards every
//! credit and every asset is accounted for. `make soak` plays the same traffic for longer.

use std::sync::Arc;

use harness::traffic::{ATTEMPT_TIMEOUT, Traffic};
use harness::{Logs, World, WorldOptions};

const ROUNDS: u64 = 24;

#[tokio::test]
async fn no_credit_and_no_asset_is_lost_or_made_whatever_the_wire_does() {
    let logs = Logs::capture();
    let world =
        World::with(WorldOptions { attempt_timeout: ATTEMPT_TIMEOUT, ..WorldOptions::default() }).await;
    // The play begins two days before the month ends.
    world.clock.advance(8 * 24 * 3_600_000);
    let mut traffic = Traffic::begin(&Arc::new(world), &[], "", 0).await;
    for round in 0..ROUNDS {
        traffic.round(round).await;
    }
    let audited = traffic.end(&logs).await;
    let (calls, doubts) = (audited.calls(), audited.doubts.all());
    assert!(calls >= 2_500, "thousands of calls: {calls}");
    assert!(doubts * 20 < calls, "what nobody can tell stays rare: {doubts} of {calls}");
    for account in audited.accounts {
        assert!(account.purchases > 5 && account.days > 3, "{account:?}");
    }
}
