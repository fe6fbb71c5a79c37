//! Fuzz targets. A target takes any bytes and may reject them, but must not panic, run for more than a
//! second, or allocate more than [`MAX_BYTES`](run::MAX_BYTES).
//!
//! `cargo test` runs each target on its corpus in `__fuzz__`. `make fuzz` also runs each target on mutations
//! of its corpus.
//!
//! See `docs/decisions/0058-random-tests.md`.

mod choices;
mod manifest;
mod mutation;
mod packed;
mod release;
mod run;
mod service;
mod sources;

use run::fuzz;

macro_rules! targets {
    ($($name:ident: $prepare:path, $run:path;)*) => {
        $(
            #[test]
            fn $name() {
                fuzz!(stringify!($name), $prepare, $run);
            }
        )*
    };
}

targets! {
    manifest: manifest::prepare, manifest::run;
    packed: packed::prepare, packed::run;
    inventory: release::prepare, release::inventory;
    places: release::prepare, release::places;
    measures: release::prepare, release::measures;
    population: release::prepare, release::population;
    tiles: release::prepare, release::tiles;
    known_ids: release::prepare, release::known_ids;
    round_trips: release::prepare, release::round_trips;
    place_sources: sources::prepare, sources::places;
    display_sources: sources::prepare, sources::displays;
    headers: service::prepare, service::headers;
    bodies: service::prepare, service::bodies;
    paths: service::prepare, service::paths;
}
