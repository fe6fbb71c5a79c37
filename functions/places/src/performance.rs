//! A place's performance, shared by profiles and reports.

use dataset::Report;
use serde::Serialize;

/// The members that are the same for all places of a type, or proportional to visits, because the model can't
/// distinguish those places any further.
const CONSTANTS_OF_TYPE: [&str; 4] =
    ["activities", "visits_unique_persons", "visits_avg_dwell", "visits_frequency_per_person"];

/// A place's performance in an average week: part of `PlaceProfileReply` and `PlaceReportReply` in
/// openapi.yaml. All members are null for a place that was never measured.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Performance {
    activities: Option<u64>,
    visits: Option<u64>,
    visits_unique_persons: Option<u64>,
    /// In minutes.
    visits_avg_dwell: Option<f64>,
    visits_frequency_per_person: Option<f64>,
    percentile: Option<u8>,
    certified: Option<bool>,
    local_radius_visits_local: Option<u64>,
    local_radius_visits_non_local: Option<u64>,
    constants_of_type: &'static [&'static str],
}

impl From<&Report> for Performance {
    fn from(report: &Report) -> Self {
        Self {
            activities: Some(report.activities),
            visits: Some(report.visits),
            visits_unique_persons: Some(report.unique_persons),
            visits_avg_dwell: Some(report.avg_dwell),
            visits_frequency_per_person: Some(report.frequency),
            percentile: report.percentile,
            certified: Some(report.certified),
            local_radius_visits_local: Some(report.local),
            local_radius_visits_non_local: Some(report.non_local),
            constants_of_type: if report.modelled { &CONSTANTS_OF_TYPE } else { &[] },
        }
    }
}
