//! The tables of the geographies, every row of them understood.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{GeographyId, GeographyType, Position};

use crate::sample::error::SourceError;
use crate::sample::table::{Line, Table};

/// Geographies that only have a name.
pub(super) type Names = BTreeMap<GeographyId, String>;

#[derive(Debug)]
pub(super) struct County {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) state: GeographyId,
    pub(super) cbsa: Option<GeographyId>,
    pub(super) dma: Option<GeographyId>,
    pub(super) population: u32,
}

/// A ZIP code.
#[derive(Debug)]
pub(super) struct Zip {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) state: GeographyId,
    pub(super) county: GeographyId,
    pub(super) cbsa: Option<GeographyId>,
    pub(super) dma: Option<GeographyId>,
    /// The persons that the source counts: of another year than its county's, so no more than a weight.
    pub(super) weight: u32,
}

/// The source tables, every row of them understood.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) states: Names,
    pub(super) dmas: Names,
    pub(super) cbsas: Names,
    pub(super) counties: BTreeMap<GeographyId, County>,
    pub(super) zips: BTreeMap<GeographyId, Zip>,
}

impl Sources {
    pub(super) fn read(folder: &Path) -> Result<Self, SourceError> {
        let markets = Markets {
            states: states(&Table::read(folder, "states.csv")?)?,
            dmas: dmas(&Table::read(folder, "dmas.csv")?)?,
            cbsas: cbsas(&Table::read(folder, "cbsas.csv")?)?,
        };
        let counties = counties(&Table::read(folder, "counties.csv.gz")?, &markets)?;
        let zips = zips(&Table::read(folder, "zips.csv.gz")?, &markets, &counties)?;
        let states = markets.states.into_values().map(|state| (state.id, state.name)).collect();
        Ok(Self { states, dmas: markets.dmas, cbsas: markets.cbsas, counties, zips })
    }
}

/// A state as the other tables refer to it: by its abbreviation.
struct State {
    id: GeographyId,
    name: String,
}

/// What counties and ZIP codes lie in.
struct Markets {
    states: BTreeMap<String, State>,
    dmas: Names,
    cbsas: Names,
}

impl Markets {
    fn state(&self, line: &Line<'_>) -> Result<GeographyId, SourceError> {
        let abbreviation = line.text("state")?;
        let state = self.states.get(abbreviation);
        let refuse = || line.refuse(format!("state {abbreviation:?} is not in states.csv"));
        state.map(|state| state.id).ok_or_else(refuse)
    }

    fn dma(&self, line: &Line<'_>) -> Result<Option<GeographyId>, SourceError> {
        known(line, "dma_code", "dmas.csv", &[GeographyType::Dma], &self.dmas)
    }

    fn cbsa(&self, line: &Line<'_>) -> Result<Option<GeographyId>, SourceError> {
        known(line, "cbsa_code", "cbsas.csv", &[GeographyType::Msa, GeographyType::Micropolitan], &self.cbsas)
    }
}

fn states(table: &Table) -> Result<BTreeMap<String, State>, SourceError> {
    let (mut states, mut ids) = (BTreeMap::new(), BTreeMap::new());
    for line in table.lines() {
        let id = line.id("state_fips", GeographyType::State)?;
        let state = State { id, name: line.filled("name")?.to_owned() };
        line.insert("state_fips", &mut ids, id, ())?;
        line.insert("state", &mut states, line.filled("state")?.to_owned(), state)?;
    }
    Ok(states)
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
        // A code stands for one area, whatever its kind.
        line.insert("cbsa_code", &mut codes, id.code(), ())?;
        line.insert("cbsa_code", &mut cbsas, id, line.filled("name")?.to_owned())?;
    }
    Ok(cbsas)
}

fn counties(table: &Table, markets: &Markets) -> Result<BTreeMap<GeographyId, County>, SourceError> {
    let mut counties = BTreeMap::new();
    for line in table.lines() {
        let county = County {
            name: format!("{}, {}", line.filled("name")?, line.text("state")?),
            position: line.position()?,
            state: markets.state(&line)?,
            cbsa: markets.cbsa(&line)?,
            dma: markets.dma(&line)?,
            population: line.count("population_2023")?,
        };
        line.insert("county_fips", &mut counties, line.id("county_fips", GeographyType::County)?, county)?;
    }
    held(table, "population_2023", counties.values().map(|county: &County| county.population))?;
    Ok(counties)
}

/// Refuses counts of a column whose sum is too large for the files of a release.
pub(super) fn held(
    table: &Table,
    column: &str,
    counts: impl Iterator<Item = u32>,
) -> Result<(), SourceError> {
    let sum: u64 = counts.map(u64::from).sum();
    if sum <= u32::MAX.into() {
        return Ok(());
    }
    Err(table.refuse(format!("{column} sums to {sum}; at most {} can be held", u32::MAX)))
}

fn zips(
    table: &Table,
    markets: &Markets,
    counties: &BTreeMap<GeographyId, County>,
) -> Result<BTreeMap<GeographyId, Zip>, SourceError> {
    let mut zips = BTreeMap::new();
    for line in table.lines() {
        let zip = Zip {
            name: format!("{}, {}", line.filled("city")?, line.text("state")?),
            position: line.position()?,
            state: markets.state(&line)?,
            county: county(&line, counties)?,
            cbsa: markets.cbsa(&line)?,
            dma: markets.dma(&line)?,
            weight: line.optional_count("population")?.unwrap_or(0),
        };
        line.insert("zip", &mut zips, line.id("zip", GeographyType::Zip)?, zip)?;
    }
    Ok(zips)
}

/// Returns the county that a row is about.
pub(super) fn county<T>(
    line: &Line<'_>,
    counties: &BTreeMap<GeographyId, T>,
) -> Result<GeographyId, SourceError> {
    let county = known(line, "county_fips", "counties.csv.gz", &[GeographyType::County], counties)?;
    county.ok_or_else(|| line.refuse("county_fips is empty"))
}

/// Returns the id that a column holds the code of, of whichever type is known; `None` when the column is
/// empty.
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
