//! How a place performs, as profiles and reports say it alike.

use dataset::Report;
use serde::Serialize;

/// The members that say the same of all places of a type, or follow the visits in the same proportion: a model
/// knows nothing by which to tell those places apart.
const CONSTANTS_OF_TYPE: [&str; 4] =
    ["activities", "visits_unique_persons", "visits_avg_dwell", "visits_frequency_per_person"];

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
    constants_of_type: &'static [&'static str],
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
            constants_of_type: if report.modelled { &CONSTANTS_OF_TYPE } else { &[] },
        }
    }
}
