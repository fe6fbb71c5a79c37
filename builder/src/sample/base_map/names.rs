//! The names on the base map and in the gazetteer.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use dataset::{Position, normalize};
use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

use super::super::error::SourceError;
use super::super::table::{Line, Table};
use super::geometry::Point;
use super::gzip;

/// A named area, such as a city or a ZIP code, and its position.
#[derive(Serialize)]
pub(super) struct Name {
    pub(super) kind: NameKind,
    pub(super) name: String,
    /// The two-letter code of the state.
    state: String,
    latitude: f64,
    longitude: f64,
    /// The number of residents, or `None` for neighborhoods and ZIP codes.
    pub(super) population: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(super) enum NameKind {
    State,
    County,
    Borough,
    Neighborhood,
    City,
    UrbanArea,
    ZipCode,
}

/// Reads all names, sorted by population from largest to smallest.
pub(super) fn read(data: &Path) -> Result<Vec<Name>, SourceError> {
    let mut names = Vec::new();
    for line in Table::read(&data.join("basemap"), "labels.csv")?.lines() {
        let kind = line.parsed("kind", "not a label kind", |text| text.parse().ok())?;
        names.push(Name::read(kind, &line, "population")?);
    }
    for (kind, folder, table, population) in [
        (NameKind::County, "geographies", "counties.csv.gz", "population_2024"),
        (NameKind::City, "basemap", "cities.csv.gz", "population"),
        (NameKind::UrbanArea, "basemap", "urban_areas.csv.gz", "population"),
    ] {
        for line in Table::read(&data.join(folder), table)?.lines() {
            names.push(Name::read(kind, &line, population)?);
        }
    }
    for line in Table::read(&data.join("geographies"), "zips.csv.gz")?.lines() {
        let name = format!("{} {}", line.filled("zip")?, line.filled("city")?);
        names.push(Name::new(NameKind::ZipCode, name, &line, None)?);
    }
    names.sort_by_key(|name| Reverse(name.population));
    Ok(names)
}

/// Returns the gazetteer. For each initial, it contains a compressed JSON array of the names that start with
/// it, in the given order. Urban areas are omitted, because they're named after their cities.
pub(super) fn gazetteer(names: &[Name]) -> BTreeMap<char, Vec<u8>> {
    let mut by_initial = BTreeMap::<char, Vec<&Name>>::new();
    for name in names.iter().filter(|name| name.kind != NameKind::UrbanArea) {
        let initial = normalize(&name.name).chars().next().expect("names aren't empty");
        by_initial.entry(initial).or_default().push(name);
    }
    let json = |names: Vec<&Name>| gzip(&serde_json::to_vec(&names).expect("names can be serialized"));
    by_initial.into_iter().map(|(initial, names)| (initial, json(names))).collect()
}

impl Name {
    pub(super) fn position(&self) -> Point {
        Position::from((self.latitude, self.longitude)).to_web_map()
    }

    /// Returns the lowest zoom level of the tiles that contain the name, or `None` if the map doesn't show
    /// it.
    pub(super) fn min_zoom(&self) -> Option<u8> {
        match self.kind {
            NameKind::State => Some(2),
            NameKind::City | NameKind::UrbanArea => Some(match self.population {
                Some(1_000_000..) => 3,
                Some(250_000..) => 5,
                Some(50_000..) => 6,
                Some(10_000..) => 7,
                _ => 8,
            }),
            NameKind::County => Some(7),
            NameKind::Borough | NameKind::Neighborhood => Some(8),
            NameKind::ZipCode => None,
        }
    }

    fn read(kind: NameKind, line: &Line<'_>, population: &str) -> Result<Self, SourceError> {
        let population = line.optional_count(population)?;
        Self::new(kind, line.filled("name")?.to_owned(), line, population)
    }

    fn new(
        kind: NameKind,
        name: String,
        line: &Line<'_>,
        population: Option<u32>,
    ) -> Result<Self, SourceError> {
        let position = line.position()?;
        Ok(Self {
            kind,
            name,
            state: line.filled("state")?.to_owned(),
            latitude: position.latitude,
            longitude: position.longitude,
            population,
        })
    }
}
