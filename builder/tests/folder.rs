//! Tests folders of releases, and releases with altered files. An altered release is either rejected or
//! readable, and never causes a panic.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use builder::build::{Build, BuildError, Rejects, SourceList};
use dataset::inventory::{FieldSet, Inventory, InventoryQuery, SpotCounts};
use dataset::tiles::{self, Layer, LayerPoints, LayerSource, TileId, Visits};
use dataset::{
    Exposures, Folder, Geographies, IdKind, KnownIds, MANIFEST, Manifest, Maturity, Measures,
    NationalPopulation, Part, PlaceQuery, Places, Population, ReleaseError,
};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use ring::digest::{SHA256, digest};

fn files() -> impl Iterator<Item = &'static str> {
    Part::ALL.map(Part::file).into_iter().chain([MANIFEST])
}

/// A copy of the project's source data with only a few places.
static DATA: LazyLock<PathBuf> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let data = empty_folder("data");
    for folder in ["basemap", "geographies", "segments", "inventory"] {
        std::os::unix::fs::symlink(source.join(folder).canonicalize().expect("a folder"), data.join(folder))
            .expect("linked");
    }
    fs::create_dir(data.join("places")).expect("a folder");
    for file in
        ["release.toml", "places/place_types.toml", "places/brands.toml", "places/airport_enplanements.csv"]
    {
        fs::copy(source.join(file), data.join(file)).expect("can copy the file");
    }
    let mut table = String::new();
    let places = "places/places.csv.gz";
    GzDecoder::new(File::open(source.join(places)).expect("a table"))
        .read_to_string(&mut table)
        .expect("a table");
    let mut few = csv::Writer::from_writer(GzEncoder::new(
        File::create(data.join(places)).expect("can create the file"),
        Compression::fast(),
    ));
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    few.write_record(rows.headers().expect("a header")).expect("can write the table");
    rows.records()
        .step_by(1_500)
        .for_each(|row| few.write_record(&row.expect("valid row")).expect("can write the table"));
    few.into_inner().expect("can write the table").finish().expect("can write the table");
    data
});

/// A release with the sample, but only a few places.
static SMALL: LazyLock<Folder> = LazyLock::new(|| {
    build(&DATA.join("release.toml"), &empty_folder("small")).expect("can build the sample")
});

fn build(list: &Path, releases: &Path) -> Result<Folder, BuildError> {
    let build = Build {
        list: &SourceList::read(list, &DATA)?,
        data: &DATA,
        releases,
        cache: &Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
        against: None,
        accepted: &[],
        today: "2026-11-24",
        progress: &|_, _, _| {},
    };
    builder::build::build(build, &mut Rejects::default()).map(|built| built.folder)
}

/// Builds a release that contains only a place with the given name, without the sample's records.
fn build_place(name: &str, releases: &Path) -> Result<Folder, BuildError> {
    // The first build computes the parts that all releases share, so run it first.
    LazyLock::force(&SMALL);
    let folder = empty_folder(&format!("list-{name}"));
    let list =
        "label = \"own\"\n[[places]]\nsource = \"Example\"\nvintage = 2026-07-01\nfiles = [\"a.csv\"]\n";
    let rows = format!("place_name,place_type,latitude,longitude\n{name},Bank,40.7,-73.9\n");
    fs::write(folder.join("a.csv"), rows).expect("can write the file");
    fs::write(folder.join("release.toml"), list).expect("can write the file");
    build(&folder.join("release.toml"), releases)
}

/// Returns the names of a folder's entries, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a UTF-8 name"))
        .collect();
    names.sort();
    names
}

