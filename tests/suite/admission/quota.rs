//! A caller without credits is refused for next to nothing: an organization's calls count against its minute,
//! a spent session is refused from memory.

use accounting::{PrepaidKind, Product, Tier};
use harness::{World, price, samples};

use super::{assert_whole, spend};

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";
const POPULATION: &str = "/v2/measures/population/at_home";

#[tokio::test]
async fn a_flood_of_calls_without_credits_ends_in_429_that_cost_nothing() {
    // With nothing left, and with one credit left at a cost of two.
    for (left, path) in [(0, SUMMARY), (1, POPULATION)] {
        let (world, org) = World::with_org_of(Tier::Sandbox, 0).await;
        spend(&world.app, &org, 2_000 - left).await.expect("credits");
        let known = world.get("/v2/billing/credits").key(&org.key).send().await;
        assert_eq!(known.status, 200, "the process knows the account");
        let ask = async || {
            world.wire.record();
            let call = if left == 0 {
                world.get(path)
            } else {
                world.post(path).json(&samples::population_at_home())
            };
            let status = call.key(&org.key).send().await.status.as_u16();
            (status, world.wire.take().iter().map(|sent| sent.operation.clone()).collect::<Vec<_>>())
        };
        for _ in 0..9 {
            assert_eq!(ask().await, (402, vec!["UpdateItem".to_owned()]), "one write, no read");
        }
        for _ in 0..20 {
            assert_eq!(ask().await, (429, Vec::new()));
        }
        let account = world.account(&org).await;
        assert_eq!((account.left(), account.window.calls), (left, 10));
        assert_whole(&account);
        world.clock.advance(60_000);
        assert_eq!(ask().await.0, 402, "a new minute");
    }
}

#[tokio::test]
async fn a_new_grant_is_spent_by_the_next_call_of_a_process_that_knows_of_none() {
    let (world, org) = World::with_org_of(Tier::Enterprise, 0).await;
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 402);
    world.operator.grant(&org.id, PrepaidKind::Purchased, 5, None).await.expect("room");
    let answer = world.get(SUMMARY).key(&org.key).send().await;
    assert_eq!((answer.status.as_u16(), answer.credits_remaining()), (200, 5 - answer.credits_used()));
}

#[tokio::test]
async fn credits_that_come_back_are_spent_by_the_next_call_too() {
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

#[tokio::test]
async fn a_spent_session_is_refused_from_memory() {
    let world = World::new().await;
    let first = world.post(POPULATION).json(&samples::population_at_home()).send().await;
    let token = first.header("x-session-token").to_owned();
    let mut calls = 1;
    loop {
        if calls % 5 == 0 {
            world.clock.advance(60_000);
        }
        let answer = world.post(POPULATION).json(&samples::population_at_home()).send().await;
        if answer.status == 402 {
            break;
        }
        assert_eq!(answer.status, 200, "{}", answer.text());
        calls += 1;
    }
    world.wire.record();
    for call in 0..20 {
        let asked = world.post(POPULATION).json(&samples::population_at_home());
        let asked = if call % 2 == 0 { asked } else { asked.header("x-session-token", &token) };
        let answer = asked.send().await;
        assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()));
    }
    assert_eq!(world.wire.take(), Vec::new(), "neither a read nor a write");
    // A forged token is no proof, whatever is remembered.
    let forged = format!("{}{}", &token[..token.len() - 4], "0000");
    let call = world.post(POPULATION).json(&samples::population_at_home());
    let call = call.header("x-session-token", &forged);
    assert_eq!(call.from("198.51.100.7").send().await.status, 200, "it belongs to its own address");
}
