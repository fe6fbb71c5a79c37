//! How much room an inventory of full records takes.

use dataset::Part;
use harness::synthesized_release;

const SPOTS: u64 = 20_000;

/// Of a million spots a record takes some 145 bytes. Of so few, the streets, places and ZIP codes that they
/// share, and the forms of their layouts, weigh 55 bytes more on each.
const BYTES_A_SPOT: u64 = 200;

#[test]
fn a_spot_of_a_full_inventory_takes_at_most_200_bytes() {
    let release = synthesized_release(SPOTS as usize);
    let bytes = release.manifest().file(Part::Inventory).expect("an inventory").bytes;
    assert!(bytes <= SPOTS * BYTES_A_SPOT, "{:.1} bytes a spot", bytes as f64 / SPOTS as f64);
}
