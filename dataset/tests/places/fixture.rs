//! Releases of a few places, in a folder of their own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use builder::build::places::{Surroundings, write};
use dataset::{FileEntry, Folder, GeographyIndex, MANIFEST, Manifest, Part, Places, ReleaseError};
use flate2::Compression;
use flate2::write::GzEncoder;

/// How many geographies there are: see [`surroundings`] and [`geography_name`].
pub(crate) const GEOGRAPHIES: usize = 40;

/// A row of the table of places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) brand: String,
    pub(crate) place_type: String,
    pub(crate) street_address: String,
    pub(crate) city: String,
    pub(crate) state: String,
    pub(crate) zip_code: String,
    pub(crate) latitude: String,
    pub(crate) longitude: String,
}

impl Row {
    /// A row that is right, but for what the test makes of it.
    pub(crate) fn new(name: &str, street_address: &str) -> Self {
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
        let Self { name, brand, place_type, street_address, city, state, zip_code, latitude, longitude } = self;
        [name, brand, place_type, street_address, city, state, zip_code, latitude, longitude].map(String::as_str)
    }
}

/// A folder that is removed when the test ends.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("dataset-places-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a writable folder for temporary files");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes the table of places.
    pub(crate) fn table(&self, rows: &[Row]) {
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
    pub(crate) fn build(&self, data: &Path) -> Result<BTreeMap<String, u64>, String> {
        write(data, &surroundings, &geography_name, &self.0.join(Part::Places.file()))
    }

    /// Opens what was built, as long as it is now.
    pub(crate) fn open(&self) -> Result<Places, ReleaseError> {
        let bytes = fs::metadata(self.0.join(Part::Places.file())).expect("a built file").len();
        let entry = FileEntry { bytes, sha256: String::new(), rows: BTreeMap::new() };
        let manifest = Manifest::new("test", [(Part::Places, entry)].into(), BTreeMap::new(), Vec::new());
        fs::write(self.0.join(MANIFEST), manifest.to_json()).expect("a writable folder");
        Places::open(&Folder::open(&self.0)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The places of a table.
pub(crate) fn places(rows: &[Row]) -> Places {
    let scratch = Scratch::new();
    scratch.table(rows);
    scratch.build(scratch.path()).expect("rows that are right");
    let places = scratch.open().expect("a whole file");
    places.check(GEOGRAPHIES).expect("a whole file");
    places
}

/// What a place lies in, so that some lie in nothing and all kinds divide the places in their own way.
pub(crate) fn surroundings(zip_code: &str, _latitude: f64, _longitude: f64) -> Surroundings {
    let number: u32 = zip_code.parse().expect("five digits");
    let of = |from: u32, count: u32| {
        Some(GeographyIndex::from_raw(from + number % count)).filter(|_| !number.is_multiple_of(count))
    };
    Surroundings { county: of(0, 10), cbsa: of(10, 7), dma: of(20, 5), zip: of(30, 3) }
}

/// The name of a geography; some differ only in case and accents, and are the same to a search.
pub(crate) fn geography_name(geography: GeographyIndex) -> String {
    let raw = geography.raw();
    format!("{} {}", ["Älpha", "ALPHA", "Gamma", "beta"][raw as usize % 4], raw % 3)
}
