//! Measurement reports. Each asset has at most one report, and newer reports replace it.

use accounting::{OrgId, Timestamp};
use thiserror::Error;

use super::assets::Assets;
use super::bodies::unpack;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, key, number, stored};
use super::keys;
use super::query::read;
use super::transaction::{happened, transact};
use crate::AssetId;

const COMPRESSION_LEVEL: i32 = 9;

/// The maximum size of a compressed report, in bytes. DynamoDB limits an item to 400 KB.
const MAX_COMPRESSED_BYTES: usize = 390 * 1024;

/// A measurement report, compressed for storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    /// When the measurement was purchased.
    pub purchased_at: Timestamp,
    /// The report's position among the reports for the same purchase. A report can replace only reports with
    /// lower positions.
    pub position: u64,
    /// The report as JSON, compressed with zstd.
    compressed: Vec<u8>,
}

stored!(StoredReport { purchased_at: "purchased", position: "position", compressed: "report" });

/// The error for a report that doesn't fit in an item. Contains the compressed size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the compressed report would be {0} bytes long; the maximum is {MAX_COMPRESSED_BYTES}")]
pub struct ReportTooLarge(usize);

impl StoredReport {
    /// Compresses a report. Returns an error if the compressed report exceeds 390 KB.
    pub fn new(purchased_at: Timestamp, position: u64, json: &[u8]) -> Result<Self, ReportTooLarge> {
        let compressed =
            zstd::bulk::compress(json, COMPRESSION_LEVEL).expect("compressing in memory succeeds");
        if compressed.len() > MAX_COMPRESSED_BYTES {
            return Err(ReportTooLarge(compressed.len()));
        }
        Ok(Self { purchased_at, position, compressed })
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Result<Vec<u8>, StoreError> {
        unpack("report", &self.compressed)
    }
}

impl Assets {
    /// Stores a report if the asset has none, or if its report is for an earlier purchase, or for the same
    /// purchase with a lower position. Otherwise, keeps the stored report and returns `false`.
    pub async fn store_report(
        &self,
        org: &OrgId,
        id: AssetId,
        report: &StoredReport,
    ) -> Result<bool, StoreError> {
        let StoredReport { purchased_at, position, .. } = report;
        let mut expression = Expression::default();
        let at = expression.value(number(purchased_at.unix_millis()));
        let new = expression.value(number(position));
        let stored = expression.name("position");
        expression.require(format!(
            "attribute_not_exists(pk) OR purchased < {at} OR (purchased = {at} AND {stored} < {new})"
        ));
        let item = NewItem::of_key(keys::applied_events(self.family, org, id), keys::REPORT).with_all(report);
        let write = expression.into_put(&self.dynamo.assets, item.build());
        happened(transact(&self.dynamo, vec![write]).await)
    }

    pub async fn read_report(&self, org: &OrgId, id: AssetId) -> Result<Option<StoredReport>, StoreError> {
        read(&self.dynamo.client, &self.dynamo.assets, self.report_key(org, id)).await
    }

    pub(super) fn report_key(&self, org: &OrgId, id: AssetId) -> Item {
        key(keys::applied_events(self.family, org, id), keys::REPORT)
    }
}
