//! The history of credit grants: when and how each grant ended.

use accounting::{GrantEnd, GrantId, PrepaidKind, Product, Tier, Timestamp};
use harness::{TestOrg, World, price};
use measurement::Outcome;
use store::{Family, GrantLife, GrantState};

use super::spend;

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";
const DAY: i64 = 24 * 60 * 60 * 1_000;

async fn grant(world: &World, org: &TestOrg, credits: u64, days: Option<i64>) -> GrantId {
    let expires_at = days.map(|days| world.clock.now().plus_days(days));
    world.administrator.grant(&org.id, PrepaidKind::Promotional, credits, expires_at).await.expect("added")
}

async fn life(world: &World, org: &TestOrg, id: &GrantId) -> GrantLife {
    let history = world.administrator.credits_history(&org.id).await.expect("an organization");
    history.into_iter().find(|life| life.id == *id).expect("the history has the grant")
}

/// Returns a grant's size, remaining credits, state, and end.
async fn standing(world: &World, org: &TestOrg, id: &GrantId) -> (u64, u64, GrantState, Option<Timestamp>) {
    let life = life(world, org, id).await;
    (life.granted, life.remaining, life.state, life.ended_at)
}

#[tokio::test]
async fn history_shows_each_grant_from_start_to_end() {
    let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
    let began = world.clock.now();
    let first = world.administrator.credits_history(&org.id).await.expect("an organization").remove(0);
    assert_eq!((first.granted, first.joined_at, first.state), (2_000, began, GrantState::Live));
    world.clock.advance(1_000);
    let used_up = grant(&world, &org, 7, None).await;
    let revoked = grant(&world, &org, 8, None).await;
    let expiring = grant(&world, &org, 9, Some(3)).await;
    assert_eq!(standing(&world, &org, &used_up).await, (7, 7, GrantState::Live, None));
    assert_eq!(life(&world, &org, &used_up).await.joined_at, world.clock.now());

    // Grants of one kind are used in order of expiry, so the four credits come from the grant that expires
    // first.
    spend(&world.app, &org, 4).await.expect("enough credits");
    world.administrator.revoke_credits(&org.id, &revoked).await.expect("the grant is live");
    let revoked_at = world.clock.now();
    world.clock.advance(4 * DAY);
    let expired_at = life(&world, &org, &expiring).await.expires_at;
    let expired = (9, 5, GrantState::Ended(GrantEnd::Expired), expired_at);
    // The grant has expired but is still in the account.
    assert_eq!(standing(&world, &org, &expiring).await, expired);
    spend(&world.app, &org, 7).await.expect("enough credits");
    assert!(!world.account(&org).await.grants.contains_key(&expiring));
    // Removing the grant from the account doesn't change its state in the history.
    assert_eq!(standing(&world, &org, &expiring).await, expired);
    let ended = |end| GrantState::Ended(end);
    assert_eq!(
        standing(&world, &org, &used_up).await,
        (7, 0, ended(GrantEnd::UsedUp), Some(world.clock.now()))
    );
    assert_eq!(standing(&world, &org, &revoked).await, (8, 8, ended(GrantEnd::Revoked), Some(revoked_at)));
    let history = world.administrator.credits_history(&org.id).await.expect("an organization");
    assert_eq!(history.len(), 4, "expected four grants");
    assert!(history.is_sorted_by_key(|life| life.joined_at));
}

#[tokio::test]
async fn refund_revives_a_used_up_grant() {
    let (world, org) = World::with_org_of(Tier::Enterprise, price(Product::ScenarioCampaignCrud)).await;
    let path = world.draft(&org, Family::Campaign).await;
    let id = grant(&world, &org, 25, None).await;
    assert!(world.measure(&org, &path, "purchased").await.is_applied());
    let used_up_at = Some(world.clock.now());
    assert_eq!(standing(&world, &org, &id).await, (25, 0, GrantState::Ended(GrantEnd::UsedUp), used_up_at));
    world.clock.advance(DAY);
    assert_eq!(world.measure(&org, &path, "failed").await, Outcome::Applied);
    assert_eq!(standing(&world, &org, &id).await, (25, 24, GrantState::Live, None));
    world.clock.advance(DAY);
    spend(&world.app, &org, 24).await.expect("enough credits");
    let again = Some(world.clock.now());
    assert_eq!(standing(&world, &org, &id).await, (25, 0, GrantState::Ended(GrantEnd::UsedUp), again));
}

#[tokio::test]
async fn grant_removed_to_make_room_stays_in_the_history() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    let first = grant(&world, &org, 1, None).await;
    spend(&world.app, &org, 1).await.expect("enough credits");
    let used_up_at = Some(world.clock.now());
    world.clock.advance(DAY);
    for _ in 0..8 {
        grant(&world, &org, 1, None).await;
    }
    assert!(!world.account(&org).await.grants.contains_key(&first));
    let used_up = (1, 0, GrantState::Ended(GrantEnd::UsedUp), used_up_at);
    assert_eq!(standing(&world, &org, &first).await, used_up);
}

#[tokio::test]
async fn process_with_a_stale_balance_still_records_the_end() {
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    let org = world.org_with("org_a", Tier::Enterprise, 3 * paid).await;
    let id = world.account(&org).await.grants.into_keys().next().expect("a grant");
    let (_, warm) = world.another_process(9).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send_to(warm.clone()).await.status, 200);
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200, "another process spends credits");
    assert_eq!(world.get(SUMMARY).key(&org.key).send_to(warm).await.status, 200);
    assert_eq!(life(&world, &org, &id).await.state, GrantState::Ended(GrantEnd::UsedUp));
}
