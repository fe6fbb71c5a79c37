//! The sweep: finds the measurements with a due step, stores their reports, and returns the events for the
//! steps. It never changes an asset. The measurement function does so when it applies the events.

use std::sync::Arc;

use accounting::Timestamp;
use gateway::{ApiError, Violations};
use measurement::{EventType, MeasurementEvent};
use scenario_bodies::{Campaign, Event, from_stored};
use store::{
    Asset, Assets, Dynamo, Family, Purchase, ScheduledCheck, ScheduledChecks, StoreError, StoredReport,
};
use thiserror::Error;

use super::report::{LAST, Report, ReportStatus, too_large};
use super::steps::{Next, Step, deletion_event};
use crate::Release;
use crate::estimates::Estimable;
use crate::span::Span;

/// Runs the due steps of all measurements.
#[derive(Clone, Debug)]
pub struct Sweep {
    dynamo: Dynamo,
    checks: ScheduledChecks,
    release: Arc<Release>,
}

/// The result of handling one page of scheduled checks.
#[derive(Debug, Default)]
pub struct SweptPage {
    /// The number of checks that were due.
    pub checked: usize,
    pub events: Vec<MeasurementEvent>,
    /// The number of checks that failed, or 1 if the checks couldn't be read. A later sweep retries them.
    pub failed: usize,
}

/// The pages of a sweep, one shard after another.
#[derive(Debug)]
pub struct SweptPages<'a> {
    sweep: &'a Sweep,
    now: Timestamp,
    /// The shard whose checks are handled next.
    shard: u8,
}

/// The reason a check failed.
#[derive(Debug, Error)]
enum CheckError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}", .0.message)]
    Report(ApiError),
}

impl SweptPages<'_> {
    /// Handles the next page. Returns `None` if no more checks are due. If a shard can't be read or all
    /// checks of a page fail, the shard's remaining checks are left to a later sweep.
    pub async fn next(&mut self) -> Option<SweptPage> {
        while self.shard < ScheduledChecks::SHARDS {
            let page = self.sweep.page(self.shard, self.now).await.unwrap_or_else(|error| {
                tracing::error!(event = "scheduled_checks_not_read", shard = self.shard, %error);
                SweptPage { failed: 1, ..SweptPage::default() }
            });
            if page.failed >= page.checked {
                self.shard += 1;
            }
            if page.checked + page.failed > 0 {
                return Some(page);
            }
        }
        None
    }
}

impl Sweep {
    /// How long after a step the asset is rechecked, in seconds. If the step's event was lost, this check
    /// sends it again.
    pub const CHECKED_AGAIN_SECONDS: i64 = 60;

    pub fn new(dynamo: Dynamo, release: Arc<Release>) -> Self {
        Self { checks: ScheduledChecks::new(dynamo.clone()), dynamo, release }
    }

