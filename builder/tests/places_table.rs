//! The table of the sample's places, and what is said of rows of it that cannot be right.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use builder::sample::places::{Surroundings, write};
use dataset::{Part, PlaceId, PlaceQuery, Places, RowCounts};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A row of the table of places.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    name: String,
    brand: String,
    place_type: String,
    street_address: String,
    city: String,
    state: String,
    zip_code: String,
    latitude: String,
    longitude: String,
}

impl Row {
    /// A row that is right, but for what the test makes of it.
    fn new(name: &str, street_address: &str) -> Self {
        Self {
            name: name.to_owned(),
            brand: "Brand".to_owned(),
            place_type: "Coffee Shop".to_owned(),
            street_address: street_address.to_owned(),
            city: "Anchorage".to_owned(),
            state: "AK".to_owned(),
            zip_code: "99501".to_owned(),
            latitude: "61.25".to_owned(),
            longitude: "-149.5".to_owned(),
        }
    }

    fn fields(&self) -> [&str; 9] {
        let Self { name, brand, place_type, street_address, city, state, zip_code, latitude, longitude } =
            self;
        [name, brand, place_type, street_address, city, state, zip_code, latitude, longitude]
            .map(String::as_str)
    }
}

/// A folder that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("builder-places-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a writable folder for temporary files");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// Writes the table of places.
    fn table(&self, rows: &[Row]) {
        fs::create_dir_all(self.0.join("places")).expect("a writable folder");
        let file = File::create(self.0.join("places/places.csv.gz")).expect("a writable folder");
        let mut table = csv::Writer::from_writer(GzEncoder::new(file, Compression::fast()));
        let columns = "place_name,brand,place_type,street_address,city,state,zip_code,latitude,longitude";
        table.write_record(columns.split(',')).expect("a written line");
        for row in rows {
            table.write_record(row.fields()).expect("a written line");
        }
        table.into_inner().expect("written lines").finish().expect("a whole file");
    }

    /// Builds the places from a folder of tables.
    fn build(&self, data: &Path) -> Result<RowCounts, String> {
        let nowhere = |_: &str, _| Surroundings::default();
        write(data, &self.0, &nowhere, &|_| String::new()).map_err(|error| error.to_string())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_projects_own_table_becomes_places() {
    let scratch = Scratch::new();
    let rows = scratch.build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")).unwrap();
    assert_eq!(rows, [("place_types".to_owned(), 14), ("places".to_owned(), 99_271)].into());
    let places = Places::open_file(&scratch.path().join(Part::Places.file())).unwrap();
    places.check(0).unwrap();
    assert_eq!(places.len(), 99_271);

    let place = places.get(places.find(PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501")).unwrap());
    assert_eq!(
        (place.name, place.brand, place.place_type),
        ("Taco Bell", "Taco Bell", "Quick Service Restaurant")
    );
    assert_eq!((place.street_address, place.city), ("2351 E. 5th Ave", "Anchorage"));
    assert_eq!((place.state, place.zip_code, place.published_date), ("AK", "99501", "2024-11-30"));
    assert_eq!((place.latitude, place.longitude), (61.217_946, -149.835_981));

    let filter = |text: &str| Some(text.to_owned());
    let query = PlaceQuery {
        place_name: filter("taco bel"),
        city: filter("anchorage"),
        take: 50,
        ..PlaceQuery::default()
    };
    let found = places.search(&query);
    assert!(found.places.iter().any(|index| places.get(*index) == place), "{found:?}");
}

#[test]
fn a_row_that_cannot_be_right_stops_the_build() {
    let of = |text: &str| text.to_owned();
    let right = || Row::new("Starbucks", "2 Main St");
    let cases = [
        (Row { name: of(" "), ..right() }, "place_name: is empty"),
        (Row { place_type: of(""), ..right() }, "place_type: is empty"),
        (Row { city: of(""), ..right() }, "city: is empty"),
        (Row { state: of("ak"), ..right() }, "state \"ak\": expected two capital letters"),
        (Row { state: of("Alaska"), ..right() }, "state \"Alaska\": expected two capital letters"),
        (Row { zip_code: of("9950"), ..right() }, "zip_code \"9950\": expected five digits"),
        (Row { zip_code: of("99501-1"), ..right() }, "zip_code \"99501-1\": expected five digits"),
        (Row { latitude: of("90.5"), ..right() }, "latitude 90.5: expected -90 to 90"),
        (Row { longitude: of("-181"), ..right() }, "longitude -181: expected -180 to 180"),
        (Row { longitude: of("NaN"), ..right() }, "longitude NaN: expected -180 to 180"),
        (Row { latitude: of("north"), ..right() }, "latitude: invalid float literal"),
        (Row { latitude: of(""), ..right() }, "latitude: "),
        (Row::new("STARBUCKS", "1  main st"), "place_name, street_address and zip_code are those of line 2"),
    ];
    for (row, expected) in cases {
        let scratch = Scratch::new();
        scratch.table(&[Row::new("Starbucks", "1 Main St"), row.clone()]);
        let error = scratch.build(scratch.path()).unwrap_err();
        assert!(error.contains(&format!("places.csv.gz: line 3: {expected}")), "{row:?}: {error}");
    }
}

#[test]
fn a_table_that_is_missing_or_of_other_columns_stops_the_build() {
    let scratch = Scratch::new();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
    scratch.table(&[]);
    std::fs::write(scratch.path().join("places/places.csv.gz"), "place_name\nStarbucks\n").unwrap();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
}
