//! Prices for tests that add up credits.
use accounting::{Credits, Product};

/// Returns the price of a call in credits.
pub fn price(product: Product) -> Credits {
    product.credits().into()
}

/// Returns the price of a library call, which is the same for campaigns and events.
pub fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1]);
    prices[0]
}
