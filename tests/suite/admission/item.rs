//! The size of the account item: charging even the largest account uses at most two write units.

use accounting::{AuthRequirement, Deductions, PrepaidKind, Product, Scope, Tier};
use gateway::RequestCredentials;
use harness::{TestOrg, World, WorldOptions, price, size_of};
use measurement::Outcome;
use store::Family;
use strum::IntoEnumIterator;

use super::{admit, assert_whole, spend, with_key};

/// The number of bytes that two write units cover.
const LIMIT: usize = 2_048;

/// The purchase meters with the longest total name length that an administrator can configure.
const NAMES: [&str; 4] = ["campaign_measurement", "campaign_lift", "brand", "tv"];

/// Trailing zeros don't count toward the stored size, so this number has none.
const CAP: u64 = 1_234_567;

const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn largest_account_costs_at_most_two_write_units() {
    let purchase_names = NAMES.join(",").parse().expect("valid names");
    assert_eq!(NAMES.concat().len(), 40, "the names have the maximum total length");
    let world = World::with(WorldOptions { purchase_names, ..WorldOptions::default() }).await;
    let org = world.org_with(&"o".repeat(64), Tier::PayAsYouGo, 0).await;
    world.administrator.set_tier(&org.id, Tier::PayAsYouGo, Some(CAP)).await.expect("an organization");
    fill_with_deductions(&world, &org).await;
    fill_with_grants(&world, &org).await;
    fill_with_usage(&world, &org).await;
    fill_the_slots(&world, &org).await;
    fill_with_callers(&world, &org).await;
    let account = world.account(&org).await;
    assert_whole(&account);
    assert_eq!((account.grants.len(), account.callers.len()), (12, 11));
    let Deductions { refunds, credit_notes, carried_in } = account.deductions;
    assert!([refunds, credit_notes, carried_in].iter().all(|credits| *credits > 100_000), "{account:?}");
    // The usage contains every metered product and every purchase meter.
    assert_eq!(account.today.usage.len(), 19 + NAMES.len());
    let stored = world.stored("accounts").await;
    let item = stored.iter().find(|item| item["sk"].as_s().is_ok_and(|sk| sk == "account")).expect("stored");
    let size = size_of(item);
    assert!(size <= LIMIT, "the account item has {size} bytes");
    world.clock.advance(40 * DAY);
    spend(&world.app, &org, 1).await.expect("enough credits");
    let stored = world.stored("accounts").await;
    let bills = stored.iter().filter(|item| item["sk"].as_s().is_ok_and(|sk| sk.starts_with("bill#")));
    let largest = bills.map(size_of).max().expect("there is a bill");
    assert!(largest <= LIMIT / 2, "a bill has {largest} bytes, more than one unit");
}

/// Adds refunds, credit notes, and credit notes carried over from earlier months. Purchases a measurement in
/// each of three months. The first two fail in the following month, the third in the same month.
async fn fill_with_deductions(world: &World, org: &TestOrg) {
    let november = purchased(world, org, 1_000_001).await;
    world.clock.advance(30 * DAY);
    let december = purchased(world, org, 323_457).await;
    assert_eq!(world.measure(org, &november, "failed").await, Outcome::Applied);
    world.clock.advance(30 * DAY);
    let january = purchased(world, org, 123_459).await;
    for path in [december, january] {
        assert_eq!(world.measure(org, &path, "failed").await, Outcome::Applied);
    }
}

/// Adds the month's metered grant, refunded grants of each kind, and eight other active grants.
async fn fill_with_grants(world: &World, org: &TestOrg) {
    let grant = async |kind, number: u64, days| {
        let expires_at =
            world.clock.now().plus_days(days).plus_seconds(i64::try_from(number).expect("the number fits"));
        let credits = CAP + 2 * number;
        world.administrator.grant(&org.id, kind, credits, Some(expires_at)).await.expect("added");
        credits
    };
    let mut granted = 0;
    for kind in PrepaidKind::iter() {
        granted += grant(kind, 3, 1).await;
    }
    let path = purchased(world, org, granted - price(Product::ScenarioCampaignCrud)).await;
    world.clock.advance(2 * DAY);
    assert_eq!(world.measure(org, &path, "failed").await, Outcome::Applied);
    for number in 0..8 {
        grant(PrepaidKind::Purchased, number, 40).await;
    }
    spend(&world.app, org, 3 * 111_111).await.expect("there are refunded credits");
}

/// Purchases a measurement of a new campaign and returns the campaign's path.
async fn purchased(world: &World, org: &TestOrg, credits: u64) -> String {
    let path = world.draft(org, Family::Campaign).await;
    let event = world.event(org, &path, "purchased", credits);
    assert!(world.apply(&event).await.is_applied());
    path
}

async fn fill_with_callers(world: &World, org: &TestOrg) {
    let mut keys = vec![org.clone()];
    for _ in 0..9 {
        keys.push(TestOrg { key: world.key(&org.id, Scope::all()).await, ..org.clone() });
    }
    let token = format!("Bearer {}", world.bearer(org).await);
    world.clock.advance(60_000);
    let search = async |presented| {
        for _ in 0..9 {
            admit(&world.app, Product::InventorySearch, presented).await.expect("admitted");
        }
    };
    for key in &keys {
        search(RequestCredentials { search_key: Some(&key.key), ..RequestCredentials::default() }).await;
    }
    search(RequestCredentials { authorization: Some(&token), ..RequestCredentials::default() }).await;
}

async fn fill_with_usage(world: &World, org: &TestOrg) {
    let is_searched = |product: &Product| product.auth() == AuthRequirement::SearchKeyOrBearer;
    for product in Product::iter().filter(|product| !product.has_account_api_limit() && !is_searched(product))
    {
        for _ in 0..5 {
            admit(&world.app, product, with_key(org)).await.expect("admitted");
        }
    }
    for name in NAMES {
        let path = world.draft(org, Family::Campaign).await;
        let mut event = world.event(org, &path, "purchased", 54_321);
        event.purchase.as_mut().expect("a purchase").product = name.parse().expect("valid name");
        assert!(world.apply(&event).await.is_applied());
    }
}

async fn fill_the_slots(world: &World, org: &TestOrg) {
    for _ in 0..2_000 {
        if world.stored_account(org).await.recent.iter().count() == 44 {
            return;
        }
        spend(&world.app, org, 123).await.expect("enough credits");
    }
    panic!("some slots are still free after 2,000 charges");
}
