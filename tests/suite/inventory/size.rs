//! How much room an inventory of full records takes.

use dataset::Part;
use harness::synthesized_release;

const SPOTS: u64 = 20_000;

/// Of a million spots a record takes some 143 bytes. Of so few, the streets, places and ZIP codes that they
/// share weigh 30 bytes more on each.
const BYTES_A_SPOT: u64 = 178;

#[test]
fn a_full_record_takes_no_more_room_than_it_did() {
    let release = synthesized_release(SPOTS as usize);
    let bytes = release.manifest().file(Part::Inventory).expect("an inventory").bytes;
    assert!(bytes <= SPOTS * BYTES_A_SPOT, "{:.1} bytes a spot", bytes as f64 / SPOTS as f64);
}
