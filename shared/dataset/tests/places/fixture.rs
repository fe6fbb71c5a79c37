//! Writes small releases with places to temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use dataset::places::{NewPlace, write, write_visits};
use dataset::{
    FileEntry, Folder, GeographyIndex, Glance, MANIFEST, Manifest, Part, PlaceId, Places, Position,
    RecordSource, ReleaseError, VisitsByPlace,
};

/// The number of geographies that places can refer to, which is more than [`Row::written`] uses.
pub(crate) const GEOGRAPHIES: usize = 40;

/// The properties of a place that tests can set.
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
    /// Creates a row with default values for all other properties.
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

    /// Converts the row to a place. Its geographies depend on the ZIP code. Each type of geography groups the
    /// places differently, and some places don't have a geography of each type.
    fn written(&self) -> NewPlace {
        let number: u32 = self.zip_code.parse().expect("the ZIP code has five digits");
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
            register_id: String::new(),
            county: of(0, 10),
            cbsa: of(10, 7),
            dma: of(20, 5),
            zip: of(30, 3),
            source: RecordSource { name: self.brand.clone(), vintage: "2024-11-30".to_owned() },
        }
    }
}

/// A temporary folder that's deleted when the value is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("dataset-places-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a places file from rows.
    pub(crate) fn write(&self, rows: &[Row]) {
        let places = rows.iter().map(Row::written).collect();
        write(&self.0, places, &geography_name).expect("valid places");
    }

    /// Writes a manifest with the current size of the places file and opens the places.
    pub(crate) fn open(&self) -> Result<Places, ReleaseError> {
        let bytes = fs::metadata(self.0.join(Part::Places.file())).expect("written").len();
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

/// Writes and opens the given places, and checks their geographies.
pub(crate) fn places(rows: &[Row]) -> Places {
    let scratch = Scratch::new();
    scratch.write(rows);
    let places = scratch.open().expect("the file is complete");
    places.check(GEOGRAPHIES).expect("the places are consistent");
    places
}

/// Writes and opens the visits to places.
pub(crate) fn visits(places: &Places, counts: &BTreeMap<PlaceId, u32>) -> VisitsByPlace {
    let scratch = Scratch::new();
    let record = |id| counts.get(&id).map(|visits| Glance { visits: *visits, modelled: false });
    write_visits(scratch.path(), places, record).expect("a folder");
    VisitsByPlace::open_file(&scratch.path().join(Part::Visits.file())).expect("the file is complete")
}

/// Returns the name of a geography. Some names differ only in case and accents, which sorting ignores.
pub(crate) fn geography_name(geography: GeographyIndex) -> String {
    let raw = geography.raw();
    format!("{} {}", ["Älpha", "ALPHA", "Gamma", "beta"][raw as usize % 4], raw % 3)
}
