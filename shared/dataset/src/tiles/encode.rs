//! Encodes map tiles that show single points and clusters of points.

use std::ops::Range;

use fast_mvt::{MvtCoord, MvtFeatureBuilder, MvtGeomType, MvtLayerBuilder, MvtValueRef};

use super::attribute::{Attribute, CLUSTER, Cluster, Value};
use super::tile_id::TileId;
use crate::index::{BOTTOM, PointKeys, Quadrant};

/// The lowest zoom level at which tiles show every point separately.
const SINGLES_FROM: u8 = 12;

/// The maximum number of single points in a tile. Tiles with more points show clusters.
const MAX_SINGLES: usize = 2_000;

/// The number of zoom levels between a tile and its cluster cells, which form a grid of 16 by 16.
const CLUSTERS: u8 = 4;
/// The number of zoom levels between a tile and its cluster cells if the tile is at zoom 12 or higher and has
/// too many points. The cells form a grid of 32 by 32.
const FINE_CLUSTERS: u8 = 5;

/// The base-2 logarithm of a tile's width. Tiles are 4,096 units wide.
const EXTENT_BITS: u8 = 12;

/// The width of the buffer around a tile, in tile units. A tile also shows the points of neighboring tiles
/// that are in its buffer.
const BUFFER: u32 = 64;

/// The number of zoom levels between a tile and the quadrants that are as wide as the buffer.
const BUFFER_DEPTH: u8 = 6;

/// All encoding parameters, as input for the tiles' entity tags.
pub(super) const LAYOUT: (u8, usize, [u8; 2], u8, u32) =
    (SINGLES_FROM, MAX_SINGLES, [CLUSTERS, FINE_CLUSTERS], EXTENT_BITS, BUFFER);

/// A vector tile with at least one feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The uncompressed tile, in the Mapbox Vector Tile 2 format.
    pub bytes: Vec<u8>,
    /// The number of features, including those in the buffer.
    pub features: usize,
}

/// Adds a point's attributes to its feature.
pub(super) type Describe<'a> = &'a dyn Fn(u32, &mut Feature<'_>);

/// A feature that's being encoded.
pub(super) struct Feature<'a>(&'a mut MvtFeatureBuilder);

impl Feature<'_> {
    /// Adds an attribute, unless its value is missing or an empty string.
    pub(super) fn add<Of>(&mut self, attribute: &Attribute<Of>, value: Option<Value<'_>>) {
        debug_assert!(value.is_none_or(|value| value.kind() == attribute.kind), "{}", attribute.name);
        let value = match value {
            None | Some(Value::Text("")) => return,
            Some(Value::Id(id)) => {
                self.0.id(Some(id));
                MvtValueRef::UInt(id)
            }
            Some(Value::Number(number)) => MvtValueRef::UInt(number),
            Some(Value::Text(text)) => MvtValueRef::String(text),
            Some(Value::Flag(flag)) => MvtValueRef::Bool(flag),
        };
        self.0.tag_ref(attribute.name, value).expect("the number of attributes is small");
    }
}

/// A tile that's being encoded.
struct Drawing<'a> {
    points: &'a PointKeys,
    tile: Quadrant,
    describe: Describe<'a>,
    layer: Option<MvtLayerBuilder>,
    features: usize,
}

/// Encodes a tile. Returns `None` if the tile is empty.
///
/// Up to zoom 11, the tile is divided into a grid of 16 by 16 cells. A cell with one point shows that point.
/// A cell with more points shows a cluster with their count, at the position of one of them.
///
/// From zoom 12, the tile shows every point, including the points of neighboring tiles in a narrow buffer. If
/// the tile itself has more than 2,000 points, it shows clusters in a grid of 32 by 32 cells instead. If it
/// exceeds that limit only because of the buffer, the buffer is omitted.
///
/// Clusters count only the tile's own points, so the counts of four tiles add up to the count of their parent
/// tile.
pub(super) fn tile(points: &PointKeys, tile: TileId, layer: &str, describe: Describe<'_>) -> Option<Tile> {
    let quadrant = tile.quadrant();
    let own = points.of_quadrant(quadrant, 0..points.len());
    let layer = MvtLayerBuilder::new(layer).expect("the layer's name isn't empty");
    let mut drawing = Drawing { points, tile: quadrant, describe, layer: Some(layer), features: 0 };
    if tile.zoom() < SINGLES_FROM {
        drawing.clusters(own, CLUSTERS);
    } else if own.len() > MAX_SINGLES {
        drawing.clusters(own, FINE_CLUSTERS);
    } else {
        let strip = strip(points, quadrant);
        drawing.singles(own);
        if drawing.features + strip.iter().map(ExactSizeIterator::len).sum::<usize>() <= MAX_SINGLES {
            strip.into_iter().for_each(|range| drawing.singles(range));
        }
    }
    let Drawing { layer, features, .. } = drawing;
    (features > 0).then(|| Tile { bytes: layer.expect("no feature is being added").encode(), features })
}

