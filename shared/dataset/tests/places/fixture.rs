//! Releases of a few places, in a folder of their own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use dataset::places::{NewPlace, write};
use dataset::{
    FileEntry, Folder, GeographyIndex, MANIFEST, Manifest, Part, PlaceId, Places, Position, RecordSource,
    ReleaseError,
};

/// How many geographies there are: see [`Row::written`] and [`geography_name`].
pub(crate) const GEOGRAPHIES: usize = 40;

/// What a test says of a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) brand: String,
    pub(crate) place_type: String,
    pub(crate) street_address: String,
    pub(crate) city: String,
    pub(crate) state: String,
    pub(crate) zip_code: String,
    pub(crate) position: Position,
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
            position: Position { latitude: 61.25, longitude: -149.5 },
        }
    }

    /// The place as it is written. What it lies in depends on its ZIP code, so that some lie in nothing and
    /// all kinds divide the places in their own way.
    fn written(&self) -> NewPlace {
        let number: u32 = self.zip_code.parse().expect("five digits");
        let of = |from: u32, count: u32| {
            Some(GeographyIndex::from_raw(from + number % count)).filter(|_| !number.is_multiple_of(count))
        };
        NewPlace {
            id: PlaceId::of(&self.name, &self.street_address, &self.zip_code),
            name: self.name.clone(),
            brand: self.brand.clone(),
            place_type: self.place_type.clone(),
            street_address: self.street_address.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            zip_code: self.zip_code.clone(),
            position: self.position,
            published_date: "2024-11-30".to_owned(),
            county: of(0, 10),
            cbsa: of(10, 7),
            dma: of(20, 5),
            zip: of(30, 3),
            source: RecordSource { name: self.brand.clone(), vintage: "2024-11-30".to_owned() },
        }
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

    /// Writes the places of rows.
    pub(crate) fn write(&self, rows: &[Row]) {
        let places = rows.iter().map(Row::written).collect();
        write(&self.0, places, &geography_name).expect("places that are right");
    }

    /// Opens what was written, as long as it is now.
    pub(crate) fn open(&self) -> Result<Places, ReleaseError> {
        let bytes = fs::metadata(self.0.join(Part::Places.file())).expect("a written file").len();
        let entry = FileEntry { bytes, sha256: String::new(), rows: BTreeMap::new() };
        let manifest = Manifest::new("test", [(Part::Places, entry)].into(), BTreeMap::new(), Vec::new());
        fs::write(self.0.join(MANIFEST), manifest.to_json()).expect("a folder");
        Places::open(&Folder::open(&self.0)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The places of rows.
pub(crate) fn places(rows: &[Row]) -> Places {
    let scratch = Scratch::new();
    scratch.write(rows);
    let places = scratch.open().expect("a whole file");
    places.check(GEOGRAPHIES).expect("a whole file");
    places
}

/// The name of a geography; some differ only in case and accents, and are the same to a search.
pub(crate) fn geography_name(geography: GeographyIndex) -> String {
    let raw = geography.raw();
    format!("{} {}", ["Älpha", "ALPHA", "Gamma", "beta"][raw as usize % 4], raw % 3)
}
