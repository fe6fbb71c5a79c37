//! Reads the source tables of geographies.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{GeographyId, GeographyType, Position};

use crate::sample::error::SourceError;
use crate::sample::table::{Line, Table};

/// The file name of the overlap table.
pub(super) const OVERLAPS_TABLE: &str = "zip_counties.csv.gz";

/// Geography names, by ID.
pub(super) type Names = BTreeMap<GeographyId, String>;

/// Counties or ZIP codes, by ID.
pub(super) type Sites = BTreeMap<GeographyId, Site>;

/// A county or a ZIP code.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) state: GeographyId,
    /// The county of a ZIP code, or `None` for counties.
    pub(super) county: Option<GeographyId>,
    pub(super) cbsa: Option<GeographyId>,
    pub(super) dma: Option<GeographyId>,
    /// The population of a county. It's 0 for ZIP codes, because their table doesn't contain populations.
    pub(super) persons: u32,
}

/// The overlap of a ZIP code and a county.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub(super) zip: GeographyId,
    pub(super) county: GeographyId,
    /// The area in square miles or, after scaling, the number of residents.
    pub(super) weight: f64,
}

/// The parsed source tables.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) states: Names,
    pub(super) dmas: Names,
    pub(super) cbsas: Names,
    pub(super) counties: Sites,
    pub(super) zips: Sites,
    /// The overlaps of counties and ZIP codes, for the ZIP codes that the Census Bureau tabulates.
    pub(super) overlaps: Vec<Overlap>,
}

impl Sources {
    pub(super) fn read(folder: &Path) -> Result<Self, SourceError> {
        let (states, abbreviations) = states(&Table::read(folder, "states.csv")?)?;
        let dmas = dmas(&Table::read(folder, "dmas.csv")?)?;
        let markets = MarketTables { abbreviations, dmas, cbsas: cbsas(&Table::read(folder, "cbsas.csv")?)? };
        let counties = counties(&Table::read(folder, "counties.csv.gz")?, &markets)?;
        let zips = zips(&Table::read(folder, "zips.csv.gz")?, &markets, &counties)?;
        let overlaps = overlaps(&Table::read(folder, OVERLAPS_TABLE)?, &counties, &zips)?;
        Ok(Self { states, dmas: markets.dmas, cbsas: markets.cbsas, counties, zips, overlaps })
    }
}

/// The states and markets that counties and ZIP codes refer to.
struct MarketTables {
    /// The states by two-letter abbreviation, which is how other tables refer to states.
    abbreviations: BTreeMap<String, GeographyId>,
    dmas: Names,
    cbsas: Names,
}

impl MarketTables {
    /// Reads the columns that the tables of counties and ZIP codes have in common.
    fn site(&self, line: &Line<'_>, name: &str) -> Result<Site, SourceError> {
        let state = line.text("state")?;
        let unknown_state = || line.refuse(format!("state {state:?} is not in states.csv"));
        let cbsas = &[GeographyType::Msa, GeographyType::Micropolitan];
        Ok(Site {
            name: format!("{}, {state}", line.filled(name)?),
            position: line.position()?,
            state: *self.abbreviations.get(state).ok_or_else(unknown_state)?,
            county: None,
            cbsa: known(line, "cbsa_code", "cbsas.csv", cbsas, &self.cbsas)?,
            dma: known(line, "dma_code", "dmas.csv", &[GeographyType::Dma], &self.dmas)?,
            persons: 0,
        })
    }
}

fn states(table: &Table) -> Result<(Names, BTreeMap<String, GeographyId>), SourceError> {
    let (mut names, mut abbreviations) = (Names::new(), BTreeMap::new());
    for line in table.lines() {
        let id = line.id("state_fips", GeographyType::State)?;
        line.insert("state_fips", &mut names, id, line.filled("name")?.to_owned())?;
        line.insert("state", &mut abbreviations, line.filled("state")?.to_owned(), id)?;
    }
    Ok((names, abbreviations))
}

fn dmas(table: &Table) -> Result<Names, SourceError> {
    let mut dmas = Names::new();
    for line in table.lines() {
        let id = line.id("dma_code", GeographyType::Dma)?;
        line.insert("dma_code", &mut dmas, id, line.filled("name")?.to_owned())?;
    }
    Ok(dmas)
}

