//! Organizations without credits: calls return a 402 until credits are granted or refunded.

use accounting::{PrepaidKind, Product, Tier};
use harness::{World, price};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

#[tokio::test]
async fn next_call_uses_a_new_grant_despite_a_cached_empty_balance() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402);
    world.administrator.grant(&org.id, PrepaidKind::Purchased, 5, None).await.expect("added");
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!((answer.status.as_u16(), answer.credits_remaining()), (200, 5 - answer.credits_used()));
}

#[tokio::test]
async fn next_call_uses_refunded_credits_despite_a_cached_empty_balance() {
    let world = World::new().await;
    let paid = price(Product::PopulationAtHome);
    let org = world.org_with("org_a", Tier::Enterprise, paid).await;
    let (other, router) = world.another_process(9).await;
    let mut admission =
        super::admit(&other, Product::PopulationAtHome, super::with_key(&org)).await.expect("admitted");
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402);
    other.admissions.refund(&mut admission).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200);
    drop(router);
}
