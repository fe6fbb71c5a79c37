//! Writes small inventories to temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use dataset::inventory::{Inventory, InventoryWriter, Record};
use dataset::{
    FileEntry, Folder, Geographies, Geography, MANIFEST, Manifest, Part, RecordSource, ReleaseError,
};
use serde_json::Value;

/// A temporary folder that's deleted when the value is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("dataset-inventory-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes an inventory file with the records in the given order.
    pub(crate) fn write<'a>(&self, records: impl IntoIterator<Item = &'a Value>) {
        let mut writer = InventoryWriter::default();
        for record in records {
            let record: Record<'static> = serde_json::from_value(record.clone()).expect("valid record");
            let name = record.operator().unwrap_or("Example Outdoor").to_owned();
            let source = RecordSource { name, vintage: "2026-06-30".to_owned() };
            writer.push(&record, &source);
        }
        writer.write(&self.0, geographies()).expect("a folder");
    }

    /// Writes a manifest with the current size of the inventory file and opens the inventory.
    pub(crate) fn open(&self) -> Result<Inventory, ReleaseError> {
        let bytes = fs::metadata(self.0.join(Part::Inventory.file())).expect("written").len();
        let entry = FileEntry { bytes, sha256: String::new(), rows: BTreeMap::new() };
        let manifest = Manifest::new("test", [(Part::Inventory, entry)].into(), BTreeMap::new(), Vec::new());
        fs::write(self.0.join(MANIFEST), manifest.to_json()).expect("a folder");
        Inventory::open(&Folder::open(&self.0)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes and opens an inventory with the given records.
pub(crate) fn inventory(records: &[Value]) -> Inventory {
    let scratch = Scratch::new();
    scratch.write(records);
    scratch.open().expect("the file is complete")
}

/// Returns a table that contains only the nation, because these tests don't need other geographies.
fn geographies() -> &'static Geographies {
    static NATION: OnceLock<Geographies> = OnceLock::new();
    NATION.get_or_init(|| {
        let scratch = Scratch::new();
        let nation = Geography {
            id: "XX2020NATNUS".parse().expect("valid id"),
            name: "United States",
            population: 0,
            households: 0,
            position: None,
            state: None,
            county: None,
            cbsa: None,
            dma: None,
        };
        dataset::geographies::write(scratch.path(), std::iter::once(nation)).expect("a folder");
        Geographies::open_file(&scratch.path().join(Part::Geographies.file())).expect("a whole file")
    })
}