fn cbsas(table: &Table) -> Result<Names, SourceError> {
    let (mut cbsas, mut codes) = (Names::new(), BTreeMap::new());
    for line in table.lines() {
        let id = match line.text("kind")? {
            "metropolitan" => line.id("cbsa_code", GeographyType::Msa)?,
            "micropolitan" => line.id("cbsa_code", GeographyType::Micropolitan)?,
            other => {
                return Err(line.refuse(format!("kind {other:?} is neither metropolitan nor micropolitan")));
            }
        };
        // A metropolitan and a micropolitan area can't have the same code.
        line.insert("cbsa_code", &mut codes, id.code(), ())?;
        line.insert("cbsa_code", &mut cbsas, id, line.filled("name")?.to_owned())?;
    }
    Ok(cbsas)
}

fn counties(table: &Table, markets: &MarketTables) -> Result<Sites, SourceError> {
    let mut counties = BTreeMap::new();
    for line in table.lines() {
        let persons = line.count("population_2024")?;
        let county = Site { persons, ..markets.site(&line, "name")? };
        line.insert("county_fips", &mut counties, line.id("county_fips", GeographyType::County)?, county)?;
    }
    held(table, "population_2024", counties.values().map(|county: &Site| county.persons))?;
    Ok(counties)
}

/// Checks that the sum of a column doesn't exceed the largest number that release files can store.
pub(super) fn held(
    table: &Table,
    column: &str,
    counts: impl Iterator<Item = u32>,
) -> Result<(), SourceError> {
    let sum: u64 = counts.map(u64::from).sum();
    if sum <= u32::MAX.into() {
        return Ok(());
    }
    Err(table.refuse(format!("{column} sums to {sum}; the limit is {}", u32::MAX)))
}

fn zips(table: &Table, markets: &MarketTables, counties: &Sites) -> Result<Sites, SourceError> {
    let mut zips = BTreeMap::new();
    for line in table.lines() {
        let county = Some(county(&line, counties)?);
        let zip = Site { county, ..markets.site(&line, "city")? };
        line.insert("zip", &mut zips, line.id("zip", GeographyType::Zip)?, zip)?;
    }
    Ok(zips)
}

fn overlaps(table: &Table, counties: &Sites, zips: &Sites) -> Result<Vec<Overlap>, SourceError> {
    let (mut overlaps, mut known) = (Vec::new(), BTreeMap::new());
    for line in table.lines() {
        let (zip, county) = (zip(&line, zips)?, county(&line, counties)?);
        let weight = line.parsed("sq_mi", "not a positive number", |text| {
            text.parse().ok().filter(|area: &f64| area.is_finite() && *area > 0.0)
        })?;
        line.insert("zip", &mut known, (zip, county), ())?;
        overlaps.push(Overlap { zip, county, weight });
    }
    for Overlap { zip, .. } in &overlaps {
        let home = zips[zip].county;
        if !home.is_some_and(|home| known.contains_key(&(*zip, home))) {
            let reason =
                format!("has no row for ZIP code {} and its county in zips.csv.gz", zip.national_id());
            return Err(table.refuse(reason));
        }
    }
    Ok(overlaps)
}

/// Returns the ID of a row's ZIP code, which must be in `zips`.
pub(super) fn zip(line: &Line<'_>, zips: &Sites) -> Result<GeographyId, SourceError> {
    let zip = known(line, "zip", "zips.csv.gz", &[GeographyType::Zip], zips)?;
    zip.ok_or_else(|| line.refuse("zip is empty"))
}

/// Returns the ID of a row's county, which must be in `counties`.
pub(super) fn county<T>(
    line: &Line<'_>,
    counties: &BTreeMap<GeographyId, T>,
) -> Result<GeographyId, SourceError> {
    let county = known(line, "county_fips", "counties.csv.gz", &[GeographyType::County], counties)?;
    county.ok_or_else(|| line.refuse("county_fips is empty"))
}

/// Returns the ID of the geography whose code is in a column, or `None` if the column is empty. The geography
/// must be in `among` and have one of the given types.
fn known<T>(
    line: &Line<'_>,
    column: &str,
    table: &str,
    types: &[GeographyType],
    among: &BTreeMap<GeographyId, T>,
) -> Result<Option<GeographyId>, SourceError> {
    let text = line.text(column)?;
    if text.is_empty() {
        return Ok(None);
    }
    let ids = types.iter().map(|kind| line.id(column, *kind)).collect::<Result<Vec<_>, _>>()?;
    let found = ids.into_iter().find(|id| among.contains_key(id));
    found.map(Some).ok_or_else(|| line.refuse(format!("{column} {text} is not in {table}")))
}
