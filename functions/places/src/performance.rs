//! A place's performance, which is part of both profiles and reports.

use dataset::{Maturity, Report};
use serde::Serialize;

/// The fields that the model derives from the place type and the brand. Their values are the same for all
/// modelled places of a type and brand, or are proportional to visits.
const CONSTANTS_OF_TYPE: [&str; 4] =
    ["activities", "visits_unique_persons", "visits_avg_dwell", "visits_frequency_per_person"];

/// A place's performance in an average week, as in `PlaceProfileReply` and `PlaceReportReply` in
/// openapi.yaml. All figures are null for a place that has neither a measured nor a modelled record.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Performance {
    activities: Option<u64>,
    visits: Option<u64>,
    visits_unique_persons: Option<u64>,
    /// The average length of a visit, in minutes.
    visits_avg_dwell: Option<f64>,
    visits_frequency_per_person: Option<f64>,
    percentile: Option<u8>,
    certified: Option<bool>,
    maturity: Option<Maturity>,
    local_radius_visits_local: Option<u64>,
    local_radius_visits_non_local: Option<u64>,
    constants_of_type: &'static [&'static str],
}

impl Performance {
    pub(crate) fn new(report: &Report, maturity: Maturity) -> Self {
        Self {
            activities: Some(report.activities),
            visits: Some(report.visits),
            visits_unique_persons: Some(report.unique_persons),
            visits_avg_dwell: Some(report.avg_dwell),
            visits_frequency_per_person: Some(report.frequency),
            percentile: report.percentile,
            certified: Some(report.certified),
            maturity: Some(maturity),
            local_radius_visits_local: Some(report.local),
            local_radius_visits_non_local: Some(report.non_local),
            constants_of_type: if report.modelled { &CONSTANTS_OF_TYPE } else { &[] },
        }
    }
    /// Replaces the number of different visitors and adjusts the number of visits per visitor.
    pub(crate) fn with_persons(self, persons: Option<u64>) -> Self {
        let frequency = |(visits, persons): (u64, u64)| visits as f64 / persons as f64;
        Self {
            visits_unique_persons: persons,
            visits_frequency_per_person: self.visits.zip(persons).map(frequency),
            ..self
        }
    }
}
