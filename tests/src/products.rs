//! Prices, as tests add them up.
use accounting::{Credits, Product};

/// Returns the price of a call, in credits.
pub fn price(product: Product) -> Credits {
    product.credits().into()
}

/// Returns the price of a call of either library; tests treat them alike.
pub fn paid() -> Credits {
    let prices = [price(Product::ScenarioCampaignCrud), price(Product::ScenarioEventCrud)];
    assert_eq!(prices[0], prices[1]);
    prices[0]
}
