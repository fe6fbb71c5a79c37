//! Reads spots from a file, row by row.

use std::path::Path;

use dataset::inventory::Record;
use dataset::{Geographies, Progress};

use super::flat::{self, Flat};
use super::full;
use super::identity::Taken;
use super::market::Markets;
use super::targets::TARGETS;
use crate::build::ImportError;
use crate::build::Notice;
use crate::columns::ColumnMap;
use crate::displays::complete;
use crate::location::Region;
use crate::rows::{Dialect, Layout, Row, RowProblem, RowReader, SourceRow};

/// What spots are read with.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    /// Which column holds what, of [`TARGETS`].
    pub(crate) map: Option<&'a ColumnMap>,
    /// The geographies of the release.
    pub(crate) geographies: &'a Geographies,
    /// Its ZIP codes.
    pub(crate) region: Region<'a>,
    /// Is told the bytes that were read.
    pub(crate) progress: Progress<'a>,
}

/// What becomes of the rows.
pub(crate) struct RowSink<'a, E> {
    /// Takes a spot.
    pub(crate) accept: &'a mut dyn FnMut(&Record<'_>),
    /// Takes a row that was not accepted, and how its file is laid out.
    pub(crate) reject: &'a mut dyn FnMut(&Layout, &RowProblem) -> Result<(), E>,
}

/// How many rows became what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InventorySummary {
    /// All rows: the accepted ones and the rejected ones.
    pub rows: u64,
    /// Rows that became spots.
    pub accepted: u64,
    /// Rows that were reported.
    pub rejected: u64,
    /// Accepted ones in the place of spots that the release had.
    pub replaced: u64,
    /// Accepted flat rows outside the United States, which lie in no market.
    pub outside_us: u64,
    /// Accepted ones whose id was derived from operator and plant_spot_id.
    pub derived_ids: u64,
    /// Accepted ones without a measurement, which no search returns.
    pub not_measured: u64,
    /// What is worth knowing besides.
    pub notices: Vec<Notice>,
}

impl InventorySummary {
    /// Adds what became of another file.
    pub(crate) fn add(&mut self, other: Self) {
        let Self { rows, accepted, rejected, replaced, outside_us, derived_ids, not_measured, notices } =
            other;
        self.rows += rows;
        self.accepted += accepted;
        self.rejected += rejected;
        self.replaced += replaced;
        self.outside_us += outside_us;
        self.derived_ids += derived_ids;
        self.not_measured += not_measured;
        self.notices.extend(notices);
    }
}

/// Reads spots from a file, row by row.
///
/// # Errors
///
/// When the file as a whole cannot be read, or a rejected row cannot be reported.
pub(crate) fn read<E: From<ImportError>>(
    source: &Path,
    setup: Setup<'_>,
    taken: &mut Taken<'_>,
    sink: RowSink<'_, E>,
) -> Result<InventorySummary, E> {
    let dialect = Dialect { delimiter: setup.map.and_then(ColumnMap::delimiter), sheet: None };
    let mut file = RowReader::open(source, &dialect, setup.progress).map_err(ImportError::from)?;
    let layout = file.layout();
    let own_names = ColumnMap::own_names(&TARGETS);
    let map = match setup.map {
        None if file.has_records() => None,
        map => Some(map.unwrap_or(&own_names)),
    };
    if let Some(map) = map {
        let fits = flat::check(map, &file);
        fits.map_err(|error| ImportError::MapOfFile { file: source.to_owned(), source: error })?;
    }
    taken.begin(source);
    let mut summary = InventorySummary::default();
    while let Some(row) = file.next_row().map_err(ImportError::from)? {
        summary.rows += 1;
        let accepted = match (row, map) {
            (Row::Unreadable(problem), _) => Err(problem),
            (Row::Read(row), Some(map)) => flat_row(row, map, setup, taken),
            (Row::Read(row), None) => full_row(row, setup.region, taken),
        };
        match accepted {
            Ok(Accepted { record, is_outside, is_derived, is_replacing }) => {
                summary.accepted += 1;
                summary.replaced += u64::from(is_replacing);
                summary.outside_us += u64::from(is_outside);
                summary.derived_ids += u64::from(is_derived);
                summary.not_measured += u64::from(!record.is_measured());
                (sink.accept)(&record);
            }
            Err(problem) => {
                summary.rejected += 1;
                (sink.reject)(&layout, &problem)?;
            }
        }
    }
    summary.notices.extend(Notice::of_encoding(source, &file));
    Ok(summary)
}

struct Accepted {
    record: Record<'static>,
    is_outside: bool,
    is_derived: bool,
    is_replacing: bool,
}

fn flat_row(
    row: SourceRow,
    map: &ColumnMap,
    setup: Setup<'_>,
    taken: &mut Taken<'_>,
) -> Result<Accepted, RowProblem> {
    let markets = Markets { geographies: setup.geographies, region: setup.region };
    let flat = match flat::parse(&row, map, markets) {
        Ok(flat) => flat,
        Err(reasons) => return Err(row.rejected(reasons.to_string())),
    };
    let claimed = match taken.claim(row.line, flat.spot_id, flat.identity.as_ref()) {
        Ok(claimed) => claimed,
        Err(error) => return Err(row.rejected(error.to_string())),
    };
    let Flat { mut record, is_outside, .. } = flat;
    flat::number(&mut record, claimed.id);
    if let Some(vintage) = map.modelled() {
        complete(&mut record, vintage);
    }
    Ok(Accepted {
        record,
        is_outside,
        is_derived: flat.spot_id.is_none(),
        is_replacing: claimed.is_replacing,
    })
}

fn full_row(mut row: SourceRow, region: Region<'_>, taken: &mut Taken<'_>) -> Result<Accepted, RowProblem> {
    let record = match full::parse(std::mem::take(&mut row.fields), region) {
        Ok(record) => record,
        Err(reasons) => return Err(row.rejected(reasons.to_string())),
    };
    match taken.claim(row.line, record.spot_id, None) {
        Ok(claimed) => {
            Ok(Accepted { record, is_outside: false, is_derived: false, is_replacing: claimed.is_replacing })
        }
        Err(error) => Err(row.rejected(error.to_string())),
    }
}
