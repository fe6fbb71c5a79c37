//! Whatever the database loses, refuses or delays, every credit and every asset is still accounted for.

mod charge;
mod creates;
mod interleaving;
mod parts;
mod plan;
mod random;
mod sign_ups;

use accounting::{Credits, Product};
use harness::price;

/// What a call of either library costs.
fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1], "these tests treat the libraries alike");
    prices[0]
}
