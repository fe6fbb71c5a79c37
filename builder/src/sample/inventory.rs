//! Makes the inventory of a release from the tables of two cities, by the column maps that lie beside them.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::inventory::{InventoryWriter, Record};
use dataset::{Geographies, Part, Progress, RowCounts};

use super::error::SampleError;
use super::every_member::with_every_member;
use crate::import::inventory::{RowSink, Setup, TARGETS, Taken, read};
use crate::import::{ColumnMap, Locator};

/// The tables and their maps, within the folder of all tables.
const TABLES: [(&str, &str); 2] = [
    ("inventory/linknyc_kiosks.csv", "inventory/linknyc.toml"),
    ("inventory/sf_general_advertising_signs.csv", "inventory/sf_signs.toml"),
];

/// Reads the tables and writes the inventory; returns how many rows of each kind each part has.
///
/// # Errors
///
/// The first row that would not be accepted, with its line and reasons; or what is wrong with a table, a map
/// or the folder.
pub(super) fn write(
    data: &Path,
    out: &Path,
    geographies: &Geographies,
    locator: &Locator,
    progress: Progress<'_>,
) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
    let mut writer = InventoryWriter::default();
    let mut taken = Taken::by(None);
    for (table, map) in TABLES {
        let map = ColumnMap::read(&data.join(map), &TARGETS)?;
        let setup = Setup { map: Some(&map), geographies, locator, progress };
        let mut accept = |record: &Record<'_>| writer.push(&with_every_member(record));
        let mut reject = |line: u64, reason: &str, _: &str| {
            Err(SampleError::Spot { table, line, reason: reason.to_owned() })
        };
        let sink = RowSink { accept: &mut accept, reject: &mut reject };
        read(&data.join(table), setup, &mut taken, sink)?;
    }
    Ok(writer.write(out, geographies)?)
}
