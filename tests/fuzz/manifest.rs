//! Manifests: any bytes are one or none.

use dataset::{Manifest, Part};

pub(crate) fn prepare() {
    whole();
}

/// Returns the manifest of the corpus, which is of the form that is read today.
pub(crate) fn whole() -> Manifest {
    Manifest::parse(include_bytes!("__fuzz__/manifest/corpus/whole")).expect("a manifest of today's form")
}

/// Reads a manifest; one that is read says the same when it is written and read again.
pub(crate) fn run(input: &[u8]) {
    let Ok(manifest) = Manifest::parse(input) else { return };
    for part in Part::ALL {
        let _ = manifest.file(part);
    }
    let again = Manifest::parse(manifest.to_json().as_bytes()).expect("what was written can be read");
    assert_eq!(again.to_json(), manifest.to_json());
    assert!(manifest.name.starts_with(manifest.label()), "{}", manifest.name);
}
