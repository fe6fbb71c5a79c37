//! How a place performs, as profiles and reports say it alike.

use dataset::Report;
use serde::Serialize;

/// How a place performs in an average week: a part of `PlaceProfileReply` and `PlaceReportReply` in
/// openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Performance {
    activities: u64,
    visits: u64,
    visits_unique_persons: u64,
    /// Minutes.
    visits_avg_dwell: f64,
    visits_frequency_per_person: f64,
    percentile: Option<u8>,
    certified: bool,
    local_radius_visits_local: u64,
    local_radius_visits_non_local: u64,
}

impl From<&Report> for Performance {
    fn from(report: &Report) -> Self {
        Self {
            activities: report.activities,
            visits: report.visits,
            visits_unique_persons: report.unique_persons,
            visits_avg_dwell: report.avg_dwell,
            visits_frequency_per_person: report.frequency,
            percentile: report.percentile,
            certified: report.certified,
            local_radius_visits_local: report.local,
            local_radius_visits_non_local: report.non_local,
        }
    }
}
