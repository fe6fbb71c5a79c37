//! Builds the sample inventory from the tables of two cities and their column maps.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::inventory::{InventoryWriter, Record};
use dataset::{Geographies, Part, Progress, RecordSource, RowCounts};

use super::error::SampleError;
use super::every_member::with_every_member;
use crate::columns::ColumnMap;
use crate::displays::{RowSink, Setup, TARGETS, Taken, read};
use crate::location::{Locator, Region};
use crate::rows::{Layout, RowProblem};

/// A source table with the displays of a city.
struct Table {
    /// The paths of the table and of its column map in the source data folder.
    table: &'static str,
    map: &'static str,
    /// The publisher and the vintage of the table.
    source: &'static str,
    vintage: &'static str,
}

const TABLES: [Table; 2] = [
    Table {
        table: "inventory/linknyc_kiosks.csv",
        map: "inventory/linknyc.toml",
        source: "NYC OpenData, LinkNYC Kiosk Locations (missing fields are modelled)",
        vintage: "2025-04-26",
    },
    Table {
        table: "inventory/sf_general_advertising_signs.csv",
        map: "inventory/sf_signs.toml",
        source: "San Francisco, General Advertising Sign Program (missing fields are modelled)",
        vintage: "2025-12-26",
    },
];

/// Builds the inventory and writes its parts. Returns the number of rows of each kind in each part.
///
/// # Errors
///
/// Fails on the first row that an import would reject, or if a table, map, or folder is invalid.
pub(super) fn write(
    data: &Path,
    out: &Path,
    geographies: &Geographies,
    locator: &Locator,
    progress: Progress<'_>,
) -> Result<BTreeMap<Part, RowCounts>, SampleError> {
    let mut writer = InventoryWriter::default();
    let mut taken = Taken::by(None);
    for Table { table, map, source, vintage } in TABLES {
        let source = RecordSource { name: source.to_owned(), vintage: vintage.to_owned() };
        let map = ColumnMap::read(&data.join(map), &TARGETS)?;
        let region = Region { locator, is_foreign: false };
        let setup = Setup { map: Some(&map), geographies, region, progress };
        let mut accept = |record: &Record<'_>| writer.push(&with_every_member(record), &source);
        let mut reject = |_: &Layout, RowProblem { line, reason, .. }: &RowProblem| {
            Err(SampleError::Spot { table, line: *line, reason: reason.clone() })
        };
        let sink = RowSink { accept: &mut accept, reject: &mut reject };
        read(&data.join(table), setup, &mut taken, sink)?;
    }
    Ok(writer.write(out, geographies)?)
}
