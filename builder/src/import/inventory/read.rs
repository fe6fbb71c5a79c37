//! Reads spots from a file, row by row.

use std::path::Path;

use dataset::inventory::Record;
use dataset::{Geographies, Progress};

use super::flat::{self, Flat, TARGETS};
use super::full;
use super::identity::Taken;
use super::market::Markets;
use crate::displays::complete;
use crate::import::error::ImportError;
use crate::import::locator::Locator;
use crate::import::map::ColumnMap;
use crate::rows::{Row, RowProblem, RowReader, SourceRow};

/// What spots are read with.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    /// Which column holds what, of [`TARGETS`].
    pub(crate) map: Option<&'a ColumnMap>,
    /// The geographies of the release.
    pub(crate) geographies: &'a Geographies,
    /// Its ZIP codes.
    pub(crate) locator: &'a Locator,
    /// Is told the bytes that were read.
    pub(crate) progress: Progress<'a>,
}

/// What becomes of the rows.
pub(crate) struct RowSink<'a, E> {
    /// Takes a spot.
    pub(crate) accept: &'a mut dyn FnMut(&Record<'_>),
    /// Takes the line, the reasons and the text of a row that was not accepted.
    pub(crate) reject: &'a mut dyn FnMut(u64, &str, &str) -> Result<(), E>,
}

/// How many rows became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    let mut file = RowReader::open(source, setup.progress).map_err(ImportError::from)?;
    let own_names = ColumnMap::own_names(&TARGETS);
    let map = match setup.map {
        None if file.has_records() => None,
        map => Some(map.unwrap_or(&own_names)),
    };
    if let Some(map) = map {
        let fits = flat::check(map, &file);
        fits.map_err(|error| ImportError::MapOfFile { file: source.to_owned(), source: error })?;
    }
    let markets = Markets { geographies: setup.geographies, locator: setup.locator };
    let mut summary = InventorySummary::default();
    while let Some(row) = file.next_row().map_err(ImportError::from)? {
        summary.rows += 1;
        let accepted = match (row, map) {
            (Row::Unreadable(problem), _) => Err(problem),
            (Row::Read(row), Some(map)) => flat_row(row, map, markets, taken),
            (Row::Read(row), None) => full_row(row, taken),
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
            Err(RowProblem { line, reason, original }) => {
                summary.rejected += 1;
                (sink.reject)(line, &reason, &original)?;
            }
        }
    }
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
    markets: Markets<'_>,
    taken: &mut Taken<'_>,
) -> Result<Accepted, RowProblem> {
    let refused = |reason: String| RowProblem { line: row.line, reason, original: row.original() };
    let flat = flat::parse(&row, map, markets).map_err(|reasons| refused(reasons.to_string()))?;
    let claimed = taken.claim(row.line, flat.spot_id, flat.identity.as_ref());
    let claimed = claimed.map_err(|error| refused(error.to_string()))?;
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

fn full_row(row: SourceRow, taken: &mut Taken<'_>) -> Result<Accepted, RowProblem> {
    let SourceRow { line, fields, .. } = row;
    let (record, original) = full::parse(fields);
    let refused = |reason: String| RowProblem { line, reason, original };
    let record = match record {
        Ok(record) => record,
        Err(reasons) => return Err(refused(reasons.to_string())),
    };
    match taken.claim(line, record.spot_id, None) {
        Ok(claimed) => {
            Ok(Accepted { record, is_outside: false, is_derived: false, is_replacing: claimed.is_replacing })
        }
        Err(error) => Err(refused(error.to_string())),
    }
}
