//! Makes the places of the sample from their table.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use csv::StringRecord;
use dataset::places::{self, NewPlace};
use dataset::{GeographyIndex, PlaceId, Position, RecordSource, RowCounts};
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::error::{PlaceRowError, SampleError};

/// The table, within the folder of all tables.
const TABLE: &str = "places/places.csv.gz";

/// When the collection of the table ended: its rows bear no days of their own.
const PUBLISHED_DATE: &str = "2024-11-30";

/// The geographies that a place lies in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    pub county: Option<GeographyIndex>,
    /// Its metropolitan or micropolitan area.
    pub cbsa: Option<GeographyIndex>,
    /// Its television market.
    pub dma: Option<GeographyIndex>,
    /// The area of its ZIP code.
    pub zip: Option<GeographyIndex>,
}

/// Finds what a place lies in, by its ZIP code and position.
pub type Locate<'a> = &'a dyn Fn(&str, Position) -> Surroundings;

/// Reads the table in a folder of tables and writes the part `Places` into another folder; returns how many
/// rows of each kind there are.
///
/// # Errors
///
/// When a row cannot be right (the text says which line, and why), or a file cannot be read or written.
pub fn write(
    data: &Path,
    out: &Path,
    locate: Locate<'_>,
    names: &dyn Fn(GeographyIndex) -> String,
) -> Result<RowCounts, SampleError> {
    Ok(places::write(out, read(&data.join(TABLE), PUBLISHED_DATE, locate)?, names)?)
}

/// Reads a table of places that were all published on one day.
fn read(table: &Path, published_date: &str, locate: Locate<'_>) -> Result<Vec<NewPlace>, SampleError> {
    let refuse = |source: csv::Error| SampleError::PlacesTable { table: table.to_owned(), source };
    let file = File::open(table).map_err(|error| refuse(error.into()))?;
    let mut reader = csv::Reader::from_reader(GzDecoder::new(file));
    let headers = reader.headers().map_err(refuse)?.clone();
    let (mut places, mut lines) = (Vec::new(), HashMap::new());
    for record in reader.records() {
        let record = record.map_err(refuse)?;
        let line = record.position().map_or(0, csv::Position::line);
        let refuse = |source| SampleError::Place { table: table.to_owned(), line, source };
        let place = place(&record, &headers, published_date, locate).map_err(refuse)?;
        if let Some(other) = lines.insert(place.id, line) {
            return Err(refuse(PlaceRowError::SameAs(other)));
        }
        places.push(place);
    }
    Ok(places)
}

/// A row of the table.
#[derive(Deserialize)]
struct Row {
    place_name: String,
    brand: String,
    place_type: String,
    street_address: String,
    city: String,
    state: String,
    zip_code: String,
    latitude: f64,
    longitude: f64,
}

fn place(
    record: &StringRecord,
    headers: &StringRecord,
    published_date: &str,
    locate: Locate<'_>,
) -> Result<NewPlace, PlaceRowError> {
    let row: Row = record.deserialize(Some(headers)).map_err(|error| reason(error, headers))?;
    check(&row)?;
    let position = Position { latitude: row.latitude, longitude: row.longitude };
    let Surroundings { county, cbsa, dma, zip } = locate(&row.zip_code, position);
    Ok(NewPlace {
        id: PlaceId::of(&row.place_name, &row.street_address, &row.zip_code),
        name: row.place_name,
        brand: row.brand,
        place_type: row.place_type,
        street_address: row.street_address,
        city: row.city,
        state: row.state,
        zip_code: row.zip_code,
        position,
        published_date: published_date.to_owned(),
        county,
        cbsa,
        dma,
        zip,
        source: source(),
    })
}

/// Says whose data the table is.
fn source() -> RecordSource {
    RecordSource {
        name: "chain store locators (stiles/locations, MIT) and FAA airports".to_owned(),
        vintage: PUBLISHED_DATE.to_owned(),
    }
}

/// Says why a row cannot be read, by the name of the column rather than by its number.
fn reason(error: csv::Error, headers: &StringRecord) -> PlaceRowError {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return PlaceRowError::Row(error) };
    let column = err.field().and_then(|field| headers.get(usize::try_from(field).ok()?));
    PlaceRowError::Cell { column: column.unwrap_or("row").to_owned(), reason: err.kind().to_string() }
}

fn check(row: &Row) -> Result<(), PlaceRowError> {
    let Row { place_name, place_type, city, state, zip_code, latitude, longitude, .. } = row;
    for (column, text) in [("place_name", place_name), ("place_type", place_type), ("city", city)] {
        if text.trim().is_empty() {
            return Err(PlaceRowError::Empty(column));
        }
    }
    if state.len() != 2 || !state.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(PlaceRowError::State(state.clone()));
    }
    if zip_code.len() != 5 || !zip_code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PlaceRowError::ZipCode(zip_code.clone()));
    }
    for (column, degrees, bound) in [("latitude", *latitude, 90.0), ("longitude", *longitude, 180.0)] {
        if !(-bound..=bound).contains(&degrees) {
            return Err(PlaceRowError::Degrees { column, degrees, bound });
        }
    }
    Ok(())
}
