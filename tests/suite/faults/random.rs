//! Random database faults during thousands of calls, with a fixed seed. Afterward, an audit accounts for
//! every credit and every asset. `make soak` runs the same traffic for longer.

use std::sync::Arc;

use harness::traffic::{ATTEMPT_TIMEOUT, Traffic};
use harness::{Logs, World, WorldOptions};

const ROUNDS: u64 = 24;

#[tokio::test]
async fn random_faults_neither_lose_nor_create_credits_or_assets() {
    let logs = Logs::capture();
    let world =
        World::with(WorldOptions { attempt_timeout: ATTEMPT_TIMEOUT, ..WorldOptions::default() }).await;
    // Two days before the end of the month.
    world.clock.advance(8 * 24 * 3_600_000);
    let mut traffic = Traffic::begin(&Arc::new(world), &[], "", 0).await;
    for round in 0..ROUNDS {
        traffic.round(round).await;
    }
    let audited = traffic.end(&logs).await;
    let (calls, doubts) = (audited.calls(), audited.doubts.all());
    assert!(calls >= 2_500, "expected at least 2,500 calls, got {calls}");
    assert!(doubts * 20 < calls, "expected unknown outcomes for under 5% of calls: {doubts} of {calls}");
    for account in audited.accounts {
        assert!(account.purchases > 5 && account.days > 3, "{account:?}");
    }
}