#[test]
fn each_build_adds_a_release_and_points_latest_to_it() {
    let releases = empty_folder("releases");
    let one = build_place("one", &releases).expect("a release");
    let before = fs::read(one.path().join(MANIFEST)).expect("a manifest");
    let other = build_place("other", &releases).expect("a release");
    let [one_name, other_name] = [&one, &other].map(|release| release.manifest().name.clone());
    let mut expected = vec!["latest".to_owned(), one_name.clone(), other_name.clone()];
    expected.sort();
    assert_eq!(names(&releases), expected);
    assert_eq!(one.path(), releases.join(&one_name));
    let latest = || fs::read_link(releases.join("latest")).expect("a link");
    assert_eq!(latest(), Path::new(&other_name));
    assert_eq!(fs::read(one.path().join(MANIFEST)).expect("a manifest"), before);

    assert!(build_place("", &releases).is_err(), "a place without a name");
    assert_eq!((names(&releases), latest()), (expected, PathBuf::from(other_name)));

    build_place("one", &releases).expect("a release");
    assert_eq!(latest(), Path::new(&one_name));
}

#[test]
fn intact_release_of_the_same_name_stays_and_a_damaged_one_is_written_again() {
    let releases = empty_folder("same-name");
    let release = build_place("same", &releases).expect("a release");
    let mark = release.path().join("mark");
    fs::write(&mark, "").expect("can write the file");
    build_place("same", &releases).expect("a release");
    assert!(mark.exists());

    fs::write(release.file(Part::Inventory), "damaged").expect("can write the file");
    let again = build_place("same", &releases).expect("a release");
    assert_eq!(again.manifest(), release.manifest());
    assert!(!mark.exists());
    assert_eq!(use_all(again.path()), Ok(()));
}

