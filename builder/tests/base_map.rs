//! Tests the base map's tiles, using an independent decoder, and the gazetteer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use builder::sample::{base_map, population};
use dataset::tiles::TileId;
use dataset::{BaseMap, Geographies, GeographyType, Part};
use flate2::read::GzDecoder;
use geo_types::Geometry;
use mvt_reader::Reader;
use mvt_reader::feature::{Feature, Value};

/// A tile's layers and their features.
type Layers = BTreeMap<String, Vec<Feature<i32>>>;

const EXTENT: i32 = 4_096;
const BUFFER: i32 = 64;

/// The tile at zoom level 8 that contains New York.
const NEW_YORK: [u32; 3] = [8, 75, 96];

/// The base map and the geographies of the sample.
fn sample() -> &'static (BaseMap, Geographies) {
    static SAMPLE: OnceLock<(BaseMap, Geographies)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("builder-base-map-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("can create a temporary folder");
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        base_map::write(&data, &folder).expect("valid source data");
        population::write(&data, &folder, &|_, _, _| {}).expect("valid source data");
        let file = |part: Part| folder.join(part.file());
        let bytes = fs::metadata(file(Part::BaseMap)).expect("the file was just written").len();
        assert!(bytes < 6_000_000, "the base map has {bytes} bytes");
        let map = BaseMap::open_file(&file(Part::BaseMap)).expect("the file was just written");
        let geographies =
            Geographies::open_file(&file(Part::Geographies)).expect("the file was just written");
        // Open parts can still be read after the folder is removed.
        fs::remove_dir_all(&folder).expect("can remove the folder");
        (map, geographies)
    })
}

fn layers([zoom, x, y]: [u32; 3]) -> Option<Layers> {
    let tile = TileId::new(zoom.try_into().expect("a zoom level"), x, y).expect("the tile exists");
    let reader = Reader::new(decompressed(sample().0.tile(tile)?)).expect("a valid tile");
    let metadata = reader.get_layer_metadata().expect("the tile has layers");
    let features = |at| reader.get_features_as::<i32>(at).expect("the layer has features");
    Some(metadata.into_iter().map(|layer| (layer.name, features(layer.layer_index))).collect())
}

fn decompressed(content: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(content).read_to_end(&mut plain).expect("compressed content");
    plain
}

fn attribute<'a>(feature: &'a Feature<i32>, name: &str) -> Option<&'a Value> {
    feature.properties.as_ref().expect("the feature has attributes").get(name)
}

fn text<'a>(feature: &'a Feature<i32>, name: &str) -> &'a str {
    match attribute(feature, name) {
        Some(Value::String(text)) => text,
        other => panic!("{name}: {other:?}"),
    }
}

/// Returns the values of the `kind` attribute in a tile's layer.
fn kinds<'a>(layers: &'a Layers, layer: &str) -> BTreeSet<&'a str> {
    layers.get(layer).into_iter().flatten().map(|feature| text(feature, "kind")).collect()
}

/// Returns the gazetteer's names that start with a normalized prefix, in order.
fn suggestions(prefix: &str) -> Vec<(String, String, String)> {
    let names = sample().0.names(&prefix[..1]).expect("names with this initial");
    let names: Vec<serde_json::Value> = serde_json::from_slice(&decompressed(names)).expect("valid JSON");
    let text = |name: &serde_json::Value, member: &str| name[member].as_str().expect("a text").to_owned();
    let suggested = names.iter().filter(|name| dataset::normalize(&text(name, "name")).starts_with(prefix));
    suggested.map(|name| (text(name, "kind"), text(name, "name"), text(name, "state"))).collect()
}

#[test]
fn tile_shows_what_its_zoom_level_has_space_for() {
    for (tile, boundaries, places) in [
        ([0, 0, 0], &["country"][..], &[][..]),
        ([4, 3, 6], &["country", "state"], &["city", "state"]),
        ([7, 37, 48], &["county", "state"], &["city", "county", "state"]),
        (NEW_YORK, &["county", "state"], &["borough", "city", "county", "neighborhood"]),
    ] {
        let layers = layers(tile).expect("the tile has content");
        assert!(kinds(&layers, "boundaries").into_iter().eq(boundaries.iter().copied()), "{tile:?}");
        assert!(
            kinds(&layers, "places").into_iter().eq(places.iter().copied()),
            "{tile:?} {:?}",
            kinds(&layers, "places")
        );
        assert!(kinds(&layers, "water").contains("ocean") && !layers["land"].is_empty(), "{tile:?}");
    }
}

