//! Composed cohorts. A composed cohort contains the people who are in all of its component cohorts.
//!
//! The ID of a composed cohort consists of the IDs of up to four cohorts, joined by `.`. Cohorts with the
//! same kind of cells, such as a sex and an age, are combined exactly. Cohorts with different kinds of cells
//! are crossed: the release doesn't contain their joint counts, so the kinds are assumed to be independent
//! within each ZIP code.

use provenance::{Maturity, Provenance};
use thiserror::Error;

use super::provenance::{CROSSED, CohortShares, provenance_of_cohorts};
use super::segment::{Segment, SegmentIndex};
use super::table::Population;
use crate::cohorts::{CellKind, CellSet, Cells};
use crate::geographies::{Geographies, Geography, GeographyIndex, GeographyType};

/// The maximum number of cohorts in a composed cohort: a sex, an age, an ethnic group, and an income.
pub const MAX_COMPONENTS: usize = 4;

/// The separator between the cohorts' IDs in the ID of a composed cohort.
pub(crate) const SEPARATOR: char = '.';

/// A cohort that's composed of one or more segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposedCohort {
    /// The segments, in catalog order.
    segments: Vec<SegmentIndex>,
    /// The cells that people must be in, as one set for each kind of cell that the segments use.
    sets: Vec<CellSet>,
}

/// The number of persons in a cohort, by geography.
#[derive(Debug)]
pub enum PersonsByArea<'a> {
    /// The stored counts for a segment.
    Stored(&'a Population, SegmentIndex),
    /// The computed counts for a composed cohort, in the same order as the geographies.
    Computed(Vec<u32>),
}

/// The number of residents in one or more areas, and how many of them are in each of a cohort's sets.
#[derive(Clone, Debug, Default)]
struct Counts {
    residents: f64,
    of_sets: Vec<f64>,
}

/// Sums over the ZIP codes in a county, for computing the county's association between kinds of cells.
#[derive(Clone, Debug, Default)]
struct ZipSums {
    crossed: f64,
    counts: Counts,
}

impl Counts {
    /// Returns the expected number of persons who are in all sets, assuming that the kinds of cells are
    /// independent.
    fn crossed(&self) -> f64 {
        if self.residents == 0.0 {
            return 0.0;
        }
        self.of_sets.iter().fold(self.residents, |persons, count| persons * count / self.residents)
    }
}

impl ZipSums {
    fn add(&mut self, zip: &Counts, crossed: f64) {
        let Counts { residents, of_sets } = &mut self.counts;
        self.crossed += crossed;
        *residents += zip.residents;
        of_sets.resize(zip.of_sets.len(), 0.0);
        of_sets.iter_mut().zip(&zip.of_sets).for_each(|(sum, count)| *sum += count);
    }

    /// Returns the ratio of the number of crossed persons to the number that would be expected if the kinds
    /// of cells were independent in the county as a whole.
    fn association(&self) -> f64 {
        let expected = self.counts.crossed();
        if expected > 0.0 { self.crossed / expected } else { 1.0 }
    }
}

impl PersonsByArea<'_> {
    pub fn of(&self, area: GeographyIndex) -> u32 {
        match self {
            Self::Stored(population, segment) => population.persons(*segment, area),
            Self::Computed(persons) => persons[area.position()],
        }
    }
}

/// The reason why cohorts can't be composed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ComposeError {
    #[error("no cohort has the id {0:?}")]
    Unknown(String),
    #[error("a cohort can be composed of at most {MAX_COMPONENTS} cohorts, got {0}")]
    TooMany(usize),
    #[error("the cohort of all persons can't be combined with others")]
    Everyone,
    #[error("no one is in all of these cohorts: {0}")]
    Disjoint(String),
}

impl ComposedCohort {
    /// Finds a cohort by its ID, which is the ID of a segment or several such IDs joined by `.` in any order.
    ///
    /// # Errors
    ///
    /// Returns an error if an ID is unknown, or if the cohorts can't be combined.
    pub fn find(population: &Population, id: &str) -> Result<Self, ComposeError> {
        let find = |id: &str| id.parse().ok().and_then(|id| population.find(&id));
        let segments =
            id.split(SEPARATOR).map(|id| find(id).ok_or_else(|| ComposeError::Unknown(id.to_owned())));
        Self::of(population, segments.collect::<Result<_, _>>()?)
    }

    /// Composes a cohort from segments.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_COMPONENTS`] different segments, if the segment of all
    /// persons is combined with others, or if no one can be in all of the segments.
    pub fn of(population: &Population, mut segments: Vec<SegmentIndex>) -> Result<Self, ComposeError> {
        segments.sort_unstable();
        segments.dedup();
        if segments.len() > MAX_COMPONENTS {
            return Err(ComposeError::TooMany(segments.len()));
        }
        if segments.len() > 1 && segments.contains(&Population::EVERYONE) {
            return Err(ComposeError::Everyone);
        }
        let cells: Vec<CellSet> = segments.iter().map(|segment| population.cells_of(*segment)).collect();
        let of_kind = |kind: &CellKind| {
            let sets = cells.iter().map(|set| set.of_kind(*kind)).filter(|set| *set != CellSet::EVERYONE);
            sets.reduce(CellSet::intersection)
        };
        let sets: Vec<CellSet> = CellKind::ALL.iter().filter_map(of_kind).collect();
        let cohort = Self { segments, sets };
        if cohort.segments.len() > 1 && cohort.sets.contains(&CellSet::EVERYONE) {
            return Err(ComposeError::Disjoint(cohort.description(population)));
        }
        Ok(cohort)
    }

