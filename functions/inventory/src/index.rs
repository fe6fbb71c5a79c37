//! The index of displays for a cohort, which searches can sort by. Displays in the same ZIP code and
//! environment have the same index.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use contact_model::{Homes, MODEL, ZipCodes};
use dataset::inventory::SpotIndex;
use dataset::{
    ComposedCohort, Environment, Exposures, Folder, Geographies, Maturity, Part, Population, Provenance,
    ReleaseError,
};
use filters::not_a_cohort;
use gateway::Violations;
use lru::LruCache;

/// The member of a request that contains the cohort.
pub(crate) const COHORT: &str = "service_segment_id";

/// The maximum number of cohorts whose indexes are kept between calls.
const MAX_COHORTS: NonZeroUsize = NonZeroUsize::new(16).expect("the limit is not zero");

const ENVIRONMENTS: usize = Environment::ALL.len();

/// The rank of an index that hasn't been computed yet.
const UNKNOWN: u32 = u32::MAX;

/// The input taken from display records, as named in the provenance.
const DISPLAY_INPUT: &str = "assumptions about display environments";

/// The release data from which indexes are computed, and the indexes for recently requested cohorts.
#[derive(Debug)]
pub(crate) struct Indexes {
    population: Population,
    exposures: Exposures,
    /// Computed once, because it's the same for all cohorts.
    zips: OnceLock<ZipCodes>,
    cohorts: Mutex<LruCache<String, Arc<CohortIndex>>>,
}

/// The index of each display for a cohort, with everyone as the base.
pub(crate) struct DisplayIndex<'a> {
    indexes: &'a Indexes,
    zips: &'a ZipCodes,
    cohort: Arc<CohortIndex>,
}

/// The indexes for a cohort, by ZIP code and environment.
#[derive(Debug)]
struct CohortIndex {
    cohort: ComposedCohort,
    homes: Homes,
    /// The ranks that [`DisplayIndex::rank`] returns. Each rank is computed when a search first needs it.
    ranks: Vec<[AtomicU32; ENVIRONMENTS]>,
}

impl Indexes {
    pub(crate) const PARTS: [Part; 2] = [Part::Population, Part::Exposures];

    pub(crate) fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self {
            population: Population::open(folder)?,
            exposures: Exposures::open(folder)?,
            zips: OnceLock::new(),
            cohorts: Mutex::new(LruCache::new(MAX_COHORTS)),
        })
    }

    /// Returns the indexes for the cohort with the given ID, or a violation if the cohort is unknown.
    pub(crate) fn of(&self, geographies: &Geographies, id: &str) -> Result<DisplayIndex<'_>, Violations> {
        let cohort = ComposedCohort::find(&self.population, id)
            .map_err(|error| Violations::one(format!("/{COHORT}"), not_a_cohort(id, &error)))?;
        let zips = self.zips.get_or_init(|| ZipCodes::of(geographies, &self.population));
        let mut cohorts = self.cohorts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(CohortIndex::new(zips, geographies, &self.population, cohort.clone()));
        let cohort = cohorts.get_or_insert(cohort.id(&self.population), new).clone();
        Ok(DisplayIndex { indexes: self, zips, cohort })
    }
}

impl DisplayIndex<'_> {
    /// Returns the index of a display, rounded to one decimal place. `None` if the display has no known local
    /// viewers, or if no one is in the cohort.
    pub(crate) fn of(&self, spot: SpotIndex) -> Option<f64> {
        let tenths = self.rank(spot).checked_sub(1)?;
        Some(f64::from(tenths) / 10.0)
    }

    /// Returns the index in tenths plus 1, or 0 if the display has no index.
    pub(crate) fn rank(&self, spot: SpotIndex) -> u32 {
        let surroundings = self.indexes.exposures.surroundings(spot);
        surroundings.map_or(0, |(zip, environment)| self.cohort.rank(self.zips, zip, environment))
    }

    /// Adds the inputs from which indexes are computed to the displays' provenance.
    pub(crate) fn provenance(&self, displays: Provenance, zips: &Provenance) -> Provenance {
        let of_cohort = self.cohort.cohort.provenance(&self.indexes.population, zips);
        let modelled_from = [DISPLAY_INPUT.to_owned()].into_iter().chain(of_cohort.modelled_from);
        Provenance {
            source: format!("{}; index: {MODEL} from {}", displays.source, of_cohort.source),
            data_maturity: Maturity::SyntheticOnly,
            modelled_from: displays.modelled_from.into_iter().chain(modelled_from).collect(),
            cohort_resolution: of_cohort.cohort_resolution,
            known_gaps: [displays.known_gaps, of_cohort.known_gaps].concat(),
            ..displays
        }
    }
}

impl CohortIndex {
    fn new(
        zips: &ZipCodes,
        geographies: &Geographies,
        population: &Population,
        cohort: ComposedCohort,
    ) -> Self {
        let homes = zips.homes(geographies, population, [&cohort, &ComposedCohort::everyone()]);
        let ranks = zips.iter().map(|_| [UNKNOWN; ENVIRONMENTS].map(AtomicU32::new)).collect();
        Self { cohort, homes, ranks }
    }

    fn rank(&self, zips: &ZipCodes, zip: u16, environment: Environment) -> u32 {
        let rank = &self.ranks[usize::from(zip)][environment as usize];
        // If calls compute the same rank concurrently, they store the same number, so no lock is needed.
        let known = rank.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let index = zips.index(&self.homes, zip, environment);
        let computed = index.map_or(0, |index| (10.0 * index).round() as u32 + 1);
        rank.store(computed, Ordering::Relaxed);
        computed
    }
}
