//! Computes measurement reports and converts them to and from their stored form.

use accounting::{Day, Timestamp};
use dataset::Provenance;
use gateway::Violations;
use measurement::EventType;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{ReportTooLarge, StoreError, StoredReport};

use crate::Release;
use crate::estimates::Estimated;

/// The position of a purchase's final report. A provisional report's position is the number of the last day
/// that it covers, counted from 0.
pub(super) const LAST: u64 = 1_000;

/// The maximum number of violations that are listed in the reason for a failure.
const SHOWN_VIOLATIONS: usize = 10;

/// The report of a measurement, with its provenance. See `MeasurementReport` in openapi.yaml.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) status: ReportStatus,
    /// The last day that the results cover. `None` if the measurement failed.
    pub(crate) through_date: Option<Day>,
    /// The reason the measurement failed. `None` if it didn't fail.
    pub(crate) failure: Option<String>,
    /// The name of the data release that the results were computed from.
    pub(crate) release: String,
    pub(crate) results: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) provenance: Option<Provenance>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportStatus {
    /// The campaign or event is still running.
    Provisional,
    Final,
    Failed,
}

impl ReportStatus {
    /// Returns the type of the event that announces a report.
    pub(crate) fn event_type(self) -> EventType {
        match self {
            Self::Provisional => EventType::Measured,
            Self::Final => EventType::Completed,
            Self::Failed => EventType::Failed,
        }
    }
}

impl Report {
    pub(crate) fn of(estimated: Estimated, through: Day, status: ReportStatus, release: &Release) -> Self {
        let Estimated { json, warnings: _, provenance } = estimated;
        Self {
            status,
            through_date: Some(through),
            failure: None,
            release: release.name.clone(),
            results: Some(json),
            provenance: Some(provenance),
        }
    }

    /// Returns the report of a measurement that failed for the reasons in `violations`.
    pub(crate) fn failed(violations: &Violations, release: &Release) -> Self {
        let shown = violations.as_slice().iter().take(SHOWN_VIOLATIONS);
        let mut reasons: Vec<_> = shown.map(|why| format!("{} {}", why.pointer, why.detail)).collect();
        if violations.count() > SHOWN_VIOLATIONS {
            reasons.push(format!("and {} more", violations.count() - SHOWN_VIOLATIONS));
        }
        Self {
            status: ReportStatus::Failed,
            through_date: None,
            failure: Some(reasons.join("; ")),
            release: release.name.clone(),
            results: None,
            provenance: None,
        }
    }

    pub(crate) fn from_stored(stored: &StoredReport) -> Result<Self, StoreError> {
        serde_json::from_slice(&stored.json()?).map_err(|_| StoreError::Corrupt("report"))
    }

    /// Converts the report of a purchase to its stored form. Returns an error if it's too large.
    pub(crate) fn to_stored(
        &self,
        purchased_at: Timestamp,
        position: u64,
    ) -> Result<StoredReport, ReportTooLarge> {
        let json = serde_json::to_vec(self).expect("a report serializes to JSON");
        StoredReport::new(purchased_at, position, &json)
    }
}

/// Returns the violation to report for an asset whose report is too large.
pub(crate) fn too_large(error: ReportTooLarge) -> Violations {
    let rule = format!(
        "must result in a smaller report: {error}; use fewer, larger areas, and correct any unknown display or \
         place IDs"
    );
    Violations::one("/cohort/geography_ids", rule)
}
