//! Draws the base map as vector tiles.

use dataset::BaseMap;
use dataset::tiles::TileId;
use fast_mvt::{MvtCoord, MvtGeomType, MvtLayerBuilder, MvtValueRef};
use rayon::prelude::*;

use super::geometry::{Edge, Geometry, Line, Point, simplified};
use super::gzip;
use super::names::{Name, NameKind};
use super::shapes::Shape;

/// The width of a tile, in units. A map shows 8 units as one pixel.
const EXTENT: f64 = 4_096.0;

/// The width of the buffer around a tile, in units. It hides the edges of clipped polygons.
const BUFFER: f64 = 64.0;

/// The tolerance for simplifying lines, in units. It's half a pixel.
const TOLERANCE: f64 = 4.0;

/// Twice the minimum area of a drawn ring, in square units. The minimum area is one pixel.
const MIN_RING: i64 = 128;

/// Draws a tile and all of its descendants. Omits tiles without shapes and names.
pub(super) fn draw(tile: TileId, shapes: Vec<Shape>, names: &[&Name]) -> Vec<(TileId, Vec<u8>)> {
    let shapes: Vec<Shape> = shapes.into_iter().filter_map(|shape| clipped(shape, tile)).collect();
    let names: Vec<&Name> = names.iter().copied().filter(|name| is_in(tile, name.position())).collect();
    if shapes.is_empty() && names.is_empty() {
        return Vec::new();
    }
    let mut tiles = vec![(tile, gzip(&encoded(tile, &shapes, &names)))];
    if tile.zoom() < BaseMap::MAX_ZOOM {
        let quarter = |quarter: u32| {
            TileId::new(tile.zoom() + 1, 2 * tile.x() + quarter % 2, 2 * tile.y() + quarter / 2)
        };
        let quarters = (0..4).into_par_iter().filter_map(quarter);
        tiles.par_extend(quarters.flat_map(|quarter| draw(quarter, shapes.clone(), &names)));
    }
    tiles
}

fn clipped(shape: Shape, tile: TileId) -> Option<Shape> {
    let Shape { properties, geometry } = shape;
    let width = 1.0 / f64::from(1_u32 << tile.zoom());
    let buffer = width * BUFFER / EXTENT;
    let edges = [tile.x(), tile.y()].into_iter().enumerate().flat_map(|(axis, at)| {
        let start = f64::from(at) * width;
        [(start - buffer, true), (start + width + buffer, false)].map(|(at, keeps_greater)| Edge {
            axis,
            at,
            keeps_greater,
        })
    });
    let geometry = edges.fold(geometry, Geometry::clipped);
    (!geometry.is_empty()).then_some(Shape { properties, geometry })
}

fn is_in(tile: TileId, point: Point) -> bool {
    let [x, y] = units(tile, &point);
    (0.0..EXTENT).contains(&x) && (0.0..EXTENT).contains(&y)
}

/// Returns a point's position in units, relative to the northwest corner of a tile.
fn units(tile: TileId, [x, y]: &Point) -> Point {
    let tiles = f64::from(1_u32 << tile.zoom());
    [(x * tiles - f64::from(tile.x())) * EXTENT, (y * tiles - f64::from(tile.y())) * EXTENT]
}

/// Encodes a tile. It contains the layers of the shapes, the `urban_areas` layer, and the `places` layer with
/// all other names.
fn encoded(tile: TileId, shapes: &[Shape], names: &[&Name]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let shown = |shape: &&Shape| shape.properties.min_zoom <= tile.zoom();
    let shapes: Vec<&Shape> = shapes.iter().filter(shown).collect();
    for layer in shapes.chunk_by(|one, other| one.properties.layer == other.properties.layer) {
        bytes.extend(shape_layer(tile, layer));
    }
    let shown = |name: &&&Name| name.min_zoom().is_some_and(|zoom| zoom <= tile.zoom());
    let (areas, places): (Vec<_>, Vec<_>) =
        names.iter().copied().filter(|name| shown(&name)).partition(|name| name.kind == NameKind::UrbanArea);
    for (layer, names) in [("urban_areas", areas), ("places", places)] {
        bytes.extend(name_layer(tile, layer, &names));
    }
    bytes
}

