//! The part of a report that compares places side by side for selected cohorts.

use std::collections::BTreeSet;

use dataset::{
    ComposedCohort, Maturity, Measure, PersonsByArea, PlaceId, Population, Provenance, SegmentIndex,
    SegmentShare, index_of, share_by_homes,
};
use deserr::Deserr;
use filters::not_a_cohort;
use gateway::{ApiError, Identifier, Items, Violations};
use serde::Serialize;

use crate::Release;

/// The maximum number of places that one report compares.
const MAX_PLACES: usize = 100;

/// The maximum number of cohorts that one report compares.
const MAX_SEGMENTS: usize = 20;

/// The provenance source for the shares of composed cohorts.
const COMPOSED: &str = "composed cohorts: modelled from the ZIP codes where visitors live";

/// The `by_place` object in the request body.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct ByPlaceBody {
    service_segment_ids: Items<Identifier, 1, MAX_SEGMENTS>,
}

/// A compared place. See `by_place` in `PlaceReportReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ComparedPlace {
    place_id: u64,
    name: String,
    visits: u64,
    percentile: Option<u8>,
    maturity: Maturity,
    segments: Vec<ComparedSegment>,
}

/// A cohort's share of a place's visitors. The figures are null if the place's record doesn't contain the
/// cohort.
#[derive(Debug, Serialize)]
struct ComparedSegment {
    service_segment_id: String,
    percent: Option<f64>,
    index: Option<f64>,
}

/// The source of a cohort's share of a place's visitors.
pub(crate) enum ComparedCohort<'a> {
    /// The place's record.
    Stored(SegmentIndex),
    Composed {
        id: String,
        population: &'a Population,
        persons: PersonsByArea<'a>,
        /// The cohort's share of the nation's population, from 0 to 1.
        base: f64,
    },
}

impl ByPlaceBody {
    /// Returns the cohorts in request order, without duplicates. Returns an error if a cohort is unknown or
    /// there are too many places.
    pub(crate) fn cohorts(
        &self,
        release: &Release,
        places: usize,
    ) -> Result<Vec<ComposedCohort>, Violations> {
        let mut violations = Violations::default();
        if places > MAX_PLACES {
            let detail = format!(
                "must have at most {MAX_PLACES} places with by_place, but has {places}; split the places \
                 across several calls, or omit by_place"
            );
            violations.add("/place_id", detail);
        }
        let mut cohorts = Vec::new();
        for (at, id) in self.service_segment_ids.as_slice().iter().enumerate() {
            match release.population.compose(id.as_str()) {
                Ok(cohort) if cohorts.contains(&cohort) => {}
                Ok(cohort) => cohorts.push(cohort),
                Err(error) => violations
                    .add(format!("/by_place/service_segment_ids/{at}"), not_a_cohort(id.as_str(), &error)),
            }
        }
        violations.or(cohorts)
    }
}

/// Compares the measured places in a request, in request order and without duplicates. `measured` must be
/// sorted by ID.
pub(crate) fn compare(
    release: &Release,
    asked: &[PlaceId],
    measured: &[(PlaceId, Measure)],
    cohorts: &[ComparedCohort<'_>],
) -> Vec<ComparedPlace> {
    let mut seen = BTreeSet::new();
    let once = asked.iter().filter(|id| seen.insert(**id));
    let found = once.filter_map(|id| {
        let at = measured.binary_search_by_key(id, |(id, _)| *id).ok()?;
        Some(ComparedPlace::new(release, *id, &measured[at].1, cohorts))
    });
    found.collect()
}

/// If a report compares composed cohorts, adds their source to its provenance and lowers its maturity.
pub(crate) fn provenance(about: Provenance, cohorts: &[ComposedCohort]) -> Provenance {
    if cohorts.iter().all(|cohort| cohort.single().is_some()) {
        return about;
    }
    Provenance {
        source: format!("{}; {COMPOSED}", about.source),
        data_maturity: Maturity::SyntheticOnly,
        ..about
    }
}

impl<'a> ComparedCohort<'a> {
    /// Finds the source of each cohort's shares. Fetches the ZIP code population when a report first
    /// compares a composed cohort.
    pub(crate) async fn all(release: &'a Release, cohorts: &[ComposedCohort]) -> Result<Vec<Self>, ApiError> {
        let mut all = Vec::new();
        for cohort in cohorts {
            all.push(match cohort.single() {
                Some(segment) => Self::Stored(segment),
                None => Self::composed(release, release.zip_population().await?, cohort),
            });
        }
        Ok(all)
    }

    fn composed(release: &'a Release, population: &'a Population, cohort: &ComposedCohort) -> Self {
        let nation = release.geographies.nation();
        let persons = cohort.persons(population, &release.geographies);
        let everyone = population.persons(Population::EVERYONE, nation);
        let base = f64::from(persons.of(nation)) / f64::from(everyone);
        Self::Composed { id: cohort.id(population), population, persons, base }
    }
}

impl ComparedPlace {
    fn new(release: &Release, id: PlaceId, measure: &Measure, cohorts: &[ComparedCohort<'_>]) -> Self {
        Self {
            place_id: id.raw(),
            name: release.place_name(id),
            visits: measure.visits(),
            percentile: measure.percentile,
            maturity: release.maturity(measure),
            segments: cohorts.iter().map(|one| ComparedSegment::new(release, measure, one)).collect(),
        }
    }
}

impl ComparedSegment {
    fn new(release: &Release, measure: &Measure, cohort: &ComparedCohort<'_>) -> Self {
        match cohort {
            ComparedCohort::Stored(segment) => {
                let share = SegmentShare::of(measure, *segment, release.population.share(*segment));
                Self {
                    service_segment_id: release.population.segment(*segment).id.to_string(),
                    percent: share.map(|share| share.percent),
                    index: share.map(|share| share.index),
                }
            }
            ComparedCohort::Composed { id, population, persons, base } => {
                let residents = |zip| f64::from(population.persons(Population::EVERYONE, zip));
                let percent = share_by_homes(measure, |zip| f64::from(persons.of(zip)) / residents(zip));
                Self {
                    service_segment_id: id.clone(),
                    percent,
                    index: percent.map(|percent| index_of(percent, *base)),
                }
            }
        }
    }
}
