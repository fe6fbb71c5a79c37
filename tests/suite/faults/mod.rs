//! Whatever the database loses, refuses or delays, every credit and every asset is still accounted for.

mod charge;
mod creates;
mod interleaving;
mod ledger;
mod parts;
mod plan;
mod random;
mod sign_ups;
mod traffic;

use harness::price;
use serde_json::{Value, json};
use shared::types::{Credits, Product};

/// What a call of either library costs.
fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1], "these tests treat the libraries alike");
    prices[0]
}

/// Returns the spots of a campaign whose body needs parts beside its head: 2,000 of them with references of
/// so many characters that do not compress.
fn large_spots(seed: u64, characters: usize) -> Value {
    let mut rng = fastrand::Rng::with_seed(seed);
    let spot = |number: usize| {
        let reference: String = (0..characters).map(|_| rng.alphanumeric()).collect();
        json!({ "display_id": "30412887", "spot_id": number, "customer_spot_id": reference })
    };
    (0..2_000).map(spot).collect()
}
