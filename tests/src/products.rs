//! Call prices, for tests that add up credits.
use accounting::{Credits, Product};

pub fn price(product: Product) -> Credits {
    product.credits().into()
}

/// Returns the price of a library call. Campaigns and events have the same price.
pub fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1]);
    prices[0]
}
