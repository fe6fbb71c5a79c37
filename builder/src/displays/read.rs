//! Reads displays from a file's rows.

use dataset::Position;
use dataset::inventory::{Record, SpotId};

use super::flat::{self, Flat};
use super::full;
use crate::build::Numbered;
use crate::columns::{ColumnMap, Unkept};
use crate::location::{Contradiction, Markets};
use crate::rows::{Row, RowProblem, SourceRow, Unparsed};

/// The data needed to convert rows to displays.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    /// The column map for flat rows, or `None` if the rows are complete records.
    pub(crate) map: Option<&'a ColumnMap>,
    pub(crate) markets: Markets<'a>,
}

/// A display that was read from a row.
pub(crate) struct ReadDisplay {
    pub(crate) line: u64,
    pub(crate) raw: Vec<u8>,
    pub(crate) record: Record<'static>,
    pub(crate) id: DisplayId,
    /// Whether a flat row is outside the United States. Always `false` for complete records.
    pub(crate) is_outside: bool,
    /// The row's area names that contradict its position.
    pub(crate) contradictions: Vec<Contradiction>,
    pub(crate) unkept: Vec<Unkept>,
}

/// A display's ID or number, as given in its row.
pub(crate) enum DisplayId {
    Given(SpotId),
    /// The media owner's own number and the properties that identify the display.
    Own(Numbered),
}

/// Converts a row to a display or returns the reasons for rejecting it.
pub(crate) fn read(row: Unparsed, setup: Setup<'_>) -> Result<ReadDisplay, RowProblem> {
    let Some(map) = setup.map else { return read_record(row, setup.markets) };
    match row.parse() {
        Row::Read(row) => read_flat(row, map, setup.markets),
        Row::Unreadable(problem) => Err(problem),
    }
}

fn read_record(row: Unparsed, markets: Markets<'_>) -> Result<ReadDisplay, RowProblem> {
    let (line, raw, (record, contradiction)) = match full::parse_line(row, markets.region) {
        full::Line::Record { line, raw, record, contradiction } => (line, raw, (record, contradiction)),
        full::Line::Other(row) => match row.parse() {
            Row::Unreadable(problem) => return Err(problem),
            Row::Read(mut row) => match full::parse(std::mem::take(&mut row.fields), markets) {
                Ok((record, contradiction)) => (row.line, row.raw, (record.into(), contradiction)),
                Err(reasons) => return Err(row.rejected(reasons.to_string())),
            },
        },
    };
    let id = DisplayId::Given(record.spot_id.expect("a checked record has an id"));
    let contradictions = contradiction.into_iter().collect();
    Ok(ReadDisplay { line, raw, record: *record, id, is_outside: false, contradictions, unkept: Vec::new() })
}

fn read_flat(row: SourceRow, map: &ColumnMap, markets: Markets<'_>) -> Result<ReadDisplay, RowProblem> {
    let flat = match flat::parse(&row, map, markets) {
        Ok(flat) => flat,
        Err(reasons) => return Err(row.rejected(reasons.to_string())),
    };
    let Flat { spot_id, plant_spot_id, record, is_outside, contradictions, unkept } = flat;
    let id = spot_id.map_or_else(
        || {
            DisplayId::Own(numbered(
                plant_spot_id.expect("a flat row has a spot_id or a plant_spot_id"),
                &record,
            ))
        },
        DisplayId::Given,
    );
    Ok(ReadDisplay { line: row.line, raw: row.raw, record, id, is_outside, contradictions, unkept })
}

/// Combines the media owner's number for a display with the properties that identify the display in later
/// builds.
pub(crate) fn numbered(number: String, record: &Record<'_>) -> Numbered {
    let location = record.location.as_ref();
    let coordinates = location.and_then(|location| location.geometry.as_ref()?.coordinates);
    let [longitude, latitude] = coordinates.expect("a checked record has coordinates");
    let face = record.faces().next();
    let size = face.and_then(|face| Some(format!("{} x {} in", face.height?, face.width?)));
    let media_type = record.media_type.as_ref().and_then(|one| one.name.as_deref()).map(str::to_owned);
    let road = location.and_then(|location| location.primary_artery.as_deref());
    let road = road.or(record.media_name.as_deref()).map(str::to_owned);
    let side = record.read_side.as_deref().map(str::to_owned);
    let parts: Vec<String> = [media_type, size, side, road].into_iter().flatten().collect();
    Numbered {
        number,
        position: Position { latitude, longitude },
        facing: location.and_then(|location| location.orientation),
        description: parts.join("; "),
    }
}
