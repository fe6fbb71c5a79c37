//! Tests of the inventory file: it is reproducible, and truncated files are rejected.

use std::fs;

use dataset::Part;
use dataset::inventory::InventoryQuery;
use serde_json::Value;

use crate::fixture::Scratch;
use crate::records::{Dice, record};

fn records() -> Vec<Value> {
    let mut dice = Dice::new(3);
    (0..60).map(|number| record(&mut dice, number)).collect()
}

#[test]
fn same_records_in_the_same_order_give_the_same_bytes() {
    let bytes = || {
        let scratch = Scratch::new();
        scratch.write(&records());
        fs::read(scratch.path().join(Part::Inventory.file())).unwrap()
    };
    assert!(bytes() == bytes());
}

#[test]
fn empty_inventory_can_be_searched() {
    let scratch = Scratch::new();
    scratch.write(&[]);
    let inventory = scratch.open().unwrap();
    assert!(inventory.is_empty());
    let query = InventoryQuery { search: Some("a".to_owned()), ..InventoryQuery::default() };
    assert_eq!(inventory.search(&query).total, 0);
}

#[test]
fn rejects_a_truncated_file() {
    let scratch = Scratch::new();
    scratch.write(&records());
    let path = scratch.path().join(Part::Inventory.file());
    let whole = fs::read(&path).unwrap();
    for end in (0..whole.len()).step_by(whole.len() / 40) {
        fs::write(&path, &whole[..end]).unwrap();
        let error = scratch.open().unwrap_err();
        assert_eq!(error.file(), "inventory.bin", "{end}");
    }
}