    /// Returns the cohort of all persons.
    pub fn everyone() -> Self {
        Self { segments: vec![Population::EVERYONE], sets: Vec::new() }
    }

    /// Returns the segment if there's exactly one, or `None` if the cohort is composed of several.
    pub fn single(&self) -> Option<SegmentIndex> {
        let [segment] = self.segments[..] else { return None };
        Some(segment)
    }

    /// Returns the segments, in catalog order.
    pub fn segments<'a>(&'a self, population: &'a Population) -> impl Iterator<Item = Segment<'a>> {
        self.segments.iter().map(|segment| population.segment(*segment))
    }

    /// Returns the cohort's ID. The segments' IDs are in catalog order.
    pub fn id(&self, population: &Population) -> String {
        let ids: Vec<String> = self.segments(population).map(|segment| segment.id.to_string()).collect();
        ids.join(&SEPARATOR.to_string())
    }

    /// Returns the segments' descriptions, joined by ` + `.
    pub fn description(&self, population: &Population) -> String {
        let names: Vec<&str> = self.segments(population).map(|segment| segment.description).collect();
        names.join(" + ")
    }

    /// Returns the source of the population shares that the cohort's counts are based on.
    pub fn shares(&self, population: &Population) -> CohortShares {
        CohortShares::of(self.segments(population).map(|segment| segment.shares), self.is_crossed())
    }

    /// Combines the provenance of population counts with the sources of the cohort's shares.
    pub fn provenance(&self, population: &Population, persons: &Provenance) -> Provenance {
        let mut about = provenance_of_cohorts(persons, self.segments(population));
        if self.is_crossed() {
            about.data_maturity = about.data_maturity.max(Maturity::SyntheticOnly);
            about.source = format!("{}; {CROSSED}", about.source);
        }
        about
    }

    /// Returns whether the cohort crosses different kinds of cells. Its counts are then modelled.
    pub(super) fn is_crossed(&self) -> bool {
        self.sets.len() > 1
    }

    /// Returns the number of persons in each geography.
    ///
    /// For crossed cohorts, each county's association between kinds of cells is derived from the ZIP codes
    /// that are assigned to the county. Larger areas are the sums of their counties, except that a ZIP code
    /// in a different television market than its county counts toward its own market.
    pub fn persons<'a>(&self, population: &'a Population, geographies: &Geographies) -> PersonsByArea<'a> {
        let areas = || (0..geographies.len() as u32).map(GeographyIndex::from_raw);
        match (&self.segments[..], &self.sets[..]) {
            ([segment], _) => PersonsByArea::Stored(population, *segment),
            (_, [set]) => {
                let count = |area| population.cells(area).persons_of(*set, geographies.get(area).population);
                PersonsByArea::Computed(areas().map(count).collect())
            }
            _ => PersonsByArea::Computed(self.crossed_persons(population, geographies)),
        }
    }

    fn crossed_persons(&self, population: &Population, geographies: &Geographies) -> Vec<u32> {
        let mut persons = vec![0; geographies.len()];
        let mut zips = vec![ZipSums::default(); geographies.len()];
        let mut moved = Vec::new();
        for zip in geographies.of_type(GeographyType::Zip) {
            let Geography { population: all, county, dma, .. } = geographies.get(zip);
            let counts = self.counts(&population.cells(zip), all);
            let crossed = counts.crossed();
            persons[zip.position()] = crossed.round() as u32;
            let Some(county) = county else { continue };
            zips[county.position()].add(&counts, crossed);
            let home = geographies.get(county).dma;
            if dma != home {
                moved.push((home, dma, persons[zip.position()]));
            }
        }
        for county in geographies.of_type(GeographyType::County) {
            let Geography { population: all, state, cbsa, dma, .. } = geographies.get(county);
            let counts = self.counts(&population.cells(county), all);
            let most = counts.of_sets.iter().copied().fold(counts.residents, f64::min);
            let count = counts.crossed() * zips[county.position()].association();
            let count = count.round().min(most) as u32;
            for area in [Some(county), state, cbsa, dma, Some(geographies.nation())].into_iter().flatten() {
                persons[area.position()] += count;
            }
        }
        for (from, to, count) in moved {
            from.into_iter().for_each(|dma| persons[dma.position()] -= count.min(persons[dma.position()]));
            to.into_iter().for_each(|dma| persons[dma.position()] += count);
        }
        persons
    }

    fn counts(&self, cells: &Cells, residents: u32) -> Counts {
        let of_sets = self.sets.iter().map(|set| f64::from(cells.persons_of(*set, residents)));
        Counts { residents: residents.into(), of_sets: of_sets.collect() }
    }
}
