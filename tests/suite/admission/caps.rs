//! A new tier or monthly cap applies to the next call, regardless of earlier usage and cached accounts.

use accounting::{Account, Credits, GrantKind, InsufficientCredits, Product, Refusal, Tier};
use gateway::RequestCredentials;
use harness::{World, price};

use super::{admit, assert_whole, refusal, with_key};

#[tokio::test]
async fn process_with_a_cached_plan_applies_the_new_one() {
    let world = World::new().await;
    for (name, tier, cap) in [("org_a", Tier::Sandbox, None), ("org_b", Tier::PayAsYouGo, Some(1))] {
        // A charge that needs metered credits adds the month's metered grant. Only one of the two
        // organizations has made such a charge.
        for has_called in [true, false] {
            let org = world.org_with(&format!("{name}_{has_called}"), Tier::PayAsYouGo, 0).await;
            if has_called {
                admit(&world.app, Product::PlaceSearch, with_key(&org)).await.expect("admitted");
            } else {
                let without_credits = RequestCredentials { api_key: Some(&org.key), ..Default::default() };
                admit(&world.app, Product::Markets, without_credits).await.expect("the call is free");
            }
            world.administrator.set_tier(&org.id, tier, cap).await.expect("an organization");
            let used = u64::from(has_called) * price(Product::PlaceSearch);
            let balance = cap.unwrap_or(0).saturating_sub(used);
            let refused = refusal(admit(&world.app, Product::PopulationAtHome, with_key(&org)).await);
            let price = price(Product::PopulationAtHome);
            assert_eq!(
                refused,
                Refusal::QuotaExceeded(InsufficientCredits { balance, price }),
                "{name} {has_called}"
            );
            assert_eq!(world.account(&org).await.totals.used, used);
        }
    }
}

#[tokio::test]
async fn plan_change_racing_with_a_first_charge_or_refund_applies() {
    for first_charge in [true, false] {
        let (world, org) = World::with_org_of(Tier::PayAsYouGo, 0).await;
        let (other, _) = world.another_process(8).await;
        let mut refunded = None;
        if !first_charge {
            // Uses more credits than a cap of 5 allows, then lowers the cap to 5. The race below raises the
            // cap to 9.
            for _ in 0..5 {
                let admission = admit(&other, Product::PopulationAtHome, with_key(&org)).await;
                refunded = Some(admission.expect("admitted"));
            }
            world.administrator.set_tier(&org.id, Tier::PayAsYouGo, Some(5)).await.expect("an organization");
        }
        let (mut meanwhile, key) = (Some((other, refunded)), org.clone());
        world.wire.interleave(move |sent| {
            let (other, refunded) = meanwhile.take_if(|_| sent.is_write())?;
            let key = key.clone();
            Some(Box::pin(async move {
                match refunded {
                    Some(mut admission) => other.admissions.refund(&mut admission).await,
                    None => {
                        admit(&other, Product::PopulationAtHome, with_key(&key)).await.expect("admitted");
                    }
                }
            }))
        });
        let cap = if first_charge { 100 } else { 9 };
        world.administrator.set_tier(&org.id, Tier::PayAsYouGo, Some(cap)).await.expect("an organization");
        world.wire.stop_faults().await;
        let account = world.account(&org).await;
        assert_whole(&account);
        let used = price(Product::PopulationAtHome) * if first_charge { 1 } else { 4 };
        assert_eq!((account.totals.used, metered(&account, &world)), (used, cap - used), "{first_charge}");
    }
}

/// Returns the account's remaining metered credits.
fn metered(account: &Account, world: &World) -> Credits {
    account.balance(Some(GrantKind::Metered), world.clock.now())
}