    /// Returns the pages of checks that are due at `now`. Each page is handled only when the caller requests
    /// it.
    pub fn pages(&self, now: Timestamp) -> SweptPages<'_> {
        SweptPages { sweep: self, now, shard: 0 }
    }

    /// Handles up to 100 checks of a shard that are due at `now`. The caller must send the events. An event
    /// that isn't sent is returned again by a sweep one minute later.
    ///
    /// # Errors
    ///
    /// Returns an error if the scheduled checks can't be read.
    pub async fn page(&self, shard: u8, now: Timestamp) -> Result<SweptPage, StoreError> {
        let due = self.checks.due(shard, now).await?;
        let mut page = SweptPage { checked: due.len(), ..SweptPage::default() };
        for check in due {
            match self.check(&check, now).await {
                Ok(event) => page.events.extend(event),
                Err(error) => {
                    let ScheduledCheck { org, family, asset, .. } = check;
                    tracing::error!(event = "measurement_check_failed", %org, %family, asset_id = %asset, %error);
                    page.failed += 1;
                }
            }
        }
        Ok(page)
    }

    /// Handles one check, and returns the event to send, if any. Postpones the check first, so that
    /// concurrent sweeps skip the asset, and so that a later sweep repeats the check if this process is
    /// stopped.
    async fn check(
        &self,
        due: &ScheduledCheck,
        now: Timestamp,
    ) -> Result<Option<MeasurementEvent>, CheckError> {
        let again_at = now.plus_seconds(Self::CHECKED_AGAIN_SECONDS);
        let Some(check) = self.checks.postpone(due, again_at).await? else { return Ok(None) };
        let assets = Assets::new(self.dynamo.clone(), check.family);
        let Some(asset) = assets.read(&check.org, check.asset).await? else {
            return self.refund_deleted(&assets, &check).await;
        };
        let Some(purchase) = asset.head.purchase.clone().filter(|purchase| purchase.is_own) else {
            return self.remove(&check).await;
        };
        match check.family {
            Family::Campaign => self.proceed::<Campaign>(&assets, &check, &purchase, asset, now).await,
            Family::Event => self.proceed::<Event>(&assets, &check, &purchase, asset, now).await,
        }
    }

    /// Runs the next step of an asset if it's due. Otherwise, postpones the check until then.
    async fn proceed<S: Estimable>(
        &self,
        assets: &Assets,
        check: &ScheduledCheck,
        purchase: &Purchase,
        Asset { head, body }: Asset,
        now: Timestamp,
    ) -> Result<Option<MeasurementEvent>, CheckError> {
        let scenario: S = from_stored(&body).map_err(CheckError::Report)?;
        match scenario.span().next(head.state, purchase.purchased_at, head.last_measured_at, now) {
            Next::Now(step) => self.take(assets, check, purchase, scenario, step).await,
            Next::At(due_at) => {
                self.checks.postpone(check, due_at).await?;
                Ok(None)
            }
            Next::Nothing => self.remove(check).await,
        }
    }

    /// Returns the event for a step. Stores the report first, so that it exists when the event is applied. If
    /// an earlier sweep has stored a report for the step, that report determines the event. Returns `None` if
    /// another sweep stores a report in the meantime, because that sweep sends the event.
    async fn take(
        &self,
        assets: &Assets,
        check: &ScheduledCheck,
        purchase: &Purchase,
        scenario: impl Estimable,
        step: Step,
    ) -> Result<Option<MeasurementEvent>, CheckError> {
        let first = scenario.span().first;
        let kept = assets.read_report(&check.org, check.asset).await?;
        let kept = kept.filter(|kept| kept.purchased_at == purchase.purchased_at);
        if let Some(kept) = kept.filter(|kept| kept.position >= step.position(first)) {
            let status = Report::from_stored(&kept)?.status;
            return Ok(Some(step.event(check, purchase, status.event_type())));
        }
        let (report, event_type) = match self.report(scenario, step, purchase).await? {
            Ok(_) if step.event_type == EventType::Started => {
                return Ok(Some(step.event(check, purchase, EventType::Started)));
            }
            Ok(report) => (report, step.event_type),
            Err(why) => {
                let failed = Report::failed(&why, &self.release);
                let failed = failed.to_stored(purchase.purchased_at, LAST);
                (failed.expect("ten violations fit into an item"), EventType::Failed)
            }
        };
        let is_stored = assets.store_report(&check.org, check.asset, &report).await?;
        Ok(is_stored.then(|| step.event(check, purchase, event_type)))
    }

    /// Returns the report for a step, or the reasons why the asset can't be measured. For the first step, the
    /// report covers all days.
    async fn report(
        &self,
        scenario: impl Estimable,
        step: Step,
        purchase: &Purchase,
    ) -> Result<Result<StoredReport, Violations>, CheckError> {
        let Span { first, last } = scenario.span();
        let through = if step.event_type == EventType::Started { last } else { step.through };
        let is_final = step.event_type == EventType::Completed;
        let status = if is_final { ReportStatus::Final } else { ReportStatus::Provisional };
        match scenario.estimate(through, &self.release).await {
            Ok(results) => {
                let report = Report::of(results, through, status, &self.release);
                let stored = report.to_stored(purchase.purchased_at, step.position(first));
                Ok(stored.map_err(too_large))
            }
            Err(ApiError { violations: Some(why), .. }) => Ok(Err(why)),
            Err(error) => Err(CheckError::Report(error)),
        }
    }

    /// Returns the event that refunds the measurement of a deleted asset, or `None` if it has already been
    /// refunded.
    async fn refund_deleted(
        &self,
        assets: &Assets,
        check: &ScheduledCheck,
    ) -> Result<Option<MeasurementEvent>, CheckError> {
        let tombstone = assets.read_tombstone(&check.org, check.asset).await?;
        match tombstone.and_then(|tombstone| tombstone.purchase).filter(|purchase| purchase.is_own) {
            Some(purchase) => Ok(Some(deletion_event(check, &purchase))),
            None => self.remove(check).await,
        }
    }

    async fn remove(&self, check: &ScheduledCheck) -> Result<Option<MeasurementEvent>, CheckError> {
        self.checks.remove(check).await?;
        Ok(None)
    }
}
