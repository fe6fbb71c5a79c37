//! A target that parses any bytes as a manifest.

use dataset::{Manifest, Part};

pub(crate) fn prepare() {
    whole();
}

/// Returns the corpus's valid manifest, which has the current format.
pub(crate) fn whole() -> Manifest {
    Manifest::parse(include_bytes!("__fuzz__/manifest/corpus/whole"))
        .expect("a manifest in the current format")
}

/// Parses a manifest, then renames it to match its content and parses it again. Without the right name, every
/// altered manifest would be rejected. Also checks that writing and rereading a valid manifest doesn't change
/// it.
pub(crate) fn run(input: &[u8]) {
    check(input);
    if let Ok(altered) = serde_json::from_slice::<Manifest>(input) {
        let label = altered.label().to_owned();
        let named = Manifest::new(&label, altered.files, altered.provenance, altered.sources);
        check(named.to_json().as_bytes());
    }
}

fn check(input: &[u8]) {
    let Ok(manifest) = Manifest::parse(input) else { return };
    for part in Part::ALL {
        let _ = manifest.file(part);
    }
    let again = Manifest::parse(manifest.to_json().as_bytes()).expect("a written manifest is valid");
    assert_eq!(again.to_json(), manifest.to_json());
    assert!(manifest.name.starts_with(manifest.label()), "{}", manifest.name);
}
