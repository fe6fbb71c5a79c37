//! Tests the sample's map tiles, using an independent decoder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use builder::build::{Build, Rejects, SourceList};
use dataset::inventory::{FieldSet, Inventory, SpotId};
use dataset::tiles::{Extent, Layer, LayerPoints, Tile, TileId, Visits};
use dataset::{Measures, PlaceId, Places};
use geo_types::Geometry;
use mvt_reader::Reader;
use mvt_reader::feature::{Feature, Value};
use serde_json::json;

const EXTENT: i32 = 4_096;
const BUFFER: i32 = 64;

/// The sample's parts that are shown in map tiles.
struct Sample {
    inventory: Inventory,
    places: Places,
    measures: Measures,
    display_points: LayerPoints,
    place_points: LayerPoints,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("builder-tiles-{}", std::process::id()));
        let data = data(&folder.join("data"));
        let build = Build {
            list: &SourceList::read(&data.join("release.toml"), &data).expect("a valid list"),
            data: &data,
            releases: &folder.join("releases"),
            cache: &Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
            against: None,
            accepted: &[],
            today: "2026-11-24",
            progress: &|_, _, _| {},
        };
        let built = builder::build::build(build, &mut Rejects::default()).expect("valid source data").folder;
        let sample = Sample {
            inventory: Inventory::open(&built).expect("the release is complete"),
            places: Places::open(&built).expect("the release is complete"),
            measures: Measures::open(&built).expect("the release is complete"),
            display_points: LayerPoints::open(&built, Layer::Faces).expect("the release is complete"),
            place_points: LayerPoints::open(&built, Layer::Places).expect("the release is complete"),
        };
        // Open parts can still be read after the folder is removed.
        fs::remove_dir_all(&folder).expect("can remove the folder");
        sample
    })
}

/// Creates a folder with the project's source data, in which a build can write assigned IDs.
fn data(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").canonicalize().expect("a folder");
    fs::create_dir_all(folder).expect("can create a temporary folder");
    for name in ["basemap", "geographies", "segments", "inventory", "places", "release.toml"] {
        symlink(source.join(name), folder.join(name)).expect("can create a link");
    }
    folder.to_owned()
}

fn displays(tile: TileId) -> Option<Tile> {
    sample().display_points.tile(tile, Visits::Included)
}

fn places(tile: TileId) -> Option<Tile> {
    sample().place_points.tile(tile, Visits::Included)
}

/// A layer's name, a function that returns its tiles, and its number of points.
type Product = (&'static str, fn(TileId) -> Option<Tile>, u64);

fn products() -> [Product; 2] {
    let Sample { inventory, places: all, .. } = sample();
    let measured = inventory.indexes().filter(|spot| inventory.has_measures(*spot)).count() as u64;
    [("faces", displays, measured), ("places", places, all.len() as u64)]
}

fn tile(zoom: u8, x: u32, y: u32) -> TileId {
    TileId::new(zoom, x, y).expect("valid tile ID")
}

fn children(of: TileId) -> [TileId; 4] {
    let (zoom, x, y) = (of.zoom() + 1, of.x() * 2, of.y() * 2);
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, below)| tile(zoom, x + right, y + below))
}

fn features(layer: &str, tile: &Tile) -> Vec<Feature<i32>> {
    let reader = Reader::new(tile.bytes.clone()).expect("valid tile");
    let layers = reader.get_layer_metadata().expect("the tile has layers");
    assert_eq!(layers.len(), 1);
    assert_eq!((layers[0].name.as_str(), layers[0].extent), (layer, EXTENT as u32));
    let features = reader.get_features_as::<i32>(0).expect("the layer has features");
    assert_eq!(features.len(), tile.features);
    features
}

fn point(feature: &Feature<i32>) -> (i32, i32) {
    match feature.get_geometry() {
        Geometry::Point(point) => (point.x(), point.y()),
        Geometry::MultiPoint(points) if points.0.len() == 1 => (points.0[0].x(), points.0[0].y()),
        other => panic!("{other:?} is not a point"),
    }
}

