//! Measures the densest tile at every zoom level, from the world to Midtown Manhattan.

use dataset::tiles::{Layer, LayerPoints, TileId, Visits};
use harness::{sample_release, synthesized_release};

use crate::times::of_rounds;

const SPOTS: usize = 1_000_000;

const ROUNDS: usize = 201;

/// Midtown Manhattan at the deepest zoom level. At every other zoom level, the densest tile contains this
/// one.
const DENSEST: (u32, u32) = (4_824, 6_157);

/// Prints how long it takes to create the densest tile at each zoom level, for a million synthesized displays
/// and for the places in the sample release.
pub(crate) fn print() {
    let displays = LayerPoints::open(&synthesized_release(SPOTS), Layer::Faces).expect("the release's part");
    print_of(&format!("{SPOTS} displays"), &displays);
    let places = LayerPoints::open(sample_release(), Layer::Places).expect("the sample's part");
    print_of(&format!("{} places", places.len()), &places);
}

fn print_of(what: &str, points: &LayerPoints) {
    println!(
        "\n== tiles of {what}, from the world to Midtown Manhattan, one core \
         (target: p50 2 ms, p99 10 ms, zoom 0 5 ms)"
    );
    println!(
        "{:>4} {:>9} {:>9} {:>11} {:>11} {:>12}",
        "zoom", "features", "bytes", "p50", "p99", "features/s"
    );
    for zoom in 0..=TileId::MAX_ZOOM {
        let above = TileId::MAX_ZOOM - zoom;
        let tile = TileId::new(zoom, DENSEST.0 >> above, DENSEST.1 >> above).expect("a tile that exists");
        let [p50, p99] = of_rounds(ROUNDS, || points.tile(tile, Visits::Included));
        let (features, bytes) =
            points.tile(tile, Visits::Included).map_or((0, 0), |made| (made.features, made.bytes.len()));
        let rate = features as f64 / p50.as_secs_f64();
        println!("{zoom:>4} {features:>9} {bytes:>9} {p50:>11.1?} {p99:>11.1?} {rate:>12.0}");
    }
}
