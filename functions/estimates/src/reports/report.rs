//! The report of a measurement: what it contains, and how it's computed.

use accounting::Day;
use dataset::Provenance;
use measurement::EventType;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Purchase, StoreError, StoredReport};

use crate::Release;
use crate::estimates::Estimated;

/// The position of the last report of a purchase. Those of provisional reports are numbers of days.
const LAST: u64 = 1_000;

/// A report. Without its provenance, it's `MeasurementReport` in openapi.yaml.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) status: ReportStatus,
    /// The last day that the results cover. `None` if the measurement failed.
    pub(crate) through_date: Option<Day>,
    /// Why the measurement failed.
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
    /// The campaign is still running.
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

    pub(crate) fn failed(reason: String, release: &Release) -> Self {
        Self {
            status: ReportStatus::Failed,
            through_date: None,
            failure: Some(reason),
            release: release.name.clone(),
            results: None,
            provenance: None,
        }
    }

    pub(crate) fn from_stored(stored: &StoredReport) -> Result<Self, StoreError> {
        serde_json::from_slice(&stored.json).map_err(|_| StoreError::Corrupt("report"))
    }

    /// Returns the report of a purchase as it's stored. `first` is the first day of the campaign.
    pub(crate) fn to_stored(&self, purchase: &Purchase, first: Day) -> StoredReport {
        let is_last = self.status != ReportStatus::Provisional;
        let days = self.through_date.map(|through| through.days_since(first).unsigned_abs());
        let position = days.filter(|_| !is_last).unwrap_or(LAST);
        let json = serde_json::to_vec(self).expect("a report serializes to JSON");
        StoredReport { purchased_at: purchase.purchased_at, position, json }
    }
}
