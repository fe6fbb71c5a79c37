//! `marquee release synthesize`.

use std::fs;

use dataset::Part;
use harness::sample_release;

use super::release::{ReleasesDir, manifest, names};

#[tokio::test(flavor = "multi_thread")]
async fn synthesize_is_reproducible() {
    let releases = ReleasesDir::new();
    let base = sample_release().path().display().to_string();
    let make = ["synthesize", "--spots", "3000", "--seed", "5", "--release"];
    let printed = releases.printed(&[&make[..], &[&base, "--out", "@made"]].concat()).await;
    let made = manifest(&releases.path("made/latest"));
    let name = made["name"].as_str().expect("a name");
    assert!(name.starts_with("sample-") && made["name"] != sample_release().manifest().name, "{name}");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with(&format!("wrote {name} to ")), "{printed}");
    assert!(lines[1].starts_with("spots: 29") && lines[1].ends_with(" unmeasured"), "{printed}");
    let said = &made["provenance"]["inventory"];
    assert_eq!(said["source"], "synthesized: 3000 spots, seed 5; not real inventory");
    assert_eq!(said["data_maturity"], "synthetic-only");
    releases.printed(&["verify", "@made/latest"]).await;

    // Replaces the inventory of a synthesized release. The result doesn't depend on the previous inventory.
    let inventory = fs::read(releases.path("made/latest").join(Part::Inventory.file())).expect("a file");
    let other = ["synthesize", "--spots", "10", "--release", "@made/latest", "--out", "@made"];
    releases.printed(&other).await;
    assert_ne!(manifest(&releases.path("made/latest"))["name"], name);
    releases.printed(&[&make[..], &["@made/latest", "--out", "@made"]].concat()).await;
    assert_eq!(manifest(&releases.path("made/latest")), made);
    assert!(
        fs::read(releases.path("made/latest").join(Part::Inventory.file())).expect("a file") == inventory
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_synthesis_explains_why_and_leaves_no_files() {
    let releases = ReleasesDir::new();
    let base = sample_release().path().display().to_string();
    for spots in ["0", "10000001"] {
        let refused =
            releases.refused(&["synthesize", "--spots", spots, "--release", &base, "--out", "@made"]).await;
        assert_eq!(refused, format!("spots: must be from 1 to 10000000, got {spots}"));
    }
    let refused = releases.refused(&["synthesize", "--spots", "1", "--release", "@nowhere"]).await;
    assert!(refused.starts_with("there is no release in nowhere; "), "{refused}");
    assert_eq!(names(&releases.path("")), ["releases"], "no partial release is left");
}