impl Drawing<'_> {
    fn singles(&mut self, range: Range<usize>) {
        range.for_each(|at| self.single(at));
    }

    fn clusters(&mut self, range: Range<usize>, deeper: u8) {
        for cell in self.points.quadrants(self.tile.zoom + deeper, range) {
            match cell.len() {
                1 => self.single(cell.start),
                count => self.feature(cell.start.midpoint(cell.end), |feature| {
                    let cluster = Cluster(count as u64);
                    CLUSTER.iter().for_each(|attribute| feature.add(attribute, (attribute.of)(&cluster)));
                }),
            }
        }
    }

    fn single(&mut self, at: usize) {
        let describe = self.describe;
        let point = u32::try_from(at).expect("the index of a point fits in 32 bits");
        self.feature(at, |feature| describe(point, feature));
    }

    /// Adds a feature at the position of the point with index `at`.
    fn feature(&mut self, at: usize, describe: impl FnOnce(&mut Feature<'_>)) {
        let layer = self.layer.take().expect("no feature is being added");
        let mut feature = layer.feature_of(MvtGeomType::Point);
        let cell = self.points.quadrant(at);
        feature
            .points([MvtCoord {
                x: units(cell.x, self.tile.x, self.tile.zoom),
                y: units(cell.y, self.tile.y, self.tile.zoom),
            }])
            .expect("a point is a valid geometry");
        describe(&mut Feature(&mut feature));
        self.layer = Some(feature.end());
        self.features += 1;
    }
}

/// Returns the distance of a bottom-level quadrant from the western or northern edge of the tile, in tile
/// units.
fn units(cell: u32, tile: u32, zoom: u8) -> i32 {
    let unit = i64::from(cell >> (BOTTOM - EXTENT_BITS - zoom));
    let edge = i64::from(tile) << EXTENT_BITS;
    i32::try_from(unit - edge).expect("the cell is in the tile or a neighbour")
}

/// Returns the points of neighboring tiles that are in a tile's buffer.
fn strip(points: &PointKeys, tile: Quadrant) -> Vec<Range<usize>> {
    const {
        assert!(
            BUFFER == 1 << (EXTENT_BITS - BUFFER_DEPTH),
            "a quadrant of the strip is as wide as the buffer"
        )
    };
    let side = 1_u32 << tile.zoom;
    let steps = |at: u32| [at.checked_sub(1), Some(at), Some(at + 1).filter(|at| *at < side)];
    let mut strip = Vec::new();
    for (right, x) in steps(tile.x).into_iter().enumerate() {
        for (below, y) in steps(tile.y).into_iter().enumerate() {
            let (Some(x), Some(y)) = (x, y) else { continue };
            if (right, below) == (1, 1) {
                continue;
            }
            let neighbour = points.of_quadrant(Quadrant { zoom: tile.zoom, x, y }, 0..points.len());
            if neighbour.is_empty() {
                continue;
            }
            for row in edge(y, below) {
                for column in edge(x, right) {
                    let narrow = Quadrant { zoom: tile.zoom + BUFFER_DEPTH, x: column, y: row };
                    strip.push(points.of_quadrant(narrow, neighbour.clone()));
                }
            }
        }
    }
    strip.retain(|range| !range.is_empty());
    strip
}

/// Returns the positions, on one axis, of a neighboring tile's quadrants that touch the tile. If the neighbor
/// is before the tile (step 0), that's its last quadrant. If it's after the tile (step 2), that's its first
/// quadrant. Otherwise, all of its quadrants touch the tile.
fn edge(neighbour: u32, step: usize) -> Range<u32> {
    let (first, end) = (neighbour << BUFFER_DEPTH, (neighbour + 1) << BUFFER_DEPTH);
    match step {
        0 => end - 1..end,
        2 => first..first + 1,
        _ => first..end,
    }
}
