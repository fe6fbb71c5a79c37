//! Audience reports on places.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use dataset::{DayOfWeek, History, Measure, Origin, PlaceId, PlaceIndex, Report, SegmentShare};
use deserr::Deserr;
use release_store::with_record_sources;
use serde::Serialize;
use shared::http::{ApiError, Code, JsonBody, Reply};
use shared::input::{Items, Violations};

use crate::Release;
use crate::id::RequestedPlace;
use crate::performance::Performance;
use crate::release::Area;

/// The most places that one report takes together.
const MAX_PLACES: usize = 1_000;

/// The body: `PlaceReportRequest` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct ReportBody {
    place_id: Items<RequestedPlace, 1, MAX_PLACES>,
}

/// The audience of a place, or of several taken together: `PlaceReportReply` in openapi.yaml.
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
    dwell: Dwell,
    history: History,
    invalid_ids: Vec<u64>,
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
}

#[derive(Debug, Serialize)]
struct ReportedArea {
    id: String,
    description: String,
    weekly_visits: u64,
    daily_visits: f64,
}

#[derive(Debug, Serialize)]
struct Dwell {
    persons_000_030min: f64,
    persons_030_060min: f64,
    persons_060_120min: f64,
    persons_120_240min: f64,
    persons_240_plus: f64,
}

/// Answers with the audience of one place, or of several taken together.
pub(crate) async fn report(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<PlaceReport>, ApiError> {
    let ReportBody { place_id } = body.read()?;
    // Each once and in ascending order: the order of the request does not matter.
    let ids: BTreeSet<PlaceId> = place_id.into_iter().map(PlaceId::from).collect();
    let (mut known, mut measures, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        match release.measure(id)? {
            Some(measure) => {
                known.push(id);
                measures.push(measure);
            }
            None => invalid.push(id.raw()),
        }
    }
    let sum = Measure::sum(&measures).ok_or_else(|| unmeasured(&release, &invalid))?;
    let places: Vec<PlaceIndex> = known.iter().filter_map(|id| release.places.find(*id)).collect();
    let about = release.about_measures(sum.is_modelled());
    let about = with_record_sources(about, release.places.sources_of(&places));
    Ok(Reply::flat(PlaceReport::new(&release, &known, &sum, invalid)).with_provenance(about))
}

fn unmeasured(release: &Release, invalid: &[u64]) -> ApiError {
    let known = invalid.iter().any(|id| release.places.find(PlaceId::from_raw(*id)).is_some());
    let message = if known {
        "none of these places has been measured yet"
    } else {
        "there is no place with any of these ids; POST /v2/msearch finds places"
    };
    ApiError::new(Code::NotFound, message)
}

impl PlaceReport {
    fn new(release: &Release, known: &[PlaceId], sum: &Measure, invalid_ids: Vec<u64>) -> Self {
        let report = release.report(sum);
        let performance = Performance::from(&report);
        let Report { segments, postal_codes, counties, dmas, states, days, dwell, history, .. } = report;
        let areas =
            |origins: Vec<Origin>| origins.iter().map(|origin| ReportedArea::new(release, origin)).collect();
        let [
            persons_000_030min,
            persons_030_060min,
            persons_060_120min,
            persons_120_240min,
            persons_240_plus,
        ] = dwell;
        Self {
            places: [ReportedPlace::new(release, known, performance)],
            place_count: known.len(),
            segments: segments.iter().map(|segment| ReportedSegment::new(release, segment)).collect(),
            county: areas(counties),
            dma: areas(dmas),
            postal_code: areas(postal_codes),
            state: areas(states),
            days,
            dwell: Dwell {
                persons_000_030min,
                persons_030_060min,
                persons_060_120min,
                persons_120_240min,
                persons_240_plus,
            },
            history,
            invalid_ids,
        }
    }
}

impl ReportedPlace {
    fn new(release: &Release, known: &[PlaceId], performance: Performance) -> Self {
        let (name, place_id) = match known {
            [one] => {
                let place = release.places.find(*one).map(|place| release.places.get(place).name.to_owned());
                (place.unwrap_or_default(), OneOrMany::One(one.raw()))
            }
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
        }
    }
}

impl ReportedArea {
    fn new(release: &Release, origin: &Origin) -> Self {
        let Origin { geography, weekly_visits, daily_visits } = *origin;
        let Area { id, name } = release.area(geography);
        Self { id, description: name, weekly_visits, daily_visits }
    }
}
