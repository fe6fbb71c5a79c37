//! Builds the places of the sample release from their source table.

use std::collections::HashMap;
use std::path::Path;

use dataset::places::{self, NewPlace};
use dataset::{GeographyIndex, GeographyType, PlaceId, Position, RecordSource, RowCounts};

use super::error::{SampleError, SourceError};
use super::table::{Line, Table};
use crate::location::ZipArea;

/// The name of the source that the places keep.
pub(crate) const SOURCE: &str = "chain store locators (stiles/locations, MIT) and FAA airports";

/// The file name of the source table.
const TABLE: &str = "places.csv.gz";

/// The last day of data collection. The rows themselves don't have dates.
const PUBLISHED_DATE: &str = "2024-11-30";

/// A function that returns the ZIP code area of a place, given the place's ZIP code and position.
pub type Locate<'a> = &'a dyn Fn(&str, Position) -> Option<&'a ZipArea>;

/// Reads the table of places and writes the part `Places`. Returns the number of rows of each kind.
///
/// # Errors
///
/// Fails on the first invalid row, or if a file can't be read or written.
pub fn write(
    data: &Path,
    out: &Path,
    locate: Locate<'_>,
    names: &dyn Fn(GeographyIndex) -> String,
) -> Result<RowCounts, SampleError> {
    let (mut places, mut lines) = (Vec::new(), HashMap::new());
    for line in Table::read(&data.join("places"), TABLE)?.lines() {
        let place = place(&line, locate)?;
        if let Some(other) = lines.insert(place.id, line.number()) {
            let same = format!("place_name, street_address, and zip_code are the same as on line {other}");
            return Err(line.refuse(same).into());
        }
        places.push(place);
    }
    Ok(places::write(out, places, names)?)
}

fn place(line: &Line<'_>, locate: Locate<'_>) -> Result<NewPlace, SourceError> {
    let text = |column: &str| line.text(column).map(str::to_owned);
    let filled = |column: &str| line.filled(column).map(str::to_owned);
    let (name, street_address, zip_code) =
        (filled("place_name")?, text("street_address")?, text("zip_code")?);
    line.id("zip_code", GeographyType::Zip)?;
    let is_state = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let state =
        line.parsed("state", "not two capital letters", |text| is_state(text).then(|| text.to_owned()))?;
    let position = line.position()?;
    let area = locate(&zip_code, position);
    Ok(NewPlace {
        id: PlaceId::of(&name, &street_address, &zip_code),
        name,
        brand: text("brand")?,
        place_type: filled("place_type")?,
        street_address,
        city: filled("city")?,
        state,
        zip_code,
        position,
        published_date: PUBLISHED_DATE.to_owned(),
        register_id: String::new(),
        county: area.and_then(|area| area.county),
        cbsa: area.and_then(|area| area.cbsa),
        dma: area.and_then(|area| area.dma),
        zip: area.map(|area| area.index),
        source: RecordSource { name: SOURCE.to_owned(), vintage: PUBLISHED_DATE.to_owned() },
    })
}
