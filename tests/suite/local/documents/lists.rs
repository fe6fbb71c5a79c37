//! Compares the lists of values in openapi.yaml with the enums in the code.

use accounting::{AccessTier, AuthRequirement, GrantKind, Product, Tier};
use dataset::inventory::{FlagCriterion, TextCriterion};
use harness::Contract;
use serde_json::Value;
use store::AssetState;
use strum::IntoEnumIterator;

/// Returns the values listed at a JSON pointer below the contract's schemas.
fn listed(pointer: &str) -> Vec<&'static str> {
    let schema = Contract::get().closed().pointer(&format!("/components/schemas/{pointer}"));
    let names = schema.and_then(|schema| schema["enum"].as_array()).expect("a list of values");
    names.iter().filter_map(Value::as_str).collect()
}

#[test]
fn contract_lists_every_tier_asset_state_and_grant_kind() {
    let tiers: Vec<_> = Tier::iter().map(|tier| AccessTier::Organization(tier).name()).collect();
    assert_eq!(listed("Tier"), tiers);
    let states: Vec<_> = AssetState::iter().map(AssetState::as_str).collect();
    assert_eq!(listed("AssetState"), states);
    let kinds: Vec<_> = GrantKind::all().map(|kind| kind.to_string()).collect();
    assert_eq!(listed("GrantKind"), kinds);
}

#[test]
fn contract_lists_every_product_in_errors_and_meta() {
    let all: Vec<_> = Product::iter().map(Product::name).collect();
    let mut in_errors = listed("Error/properties/error/properties/product");
    assert_eq!((in_errors.pop(), in_errors), (Some("platform"), all));
    let has_meta = |product: &Product| {
        *product == Product::ClientView
            || !matches!(product.auth(), AuthRequirement::Open | AuthRequirement::Public)
    };
    let with_meta = Product::iter().filter(has_meta);
    let with_meta: Vec<_> = with_meta.map(Product::name).collect();
    assert_eq!(listed("Meta/properties/product"), with_meta);
}

#[test]
fn contract_lists_every_inventory_filter_criterion() {
    let filter = &Contract::get().document()["components"]["schemas"]["InventoryFilter"]["properties"];
    let names = TextCriterion::ALL.map(TextCriterion::name).into_iter();
    for name in names.chain(FlagCriterion::ALL.map(FlagCriterion::name)) {
        assert!(filter.get(name).is_some(), "InventoryFilter must have {name}");
    }
}