fn is_own(feature: &Feature<i32>) -> bool {
    let (x, y) = point(feature);
    (0..EXTENT).contains(&x) && (0..EXTENT).contains(&y)
}

/// Returns the number of points that a feature represents: its count, or 1 by default.
fn count(feature: &Feature<i32>) -> u64 {
    let properties = feature.properties.as_ref().expect("the feature has attributes");
    match properties.get("count") {
        Some(Value::UInt(count)) => *count,
        Some(other) => panic!("{other:?} is not a count"),
        None => 1,
    }
}

/// Returns the number of points in a tile, not counting its buffer.
fn total(layer: &str, tile: Option<&Tile>) -> u64 {
    tile.map_or(0, |tile| features(layer, tile).iter().filter(|feature| is_own(feature)).map(count).sum())
}

#[test]
fn counts_sum_to_all_points_at_zoom_0_and_to_the_parent_count_below() {
    for (layer, make, all) in products() {
        let root = tile(0, 0, 0);
        assert_eq!(total(layer, make(root).as_ref()), all, "{layer}");
        let mut level = vec![(root, all)];
        while let Some((parent, count)) = level.pop() {
            if parent.zoom() == TileId::MAX_ZOOM {
                continue;
            }
            let below: Vec<(TileId, u64)> = children(parent)
                .into_iter()
                .map(|child| (child, total(layer, make(child).as_ref())))
                .collect();
            assert_eq!(below.iter().map(|(_, count)| count).sum::<u64>(), count, "{layer} {parent:?}");
            level.extend(below.into_iter().filter(|(_, count)| *count > 0));
        }
    }
}

#[test]
fn features_are_within_the_tile_or_its_buffer_and_tiles_are_small() {
    for (layer, make, _) in products() {
        let mut level = vec![tile(0, 0, 0)];
        let mut deepest = 0;
        while let Some(at) = level.pop() {
            let Some(made) = make(at) else { continue };
            assert!(made.bytes.len() < 500_000, "{layer} {at:?} has {} bytes", made.bytes.len());
            let features = features(layer, &made);
            let range = if at.zoom() < 12 { 0..EXTENT } else { -BUFFER..EXTENT + BUFFER };
            for feature in &features {
                let (x, y) = point(feature);
                assert!(range.contains(&x) && range.contains(&y), "{layer} {at:?} contains {x}, {y}");
            }
            deepest += u64::from(at.zoom() == TileId::MAX_ZOOM);
            let own = features.iter().filter(|feature| is_own(feature)).count();
            if at.zoom() < TileId::MAX_ZOOM && own > 0 && (at.zoom() < 9 || own > 20) {
                level.extend(children(at));
            }
        }
        assert!(deepest > 20, "{layer}");
    }
}

/// Returns a feature's attributes as JSON.
fn attributes(feature: &Feature<i32>) -> serde_json::Map<String, serde_json::Value> {
    let properties = feature.properties.as_ref().expect("the feature has attributes").iter();
    let value = |value: &Value| match value {
        Value::UInt(number) => json!(number),
        Value::String(text) => json!(text),
        Value::Bool(flag) => json!(flag),
        other => panic!("{other:?}"),
    };
    properties.map(|(name, of)| (name.clone(), value(of))).collect()
}

#[test]
fn single_points_have_only_the_attributes_of_the_map() {
    let Sample { inventory, places: all, measures, .. } = sample();
    // This tile contains Times Square.
    let at = tile(14, 4_824, 6_157);
    let mut shown = (0, 0);
    for feature in features("faces", &displays(at).expect("the tile has kiosks")) {
        let id = feature.id.and_then(|id| u32::try_from(id).ok()).expect("the ID is a spot ID");
        let spot = inventory.find(SpotId::from_raw(id)).expect("a spot");
        let record = serde_json::to_value(inventory.record(spot, FieldSet::ALL)).unwrap();
        let expected = json!({
            "spot_id": id,
            "media_type": record["media_type"]["name"],
            "digital": record["digital"],
            "operator": record["representations"][0][0]["account"]["name"],
            "dma": record["location"]["dma_name"],
        });
        assert_eq!(json!(attributes(&feature)), expected);
        shown.0 += 1;
    }
    for feature in features("places", &places(at).expect("the tile has stores")) {
        let id = PlaceId::from_raw(feature.id.expect("an ID"));
        let place = all.get(all.find(id).expect("a place"));
        let measure = measures.get(id).unwrap().expect("every place has a measure");
        let expected = json!({
            "place_id": id.raw(),
            "name": place.name,
            "type": place.place_type,
            "weekly_visits": measure.visits(),
        });
        assert_eq!(json!(attributes(&feature)), expected);
        shown.1 += 1;
    }
    assert!(shown.0 > 5 && shown.1 > 5, "{shown:?}");
}

