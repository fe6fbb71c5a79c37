use harness::{TestOrg, World, size_of};
use shared::admission::Presented;
use shared::types::{GrantKind, Product, Scopes, Tier};

use super::{admit, assert_whole, spend, with_key};

/// Two write units.
const LIMIT: usize = 2_048;

#[tokio::test]
async fn the_fullest_account_costs_at_most_two_write_units() {
    let world = World::new().await;
    // The longest id there can be, and numbers that do not end in zeros.
    let org = world.org_with(&"o".repeat(64), Tier::PayAsYouGo, 0).await;
    world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(1_234_567)).await.expect("an organization");
    let now = world.clock.now();
    // A metered grant that is used up lies beside eight that are live.
    spend(&world.app, &org, 1_234_567).await.expect("the whole cap");
    for days in 1..=8 {
        let expires_at = Some(now.plus_days(40 + days).plus_seconds(7));
        world
            .operator
            .grant(&org.id, GrantKind::Purchased, 1_234_561 + 2 * days as u64, expires_at)
            .await
            .expect("room");
    }
    let mut keys = vec![org.clone()];
    for _ in 0..9 {
        keys.push(TestOrg { id: org.id.clone(), key: world.key(&org.id, Scopes::all()).await });
    }
    for key in &keys {
        for _ in 0..3 {
            let presented = Presented { search_key: Some(&key.key), ..Presented::default() };
            admit(&world.app, Product::InventorySearch, presented).await.expect("admitted");
        }
    }
    world.clock.advance(60_000);
    let metered = Product::ALL.into_iter().filter(|product| product.audience() != shared::types::Audience::SearchKey);
    for product in metered {
        for _ in 0..6 {
            let admission = admit(&world.app, product, with_key(&org)).await.expect("admitted");
            let Some(account) = admission.account() else { break };
            assert_whole(account);
        }
    }
    // Charges until every slot of the ring is taken.
    let mut charges = 0;
    while world.account(&org).await.ring.len() < 64 {
        for _ in 0..20 {
            spend(&world.app, &org, 12_345).await.expect("credits");
        }
        charges += 20;
        assert!(charges < 2_000, "the slots are taken in no order, but all of them");
    }
    let account = world.account(&org).await;
    assert_eq!((account.grants.len(), account.key_windows.len()), (9, 10));
    assert_eq!(account.today.usage.len(), 12, "every metered product, and a measurement");
    let stored = world.stored("accounts").await;
    let item = stored.iter().find(|item| item["sk"].as_s().is_ok_and(|sk| sk == "account")).expect("the account");
    let size = size_of(item);
    assert!(size <= LIMIT, "the account item has {size} bytes");
}