fn shape_layer(tile: TileId, shapes: &[&Shape]) -> Vec<u8> {
    let mut layer = MvtLayerBuilder::new(&shapes[0].properties.layer).expect("layers have names");
    for Shape { properties, geometry } in shapes {
        let (kind, lines) = match geometry {
            Geometry::MultiLineString(lines) => (MvtGeomType::LineString, drawn_lines(tile, lines)),
            Geometry::MultiPolygon(polygons) => (MvtGeomType::Polygon, drawn_rings(tile, polygons)),
        };
        if lines.is_empty() {
            continue;
        }
        let mut feature = layer.feature_of(kind);
        for (line, is_outer) in lines {
            match kind {
                MvtGeomType::Polygon => feature.ring(line, is_outer),
                _ => feature.line(line),
            }
            .expect("the line has points");
        }
        feature.tag_string("kind", &properties.kind).expect("the layer has few attributes");
        layer = feature.end();
    }
    encoded_layer(layer)
}

fn name_layer(tile: TileId, layer: &str, names: &[&Name]) -> Vec<u8> {
    let mut layer = MvtLayerBuilder::new(layer).expect("layers have names");
    for name in names {
        let mut feature = layer.feature_of(MvtGeomType::Point);
        feature.points([rounded(units(tile, &name.position()))]).expect("a point is a valid geometry");
        let attributes = [
            ("kind", Some(MvtValueRef::String(name.kind.into()))),
            ("name", Some(MvtValueRef::String(&name.name))),
            ("population", name.population.map(|population| MvtValueRef::UInt(population.into()))),
        ];
        for (attribute, value) in attributes {
            let added = value.map(|value| feature.tag_ref(attribute, value).map(drop));
            added.transpose().expect("the layer has few attributes");
        }
        layer = feature.end();
    }
    encoded_layer(layer)
}

fn encoded_layer(layer: MvtLayerBuilder) -> Vec<u8> {
    if layer.num_features() > 0 { layer.encode() } else { Vec::new() }
}

/// Returns the lines to draw in a tile. Omits lines that are too short to be visible.
fn drawn_lines(tile: TileId, lines: &[Line]) -> Vec<(Vec<MvtCoord>, bool)> {
    let drawn = lines.iter().map(|line| drawn(tile, line)).filter(|line| line.len() > 1);
    drawn.map(|line| (line, true)).collect()
}

/// Returns the rings to draw in a tile, and whether each one is an outer ring. Omits polygons and holes that
/// are too small to be visible.
fn drawn_rings(tile: TileId, polygons: &[Vec<Line>]) -> Vec<(Vec<MvtCoord>, bool)> {
    let mut drawn_rings = Vec::new();
    for polygon in polygons {
        let mut rings = polygon.iter().map(|ring| drawn(tile, ring)).enumerate();
        let is_seen = |(_, ring): &(usize, Vec<MvtCoord>)| double_area(ring) >= MIN_RING;
        let Some((_, outer)) = rings.next().filter(is_seen) else { continue };
        drawn_rings.push((outer, true));
        drawn_rings.extend(rings.filter(is_seen).map(|(_, hole)| (hole, false)));
    }
    drawn_rings
}

/// Converts a line to whole units and simplifies it for the tile's zoom level.
fn drawn(tile: TileId, line: &[Point]) -> Vec<MvtCoord> {
    let line: Line = line.iter().map(|point| units(tile, point)).collect();
    let mut drawn: Vec<MvtCoord> = simplified(&line, TOLERANCE).into_iter().map(rounded).collect();
    drawn.dedup();
    drawn
}

#[expect(clippy::cast_possible_truncation, reason = "shapes are clipped to a tile and its buffer")]
fn rounded([x, y]: Point) -> MvtCoord {
    MvtCoord { x: x.round() as i32, y: y.round() as i32 }
}

fn double_area(ring: &[MvtCoord]) -> i64 {
    let cross = |(one, other): (&MvtCoord, &MvtCoord)| {
        i64::from(one.x) * i64::from(other.y) - i64::from(other.x) * i64::from(one.y)
    };
    ring.iter().zip(ring.iter().skip(1)).map(cross).sum::<i64>().abs()
}
