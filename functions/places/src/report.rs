//! `POST /v2/measures/place/report`: the audience of one or more places.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::State;
use dataset::measures::DWELL_NAMES;
use dataset::{
    CohortShares, DayOfWeek, History, Measure, Origin, PlaceId, PlaceIndex, Report, SegmentShare,
    provenance_of_cohorts,
};
use deserr::Deserr;
use filters::RequestedPlace;
use gateway::{ApiError, Code, Items, JsonBody, Reply, Violations};
use serde::Serialize;

use crate::Release;
use crate::by_place::{self, ByPlaceBody, ComparedCohort, ComparedPlace};
use crate::performance::Performance;
use crate::visitors::unique_persons;

/// The maximum number of places in one report.
const MAX_PLACES: usize = 1_000;

/// The fields of a report that the model derives only from the place type and the brand. All modelled places
/// of a type and brand have the same shares.
const CONSTANTS_OF_TYPE: [&str; 2] = ["days", "dwell"];

/// The request body. See `PlaceReportRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct ReportBody {
    place_id: Items<RequestedPlace, 1, MAX_PLACES>,
    by_place: Option<ByPlaceBody>,
}

/// The audience of one place or of several places combined. See `PlaceReportReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct PlaceReport {
    places: [ReportedPlace; 1],
    place_count: usize,
    segments: Vec<ReportedSegment>,
    county: Vec<ReportedArea>,
    dma: Vec<ReportedArea>,
    postal_code: Vec<ReportedArea>,
    state: Vec<ReportedArea>,
    days: [DayOfWeek; 7],
    dwell: BTreeMap<&'static str, f64>,
    history: History,
    constants_of_type: &'static [&'static str],
    invalid_ids: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_place: Option<Vec<ComparedPlace>>,
}

#[derive(Debug, Serialize)]
struct ReportedPlace {
    name: String,
    place_id: OneOrMany,
    #[serde(flatten)]
    performance: Performance,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OneOrMany {
    One(u64),
    Many(Vec<u64>),
}

#[derive(Debug, Serialize)]
struct ReportedSegment {
    r#type: String,
    category: String,
    description: String,
    id: String,
    percent: f64,
    index: f64,
    service_segment_id: String,
    shares: CohortShares,
}

#[derive(Debug, Serialize)]
struct ReportedArea {
    id: String,
    description: String,
    weekly_visits: u64,
    daily_visits: f64,
}

/// Responds with the audience of one place or of several places combined.
pub(crate) async fn report(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<PlaceReport>, ApiError> {
    let ReportBody { place_id, by_place } = body.read()?;
    let asked: Vec<PlaceId> = place_id.into_iter().map(|RequestedPlace(id)| id).collect();
    // Sort and deduplicate the IDs. Their order doesn't affect the sum.
    let ids: BTreeSet<PlaceId> = asked.iter().copied().collect();
    let cohorts = by_place.map(|by_place| by_place.cohorts(&release, ids.len())).transpose()?;
    let (mut measured, mut invalid) = (Vec::new(), Vec::new());
    for id in ids {
        match release.measure(id).await? {
            Some(measure) => measured.push((id, measure)),
            None => invalid.push(id.raw()),
        }
    }
    let sum = Measure::sum(measured.iter().map(|(_, measure)| measure));
    let sum = sum.ok_or_else(|| unmeasured(&release, &invalid))?;
    let known: Vec<PlaceId> = measured.iter().map(|(id, _)| *id).collect();
    let places: Vec<PlaceIndex> = known.iter().filter_map(|id| release.places.find(*id)).collect();
    let segments = sum.segments.iter().map(|segment| release.population.segment(segment.0));
    let about = provenance_of_cohorts(release.about_measures(sum.modelled), segments);
    let about = by_place::provenance(about, cohorts.as_deref().unwrap_or_default());
    let sources = release.places.sources_of(&places);
    let by_place = match &cohorts {
        Some(cohorts) => {
            let cohorts = ComparedCohort::all(&release, cohorts).await?;
            Some(by_place::compare(&release, &asked, &measured, &cohorts))
        }
        None => None,
    };
    let persons = unique_persons(&release, &measured);
    let report = PlaceReport { by_place, ..PlaceReport::new(&release, &known, &sum, persons, invalid) };
    Ok(Reply::flat(report).with_provenance(about).with_sources(sources))
}

fn unmeasured(release: &Release, invalid: &[u64]) -> ApiError {
    let known = invalid.iter().any(|id| release.places.find(PlaceId::from_raw(*id)).is_some());
    let message = if known {
        "none of these places has visit data yet"
    } else {
        "no place has any of these ids; find places with POST /v2/msearch"
    };
    ApiError::new(Code::NotFound, message)
}

impl PlaceReport {
    /// Creates the response from the sum of the places' records. `persons` is the number of different
    /// visitors to the places. In `sum`, a person who visits several places counts several times.
    fn new(
        release: &Release,
        known: &[PlaceId],
        sum: &Measure,
        persons: Option<u64>,
        invalid_ids: Vec<u64>,
    ) -> Self {
        let report = release.report(sum);
        let performance = Performance::new(&report, release.maturity(sum)).with_persons(persons);
        let Report { modelled, segments, postal_codes, counties, dmas, states, days, dwell, history, .. } =
            report;
        let areas =
            |origins: Vec<Origin>| origins.iter().map(|origin| ReportedArea::new(release, origin)).collect();
        Self {
            places: [ReportedPlace::new(release, known, performance)],
            place_count: known.len(),
            segments: segments.iter().map(|segment| ReportedSegment::new(release, segment)).collect(),
            county: areas(counties),
            dma: areas(dmas),
            postal_code: areas(postal_codes),
            state: areas(states),
            days,
            dwell: DWELL_NAMES.into_iter().zip(dwell).collect(),
            history,
            constants_of_type: if modelled { &CONSTANTS_OF_TYPE } else { &[] },
            invalid_ids,
            by_place: None,
        }
    }
}

impl ReportedPlace {
    fn new(release: &Release, known: &[PlaceId], performance: Performance) -> Self {
        let (name, place_id) = match known {
            [one] => (release.place_name(*one), OneOrMany::One(one.raw())),
            many => {
                let ids = many.iter().map(|id| id.raw()).collect();
                (format!("{} places", many.len()), OneOrMany::Many(ids))
            }
        };
        Self { name, place_id, performance }
    }
}

impl ReportedSegment {
    fn new(release: &Release, share: &SegmentShare) -> Self {
        let segment = release.population.segment(share.segment);
        Self {
            r#type: segment.kind.to_owned(),
            category: segment.category.to_owned(),
            description: segment.description.to_owned(),
            id: segment.key.to_owned(),
            percent: share.percent,
            index: share.index,
            service_segment_id: segment.id.to_string(),
            shares: segment.shares.into(),
        }
    }
}

impl ReportedArea {
    fn new(release: &Release, origin: &Origin) -> Self {
        let Origin { geography, weekly_visits, daily_visits } = *origin;
        let area = release.geographies.get(geography);
        let description = area.name_with_zip().into_owned();
        Self { id: area.id.to_string(), description, weekly_visits, daily_visits }
    }
}