#[test]
fn clusters_have_only_their_count() {
    for (layer, make, _) in products() {
        let world = features(layer, &make(tile(0, 0, 0)).expect("the tile has points"));
        let clusters: Vec<_> = world.iter().filter(|feature| count(feature) > 1).collect();
        assert!(clusters.len() > 1, "{layer}: {}", clusters.len());
        for cluster in clusters {
            assert_eq!(
                json!(attributes(cluster)),
                json!({ "cluster": true, "count": count(cluster) }),
                "{layer}"
            );
            assert_eq!(cluster.id, None, "{layer}");
        }
    }
}

#[test]
fn features_have_exactly_the_attributes_of_their_layer() {
    let times_square = tile(14, 4_824, 6_157);
    for (layer, make, above) in
        [(Layer::Faces, displays as fn(TileId) -> Option<Tile>, 7), (Layer::Places, places, 7)]
    {
        let fields: BTreeMap<&str, String> = layer.fields(Visits::Included).into_iter().collect();
        let mut seen = BTreeSet::new();
        let over = tile(14 - above, times_square.x() >> above, times_square.y() >> above);
        for at in [times_square, over] {
            for feature in features(layer.name(), &make(at).expect("the tile has points")) {
                for (name, value) in feature.properties.expect("the feature has attributes") {
                    let kind = match value {
                        Value::UInt(_) => "Number",
                        Value::String(_) => "String",
                        Value::Bool(_) => "Boolean",
                        other => panic!("{name}: {other:?}"),
                    };
                    assert!(fields[name.as_str()].starts_with(&format!("{kind}. ")), "{name} is a {kind}");
                    seen.insert(name);
                }
            }
        }
        // `maturity` is omitted if it's the same as the tile set's, which is the case for all points in the
        // sample.
        let listed = fields.keys().copied().filter(|name| *name != "maturity");
        assert!(seen.iter().map(String::as_str).eq(listed), "{seen:?}");
    }
    assert_ne!(Layer::Faces.encoding(), Layer::Places.encoding());
}

#[test]
fn invalid_and_empty_tiles_do_not_exist() {
    for (zoom, x, y) in [(0, 1, 0), (0, 0, 1), (3, 8, 0), (14, 1 << 14, 0), (15, 0, 0), (255, 0, 0)] {
        assert_eq!(TileId::new(zoom, x, y), None, "{zoom}/{x}/{y}");
    }
    // These tiles are near Antarctica, where the sample has no points.
    assert_eq!(displays(tile(4, 8, 12)), None);
    assert_eq!(places(tile(14, 8_192, 12_000)), None);
}

#[test]
fn all_points_are_within_the_extent() {
    let Sample { inventory, places: all, display_points, place_points, .. } = sample();
    let extents = [display_points, place_points].map(|points| points.extent().expect("the layer has points"));
    let contains = |extent: &Extent, latitude: f64, longitude: f64| {
        (extent.south..=extent.north).contains(&latitude) && (extent.west..=extent.east).contains(&longitude)
    };
    for spot in inventory.indexes() {
        let position = inventory.position(spot);
        assert!(contains(&extents[0], position.latitude, position.longitude));
    }
    for place in all.indexes().map(|place| all.get(place)) {
        assert!(contains(&extents[1], place.latitude, place.longitude));
    }
}
