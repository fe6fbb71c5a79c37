//! The part of a report that compares the places side by side for selected cohorts.

use std::collections::BTreeSet;

use dataset::{Maturity, Measure, PlaceId, SegmentIndex, SegmentShare};
use deserr::Deserr;
use gateway::{Identifier, Items, Violations, quoted};
use serde::Serialize;

use crate::Release;

/// The maximum number of places that one report compares.
const MAX_PLACES: usize = 100;

/// The maximum number of cohorts that one report compares.
const MAX_SEGMENTS: usize = 20;

/// The `by_place` object in the request body.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct ByPlaceBody {
    service_segment_ids: Items<Identifier, 1, MAX_SEGMENTS>,
}

/// A compared place. See `by_place` of `PlaceReportReply` in openapi.yaml.
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

impl ByPlaceBody {
    /// Returns the cohorts in request order, without duplicates. Returns an error if a cohort is unknown or
    /// there are too many places.
    pub(crate) fn segments(&self, release: &Release, places: usize) -> Result<Vec<SegmentIndex>, Violations> {
        let mut violations = Violations::default();
        if places > MAX_PLACES {
            let detail = format!(
                "must have at most {MAX_PLACES} places with by_place, has {places}; split the places over \
                 several calls, or omit by_place"
            );
            violations.add("/place_id", detail);
        }
        let mut segments = Vec::new();
        for (at, id) in self.service_segment_ids.as_slice().iter().enumerate() {
            let found = id.as_str().parse().ok().and_then(|id| release.population.find(&id));
            match found {
                Some(segment) if segments.contains(&segment) => {}
                Some(segment) => segments.push(segment),
                None => {
                    let id = quoted(id.as_str());
                    let detail = format!(
                        "must be a cohort of this release that isn't composed, got {id}; POST /v2/cohorts/search \
                         lists the cohorts of Population Anytime"
                    );
                    violations.add(format!("/by_place/service_segment_ids/{at}"), detail);
                }
            }
        }
        violations.or(segments)
    }
}

/// Compares the measured places of a request, in request order and without duplicates.
pub(crate) fn compare(
    release: &Release,
    asked: &[PlaceId],
    measured: &[(PlaceId, Measure)],
    segments: &[SegmentIndex],
) -> Vec<ComparedPlace> {
    let mut seen = BTreeSet::new();
    let once = asked.iter().filter(|id| seen.insert(**id));
    let found = once.filter_map(|id| {
        let at = measured.binary_search_by_key(id, |(id, _)| *id).ok()?;
        Some(ComparedPlace::new(release, *id, &measured[at].1, segments))
    });
    found.collect()
}

impl ComparedPlace {
    fn new(release: &Release, id: PlaceId, measure: &Measure, segments: &[SegmentIndex]) -> Self {
        Self {
            place_id: id.raw(),
            name: release.place_name(id),
            visits: measure.visits(),
            percentile: measure.percentile,
            maturity: release.maturity(measure),
            segments: segments.iter().map(|one| ComparedSegment::new(release, measure, *one)).collect(),
        }
    }
}

impl ComparedSegment {
    fn new(release: &Release, measure: &Measure, segment: SegmentIndex) -> Self {
        let share = SegmentShare::of(measure, segment, release.population.share(segment));
        Self {
            service_segment_id: release.population.segment(segment).id.to_string(),
            percent: share.map(|share| share.percent),
            index: share.map(|share| share.index),
        }
    }
}
