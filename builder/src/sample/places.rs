//! Builds the sample release's places from their source table.

use std::collections::HashMap;
use std::path::Path;

use dataset::places::{self, NewPlace};
use dataset::{GeographyIndex, GeographyType, PlaceId, Position, RecordSource, RowCounts};

use super::error::{SampleError, SourceError};
use super::table::{Line, Table};
use crate::location::ZipArea;

/// The file name of the source table.
const TABLE: &str = "places.csv.gz";

/// The sources of the sample's places.
pub(crate) const SOURCES: [PlaceSource; 8] = [
    PlaceSource {
        key: "locators-2024",
        name: "chain store locators of 2024 (stiles/locations, MIT)",
        published_date: "2024-11-30",
        licence: "MIT (c) 2024 Matt Stiles; brand names are trademarks",
        attribution: "Place data (c) 2024 Matt Stiles, MIT License",
    },
    PlaceSource {
        key: "locators-2022",
        name: "chain store locators of 2022 (rrainn/PlaceCompile)",
        published_date: "2022-04-30",
        licence: "Unlicense; brand names are trademarks",
        attribution: "",
    },
    PlaceSource::public("faa", "FAA airports", "2020-12-31"),
    PlaceSource::public("hospitals", "HIFLD hospitals", "2020-12-31"),
    PlaceSource::public("colleges", "NCES IPEDS (four-year institutions)", "2023-12-31"),
    PlaceSource::public("venues", "HIFLD major sport venues", "2019-12-31"),
    PlaceSource::public("amtrak", "BTS NTAD (Amtrak rail stations)", "2024-01-31"),
    PlaceSource {
        key: "subway",
        name: "MTA subway stations and complexes (data.ny.gov)",
        published_date: "2026-04-30",
        licence: "New York State open data: free use",
        attribution: "",
    },
];

/// A source of the sample's places.
#[derive(Debug)]
pub(crate) struct PlaceSource {
    /// The name in the table's `source` column.
    key: &'static str,
    /// The name as stored in the places' records.
    pub(crate) name: &'static str,
    /// The last day of data collection. The rows themselves don't have dates.
    pub(crate) published_date: &'static str,
    pub(crate) licence: &'static str,
    pub(crate) attribution: &'static str,
}

/// A function that finds the ZIP code area for a place's ZIP code and position.
pub type Locate<'a> = &'a dyn Fn(&str, Position) -> Option<&'a ZipArea>;

/// Reads the table of places from the source data folder.
///
/// # Errors
///
/// Fails if the file can't be read.
pub fn table(data: &Path) -> Result<Table, SourceError> {
    Table::read(&data.join("places"), TABLE)
}

/// Writes the `Places` part from the places table. Returns the part's row counts.
///
/// # Errors
///
/// Fails on the first invalid row, or if the file can't be written.
pub fn write(
    table: &Table,
    out: &Path,
    locate: Locate<'_>,
    names: &dyn Fn(GeographyIndex) -> String,
) -> Result<RowCounts, SampleError> {
    let (mut places, mut lines) = (Vec::new(), HashMap::new());
    for line in table.lines() {
        let place = place(&line, locate)?;
        if let Some(other) = lines.insert(place.id, line.number()) {
            let same = format!("place_name, street_address, and zip_code are the same as on line {other}");
            return Err(line.refuse(same).into());
        }
        places.push(place);
    }
    Ok(places::write(out, places, names)?)
}

impl PlaceSource {
    /// Creates a source published by the US government.
    const fn public(key: &'static str, name: &'static str, published_date: &'static str) -> Self {
        Self { key, name, published_date, licence: "US Government work, public domain", attribution: "" }
    }
}

/// Derives the ID of the place in a row.
pub(super) fn id(line: &Line<'_>) -> Result<PlaceId, SourceError> {
    Ok(PlaceId::of(line.filled("place_name")?, line.text("street_address")?, line.text("zip_code")?))
}

fn place(line: &Line<'_>, locate: Locate<'_>) -> Result<NewPlace, SourceError> {
    let text = |column: &str| line.text(column).map(str::to_owned);
    let filled = |column: &str| line.filled(column).map(str::to_owned);
    let zip_code = text("zip_code")?;
    line.id("zip_code", GeographyType::Zip)?;
    let is_state = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let state =
        line.parsed("state", "not two capital letters", |text| is_state(text).then(|| text.to_owned()))?;
    let position = line.position()?;
    let area = locate(&zip_code, position);
    let source =
        line.parsed("source", "not a place source", |key| SOURCES.iter().find(|source| source.key == key))?;
    Ok(NewPlace {
        id: id(line)?,
        name: filled("place_name")?,
        brand: text("brand")?,
        place_type: filled("place_type")?,
        street_address: text("street_address")?,
        city: filled("city")?,
        state,
        zip_code,
        position,
        published_date: source.published_date.to_owned(),
        register_id: String::new(),
        county: area.and_then(|area| area.county),
        cbsa: area.and_then(|area| area.cbsa),
        dma: area.and_then(|area| area.dma),
        zip: area.map(|area| area.index),
        source: RecordSource { name: source.name.to_owned(), vintage: source.published_date.to_owned() },
    })
}
