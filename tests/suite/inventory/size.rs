//! The size of an inventory file.

use dataset::Part;
use harness::synthesized_release;

const SPOTS: u64 = 20_000;

/// The maximum size of a record, in bytes. In an inventory of a million spots, a record takes about 155
/// bytes. With as few spots as in this test, shared data such as streets, places, ZIP codes, and layouts adds
/// about 55 bytes per record.
const BYTES_PER_SPOT: u64 = 220;

#[test]
fn spot_takes_at_most_220_bytes() {
    let release = synthesized_release(SPOTS as usize);
    let bytes = release.manifest().file(Part::Inventory).expect("an inventory").bytes;
    assert!(bytes <= SPOTS * BYTES_PER_SPOT, "{:.1} bytes per spot", bytes as f64 / SPOTS as f64);
}
