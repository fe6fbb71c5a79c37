//! The report of a measurement: what it contains, and how it's computed.

use accounting::Day;
use dataset::Provenance;
use gateway::ApiError;
use measurement::EventType;
use scenario_bodies::{Campaign, Event, Scenario};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Purchase, StoreError, StoredReport};

use super::steps::{Span, day_of, end_of};
use crate::estimates::Estimated;
use crate::{Release, campaign, event};

/// The position of the last report of a purchase. Those of provisional reports are numbers of days.
const LAST: u64 = 1_000;

/// A report as it's stored. See `MeasurementReport` in openapi.yaml.
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

/// A scenario that can be measured.
pub(crate) trait Measured: Scenario {
    fn span(&self) -> Span;

    /// Computes the results through a day. The error has violations if the release has no results for the
    /// scenario.
    fn estimate(
        self,
        through: Day,
        release: &Release,
    ) -> impl Future<Output = Result<Estimated, ApiError>> + Send;
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

impl Measured for Campaign {
    fn span(&self) -> Span {
        Span { first: self.flight.start_date.day(), last: self.flight.end_date.day() }
    }

    async fn estimate(mut self, through: Day, release: &Release) -> Result<Estimated, ApiError> {
        self.flight.end_date = through.into();
        campaign::estimated(&self, release)
    }
}

impl Measured for Event {
    /// The days of an event begin and end at 12:00 UTC, like those of its reports.
    fn span(&self) -> Span {
        let periods = self.periods.as_slice().iter();
        let moments =
            periods.filter_map(|period| Some([period.start_time.moment()?, period.end_time.moment()?]));
        let days: Vec<Day> = moments.flatten().map(day_of).collect();
        let [first, last] =
            [days.iter().min(), days.iter().max()].map(|day| *day.expect("an event has a period"));
        Span { first, last }
    }

    async fn estimate(self, through: Day, release: &Release) -> Result<Estimated, ApiError> {
        event::estimated(&self, Some(end_of(through)), release).await
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
