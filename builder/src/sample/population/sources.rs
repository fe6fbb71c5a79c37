//! The tables of the geographies, every row of them understood.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{GeographyId, GeographyType, Position};

use crate::sample::error::{LineProblem, SourceError, TableProblem};
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
        let refuse = || line.refuse(LineProblem::NoState(abbreviation.to_owned()));
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
        insert(&line, "state_fips", &mut ids, id, ())?;
        insert(&line, "state", &mut states, line.filled("state")?.to_owned(), state)?;
    }
    Ok(states)
}

fn dmas(table: &Table) -> Result<Names, SourceError> {
    let mut dmas = Names::new();
    for line in table.lines() {
        let id = line.id("dma_code", GeographyType::Dma)?;
        insert(&line, "dma_code", &mut dmas, id, line.filled("name")?.to_owned())?;
    }
    Ok(dmas)
}

fn cbsas(table: &Table) -> Result<Names, SourceError> {
    let (mut cbsas, mut codes) = (Names::new(), BTreeMap::new());
    for line in table.lines() {
        let id = match line.text("kind")? {
            "metropolitan" => line.id("cbsa_code", GeographyType::Msa)?,
            "micropolitan" => line.id("cbsa_code", GeographyType::Micropolitan)?,
            other => return Err(line.refuse(LineProblem::NoKind(other.to_owned()))),
        };
        // A code stands for one area, whatever its kind.
        insert(&line, "cbsa_code", &mut codes, id.code(), ())?;
        insert(&line, "cbsa_code", &mut cbsas, id, line.filled("name")?.to_owned())?;
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
        insert(&line, "county_fips", &mut counties, line.id("county_fips", GeographyType::County)?, county)?;
    }
    let population: u64 = counties.values().map(|county: &County| u64::from(county.population)).sum();
    match u32::try_from(population) {
        Ok(_) => Ok(counties),
        Err(_) => Err(table.refuse(TableProblem::TooMany { column: "population_2023", sum: population })),
    }
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
        insert(&line, "zip", &mut zips, line.id("zip", GeographyType::Zip)?, zip)?;
    }
    Ok(zips)
}

/// Returns the county that a row is about.
pub(super) fn county<T>(
    line: &Line<'_>,
    counties: &BTreeMap<GeographyId, T>,
) -> Result<GeographyId, SourceError> {
    let county = known(line, "county_fips", "counties.csv.gz", &[GeographyType::County], counties)?;
    county.ok_or_else(|| line.refuse(LineProblem::Empty("county_fips".to_owned())))
}

/// Returns the id that a column holds the code of, of whichever type is known; `None` when the column is
/// empty.
fn known<T>(
    line: &Line<'_>,
    column: &str,
    table: &'static str,
    types: &[GeographyType],
    among: &BTreeMap<GeographyId, T>,
) -> Result<Option<GeographyId>, SourceError> {
    let text = line.text(column)?;
    if text.is_empty() {
        return Ok(None);
    }
    let ids = types.iter().map(|kind| line.id(column, *kind)).collect::<Result<Vec<_>, _>>()?;
    let found = ids.into_iter().find(|id| among.contains_key(id));
    let (column, text) = (column.to_owned(), text.to_owned());
    found.map(Some).ok_or_else(|| line.refuse(LineProblem::Unknown { column, text, table }))
}

/// Adds a row, unless there is one of the same key.
pub(super) fn insert<K: Ord, T>(
    line: &Line<'_>,
    column: &str,
    rows: &mut BTreeMap<K, T>,
    key: K,
    row: T,
) -> Result<(), SourceError> {
    match rows.insert(key, row) {
        None => Ok(()),
        Some(_) => {
            let text = line.text(column)?.to_owned();
            Err(line.refuse(LineProblem::Twice { column: column.to_owned(), text }))
        }
    }
}