#[test]
fn names_come_with_their_population_and_the_largest_first() {
    let layers = layers(NEW_YORK).expect("the tile has content");
    let populations: Vec<u64> = layers["places"]
        .iter()
        .filter_map(|place| match attribute(place, "population") {
            Some(Value::UInt(population)) => Some(*population),
            None => None,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(populations.is_sorted_by(|one, other| one >= other), "{populations:?}");
    let named = |name: &str| layers["places"].iter().find(|place| text(place, "name") == name);
    for (name, has_population) in [("Brooklyn", true), ("Newark", true), ("Yorkville, Manhattan", false)] {
        let place = named(name).unwrap_or_else(|| panic!("{name} is on the map"));
        assert_eq!(attribute(place, "population").is_some(), has_population, "{name}");
    }
    assert!(layers["urban_areas"].iter().any(|area| text(area, "name") == "New York"));
}

#[test]
fn shapes_are_within_their_tile_and_its_buffer() {
    let range = -BUFFER..=EXTENT + BUFFER;
    for x in 60..80 {
        for (layer, features) in layers([8, x, 96]).expect("the tile has content") {
            for feature in features {
                let lines: Vec<_> = match feature.get_geometry() {
                    Geometry::MultiPolygon(polygons) => {
                        polygons.iter().map(|one| one.exterior().clone()).collect()
                    }
                    Geometry::Polygon(polygon) => vec![polygon.exterior().clone()],
                    Geometry::MultiLineString(lines) => lines.0.clone(),
                    Geometry::LineString(line) => vec![line.clone()],
                    _ => continue,
                };
                for point in lines.iter().flat_map(|line| &line.0) {
                    assert!(
                        range.contains(&point.x) && range.contains(&point.y),
                        "{layer} 8/{x}/96 {point:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn map_is_empty_outside_the_area_of_its_sources() {
    // Europe and Antarctica.
    assert!(layers([4, 8, 5]).is_none());
    assert!(layers([2, 1, 3]).is_none());
}

#[test]
fn prefix_finds_names_with_the_largest_population_first() {
    for (prefix, kind, name, state) in [
        ("brook", "borough", "Brooklyn", "NY"),
        ("los ang", "county", "Los Angeles County", "CA"),
        ("los angeles", "county", "Los Angeles County", "CA"),
        ("new", "state", "New York", "NY"),
        ("dona an", "county", "Doña Ana County", "NM"),
        ("yorkv", "city", "Yorkville", "IL"),
        ("9410", "zip_code", "94102 San Francisco", "CA"),
    ] {
        let expected = (kind.to_owned(), name.to_owned(), state.to_owned());
        assert_eq!(suggestions(prefix).first(), Some(&expected), "{prefix}");
    }
    let all = |prefix| suggestions(prefix).into_iter().map(|(kind, ..)| kind).collect::<BTreeSet<_>>();
    assert!(all("yorkville").contains("neighborhood"));
    assert!(sample().0.names("").is_none() && sample().0.names("B").is_none());
}

#[test]
fn gazetteer_has_the_states_counties_and_zip_codes_of_the_release_with_the_same_population() {
    let (map, geographies) = sample();
    let mut populations = BTreeMap::new();
    for initial in ('0'..='9').chain('a'..='z') {
        let Some(names) = map.names(&initial.to_string()) else { continue };
        let names: Vec<serde_json::Value> = serde_json::from_slice(&decompressed(names)).expect("valid JSON");
        for name in names {
            let text = |member: &str| name[member].as_str().expect("a text").to_owned();
            populations.insert((text("kind"), text("name"), text("state")), name["population"].as_u64());
        }
    }
    let state_code = |name: &str| {
        populations
            .keys()
            .find(|(kind, other, _)| kind == "state" && other == name)
            .map(|(.., code)| code.clone())
    };
    for state in geographies.of_type(GeographyType::State).map(|index| geographies.get(index)) {
        let code = state_code(state.name).unwrap_or_else(|| panic!("{} is in the gazetteer", state.name));
        let found = populations[&("state".to_owned(), state.name.to_owned(), code)];
        assert_eq!(found, Some(state.population.into()), "{}", state.name);
    }
    for county in geographies.of_type(GeographyType::County).map(|index| geographies.get(index)) {
        let (name, state) = county.name.rsplit_once(", ").expect("a state");
        let found = populations[&("county".to_owned(), name.to_owned(), state.to_owned())];
        assert_eq!(found, Some(county.population.into()), "{}", county.name);
    }
    let zip_codes = populations.keys().filter(|(kind, ..)| kind == "zip_code").count();
    assert_eq!(zip_codes, geographies.count(GeographyType::Zip));
}