#[test]
fn folders_of_killed_builds_are_deleted() {
    let releases = empty_folder("killed");
    let incomplete = |name: &str| {
        let folder = releases.join(name);
        fs::create_dir(&folder).expect("a folder");
        File::create(folder.join("lock")).expect("can create the file")
    };
    incomplete(".incomplete-1-0");
    let lock = incomplete(".incomplete-1-1");
    lock.lock().expect("a lock");
    let release = build_place("killed", &releases).expect("a release");
    assert_eq!(names(&releases), [".incomplete-1-1", "latest", &release.manifest().name]);
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Copies the release and replaces one file.
fn with(name: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let folder = empty_folder(name);
    for other in files().filter(|other| *other != file) {
        fs::hard_link(SMALL.path().join(other), folder.join(other)).expect("can link the file");
    }
    fs::write(folder.join(file), bytes).expect("can write the file");
    folder
}

fn bytes_of(file: &str) -> Vec<u8> {
    fs::read(SMALL.path().join(file)).expect("can read the file")
}

/// Verifies a release folder. If it's valid, reads data from every part.
fn use_all(path: &Path) -> Result<(), ReleaseError> {
    let folder = Folder::open(path)?;
    folder.verify(&Part::ALL)?;
    dataset::check(&folder)?;
    let (geographies, population) = (Geographies::open(&folder)?, Population::open(&folder)?);
    let (places, measures) = (Places::open(&folder)?, Measures::open(&folder)?);
    assert!(geographies.len() > 0 && population.segments().count() > 0);
    places.search(&PlaceQuery {
        place_name: Some("starbukcs".to_owned()),
        take: 10,
        ..PlaceQuery::default()
    });
    for place in measures.ids() {
        measures.get(place)?;
    }
    let inventory = Inventory::open(&folder)?;
    inventory.search(&InventoryQuery { search: Some("broadw".to_owned()), ..InventoryQuery::default() });
    for spot in inventory.indexes() {
        inventory.record(spot, FieldSet::ALL);
    }
    SpotCounts::open(&folder)?.of(geographies.nation());
    let exposures = Exposures::open(&folder)?;
    assert!(inventory.indexes().all(|spot| exposures.find(inventory.id(spot)).is_some()));
    KnownIds::open(&folder)?.lacks(IdKind::Display, "1");
    let nation = NationalPopulation::open(&folder)?;
    assert!(population.segments().all(|segment| nation.share(segment.index) <= 1.0));
    for layer in [Layer::Faces, Layer::Places] {
        let points = LayerPoints::open(&folder, layer)?;
        // Tiles that contain the world, the eastern United States, and Times Square.
        for (zoom, x, y) in [(0, 0, 0), (4, 4, 6), (14, 4_824, 6_157)] {
            points.tile(TileId::new(zoom, x, y).expect("valid tile ID"), Visits::Included);
        }
    }
    // A manifest with the same label and the same files is valid.
    let manifest = folder.manifest();
    let next = Manifest::new(manifest.label(), manifest.files.clone(), BTreeMap::new(), Vec::new());
    assert!(Manifest::parse(next.to_json().as_bytes()).is_ok(), "{}", next.name);
    Ok(())
}

fn use_without_panic(path: &Path) -> Result<Result<(), ReleaseError>, TestCaseError> {
    catch_unwind(|| use_all(path)).map_err(|_| TestCaseError::fail("using the folder panicked"))
}

/// Generates replacement values for a manifest: numbers, strings, lists, and objects.
fn garbage() -> impl Strategy<Value = serde_json::Value> {
    let values = [
        "0",
        "1",
        "-1",
        "1e999",
        "18446744073709551615",
        "18446744073709551616",
        "68719476737",
        "\"\"",
        "\"..\"",
        "\"a/b\"",
        "\"sample-0\"",
        "\"\\u0000\"",
        "null",
        "[]",
        "{}",
        "true",
        "[[[[]]]]",
    ];
    prop::sample::select(values.to_vec())
        .prop_map(|text| serde_json::from_str(text).unwrap_or_else(|_| text.into()))
}

/// Replaces a value in a manifest. Each number in `way` selects a member or an item at the next nesting
/// level.
fn replace(value: &mut serde_json::Value, way: &[usize], by: serde_json::Value) {
    let Some((step, way)) = way.split_first() else {
        *value = by;
        return;
    };
    let next = match value {
        serde_json::Value::Object(members) if !members.is_empty() => {
            let at = step % members.len();
            members.iter_mut().nth(at).map(|(_, member)| member)
        }
        serde_json::Value::Array(items) if !items.is_empty() => {
            let at = step % items.len();
            items.get_mut(at)
        }
        _ => None,
    };
    match next {
        Some(next) => replace(next, way, by),
        None => *value = by,
    }
}

#[test]
fn unaltered_release_is_usable() {
    assert_eq!(use_all(SMALL.path()), Ok(()));
}

#[test]
fn release_names_contain_only_characters_that_buckets_allow() {
    let parsed = |manifest: &Manifest| Manifest::parse(manifest.to_json().as_bytes());
    for label in ["sample", "us_2026.07-0a", "A"] {
        let manifest = Manifest::new(label, BTreeMap::new(), BTreeMap::new(), Vec::new());
        assert_eq!(parsed(&manifest).as_ref().map(Manifest::label), Ok(label));
    }
    let named = |name: &str| parsed(&Manifest { name: name.to_owned(), ..SMALL.manifest().clone() });
    for name in ["", ".", "..", ".hidden", "a/b", "a b", "é", "a\0", &"a".repeat(201)] {
        let error = named(name).expect_err(name).to_string();
        assert!(
            error.starts_with(MANIFEST) && error.contains("a name may contain only letters, digits"),
            "{error}"
        );
    }
}

#[test]
fn manifest_that_was_altered_after_it_was_named_is_rejected() {
    type Alter = fn(&mut Manifest);
    let cases: [(&str, Alter); 8] = [
        ("label", |manifest| manifest.name = manifest.name.replace("sample", "other")),
        ("digest", |manifest| manifest.name = format!("sample-{}", "0".repeat(32))),
        ("shortened digest", |manifest| manifest.name.truncate("sample-".len() + 12)),
        ("no digest", |manifest| manifest.name.truncate("sample".len())),
        ("maturity", |manifest| manifest.maturity = Maturity::Production),
        ("file", |manifest| manifest.files.values_mut().for_each(|file| file.sha256 = "0".repeat(64))),
        ("figures", |manifest| drop(manifest.provenance.pop_first())),
        ("source", |manifest| manifest.sources[0].licence.push('.')),
    ];
    for (what, alter) in cases {
        let mut manifest = SMALL.manifest().clone();
        alter(&mut manifest);
        let error = Manifest::parse(manifest.to_json().as_bytes()).expect_err(what).to_string();
        let said = format!(
            "{MANIFEST}: does not match the release's name: the release is named \"{}\"",
            manifest.name
        );
        assert!(error.starts_with(&said), "{what}: {error}");
    }
}

/// Returns a manifest with the name derived from its content.
fn named_again(altered: Manifest) -> Manifest {
    let label = altered.label().to_owned();
    Manifest::new(&label, altered.files, altered.provenance, altered.sources)
}

/// Copies the release and replaces one part and its digest and size in the manifest.
fn with_sum(name: &str, part: Part, bytes: &[u8]) -> PathBuf {
    let folder = with(name, part.file(), bytes);
    let mut manifest = SMALL.manifest().clone();
    let entry = manifest.files.get_mut(&part).expect("the manifest lists the part");
    entry.sha256 = hex::encode(digest(&SHA256, bytes));
    entry.bytes = bytes.len() as u64;
    fs::remove_file(folder.join(MANIFEST)).expect("can remove the link");
    fs::write(folder.join(MANIFEST), named_again(manifest).to_json()).expect("can write the file");
    folder
}

#[test]
fn tiles_that_do_not_match_their_source_parts_are_rejected() {
    let other = builder::synthesize(&SMALL, 50, 1, &empty_folder("other"), &|_, _, _| ())
        .expect("can generate an inventory");
    let displays = fs::read(other.file(Part::DisplayTiles)).expect("can read the file");
    let error = use_all(&with_sum("other-displays", Part::DisplayTiles, &displays)).expect_err("a mismatch");
    assert_eq!(error.to_string(), "display_tiles.bin: does not match the parts that it is derived from");
}

#[test]
fn single_flipped_bit_in_tiles_is_detected() {
    let inventory = Inventory::open(&SMALL).expect("the release is complete");
    let (places, measures) = (Places::open(&SMALL), Measures::open(&SMALL));
    let (places, measures) =
        (places.expect("the release is complete"), measures.expect("the release is complete"));
    for source in [LayerSource::Faces(&inventory), LayerSource::Places(&places, &measures)] {
        let part = source.layer().part();
        assert_eq!(tiles::check(&SMALL, source), Ok(()));
        let whole = bytes_of(part.file());
        for at in (0..whole.len()).step_by(whole.len() / 300 + 1) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            let altered = Folder::open(&with_sum("flipped-bit", part, &bytes)).expect("valid manifest");
            let error = tiles::check(&altered, source).expect_err("a bit differs");
            assert_eq!(error.file(), part.file());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_return_an_error_with_the_file_name(
        file in prop::sample::select(Part::ALL.map(Part::file).to_vec()),
        flips in prop::collection::btree_map(0..1_000_usize, 1..=u8::MAX, 1..20),
    ) {
        let mut bytes = bytes_of(file);
        let length = bytes.len();
        flips.into_iter().for_each(|(part, bits)| bytes[part * length / 1_000] ^= bits);
        let error = use_without_panic(&with("flipped", file, &bytes))?.expect_err("the digest differs");
        prop_assert_eq!(error.file(), file);
    }

    #[test]
    fn corrupted_manifest_never_panics(
        flips in prop::collection::vec((0.0..1.0, any::<u8>()), 0..4),
        members in prop::collection::vec((prop::collection::vec(any::<usize>(), 0..5), garbage()), 0..3),
    ) {
        let mut manifest = serde_json::from_slice(&bytes_of(MANIFEST)).expect("the manifest is JSON");
        members.into_iter().for_each(|(way, by)| replace(&mut manifest, &way, by));
        let mut bytes = match serde_json::from_value(manifest.clone()) {
            Ok(altered) => named_again(altered).to_json().into_bytes(),
            Err(_) => manifest.to_string().into_bytes(),
        };
        for (at, byte) in flips {
            let at = (at * bytes.len() as f64) as usize;
            bytes[at] = byte;
        }
        let _ = use_without_panic(&with("manifest", MANIFEST, &bytes))?;
    }
}
