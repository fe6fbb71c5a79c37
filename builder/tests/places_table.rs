//! Tests the source table of the sample's places, and the errors for invalid rows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use builder::sample::places::{table, write};
use dataset::{Part, PlaceId, PlaceQuery, Places, RowCounts};
use flate2::Compression;
use flate2::write::GzEncoder;

const COLUMNS: [&str; 11] = [
    "place_name",
    "brand",
    "place_type",
    "street_address",
    "city",
    "state",
    "zip_code",
    "latitude",
    "longitude",
    "source",
    "size",
];

const ROW: [&str; 11] = [
    "Starbucks",
    "Brand",
    "Coffee Shop",
    "1 Main St",
    "Anchorage",
    "AK",
    "99501",
    "61.25",
    "-149.5",
    "locators-2024",
    "",
];

/// A temporary folder, which is deleted when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("builder-places-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("can create a temporary folder");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn table(&self, rows: &[[&str; 11]]) {
        fs::create_dir_all(self.0.join("places")).expect("a folder");
        let file = File::create(self.0.join("places/places.csv.gz")).expect("can create the file");
        let mut table = csv::Writer::from_writer(GzEncoder::new(file, Compression::fast()));
        for row in [COLUMNS].iter().chain(rows) {
            table.write_record(row).expect("can write the row");
        }
        table.into_inner().expect("can write the table").finish().expect("can write the table");
    }

    fn build(&self, data: &Path) -> Result<RowCounts, String> {
        let table = table(data).map_err(|error| error.to_string())?;
        write(&table, &self.0, &|_, _| None, &|_| String::new()).map_err(|error| error.to_string())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn source_table_is_converted_to_places() {
    let scratch = Scratch::new();
    let rows = scratch.build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")).unwrap();
    assert_eq!(rows, [("place_types".to_owned(), 31), ("places".to_owned(), 200_686)].into());
    let places = Places::open_file(&scratch.path().join(Part::Places.file())).unwrap();
    places.check(0).unwrap();
    assert_eq!(places.len(), 200_686);

    let place = places.get(places.find(PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501")).unwrap());
    assert_eq!(
        (place.name, place.brand, place.place_type),
        ("Taco Bell", Some("Taco Bell"), "Quick Service Restaurant")
    );
    assert_eq!((place.street_address, place.city), ("2351 E. 5th Ave", "Anchorage"));
    assert_eq!((place.state, place.zip_code, place.published_date), ("AK", "99501", "2024-11-30"));
    assert_eq!((place.latitude, place.longitude), (61.217_946, -149.835_981));

    for (name, street_address, zip_code, source, vintage) in [
        (
            "Target West Hollywood",
            "7100 Santa Monica Boulevard",
            "90046",
            "rrainn/PlaceCompile",
            "2022-04-30",
        ),
        ("77 St (6)", "", "10021", "MTA subway stations", "2026-04-30"),
        ("Merrill Field Airport (MRI)", "", "99501", "FAA airports", "2020-12-31"),
    ] {
        let found = places.find(PlaceId::of(name, street_address, zip_code)).expect(name);
        let from = places.source(found);
        assert!(from.name.contains(source) && from.vintage == vintage, "{name}: {from:?}");
        assert_eq!(places.get(found).published_date, vintage);
    }

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
fn invalid_row_stops_the_build() {
    let cases: [(&[(&str, &str)], &str); 14] = [
        (&[("place_name", " ")], "place_name is empty"),
        (&[("place_type", "")], "place_type is empty"),
        (&[("city", "")], "city is empty"),
        (&[("state", "ak")], "state \"ak\" is not two capital letters"),
        (&[("state", "Alaska")], "state \"Alaska\" is not two capital letters"),
        (&[("zip_code", "9950")], "zip_code \"9950\" is not 5 digits"),
        (&[("zip_code", "99501-1")], "zip_code \"99501-1\" is not 5 digits"),
        (&[("source", "web")], "source \"web\" is not a place source"),
        (&[("latitude", "90.5")], "latitude \"90.5\" is not a number from -90 to 90"),
        (&[("longitude", "-181")], "longitude \"-181\" is not a number from -180 to 180"),
        (&[("longitude", "NaN")], "longitude \"NaN\" is not a number from -180 to 180"),
        (&[("latitude", "north")], "latitude \"north\" is not a number from -90 to 90"),
        (&[("latitude", "")], "latitude \"\" is not a number from -90 to 90"),
        (
            &[("place_name", "STARBUCKS"), ("street_address", "1  main st")],
            "place_name, street_address, and zip_code are the same as on line 2",
        ),
    ];
    for (changes, expected) in cases {
        let mut row = ROW;
        row[3] = "2 Main St";
        for (column, text) in changes {
            row[COLUMNS.iter().position(|name| name == column).expect("a column")] = text;
        }
        let scratch = Scratch::new();
        scratch.table(&[ROW, row]);
        let error = scratch.build(scratch.path()).unwrap_err();
        assert_eq!(error, format!("places.csv.gz line 3: {expected}"), "{row:?}");
    }
}

#[test]
fn missing_table_or_column_stops_the_build() {
    let scratch = Scratch::new();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
    scratch.table(&[]);
    std::fs::write(scratch.path().join("places/places.csv.gz"), "place_name\nStarbucks\n").unwrap();
    assert!(scratch.build(scratch.path()).unwrap_err().contains("places.csv.gz: "));
}
