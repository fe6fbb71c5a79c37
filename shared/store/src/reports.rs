//! The reports of measurements, one for each asset. Each report replaces an earlier one.

use accounting::{OrgId, Timestamp};

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

/// The maximum size of a compressed report. An item can have up to 400 KB.
const MAX_COMPRESSED_BYTES: usize = 390 * 1024;

/// A report of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    /// When the measurement was purchased.
    pub purchased_at: Timestamp,
    /// The position of the report among those of the same purchase. A report replaces only earlier ones.
    pub position: u64,
    /// The report as JSON.
    pub json: Vec<u8>,
}

/// The attributes of a report.
struct Packed {
    purchased_at: Timestamp,
    position: u64,
    compressed: Vec<u8>,
}

stored!(Packed { purchased_at: "purchased", position: "position", compressed: "report" });

impl Assets {
    /// Stores a report. Returns `false` if a report with the same or a later position is stored already. The
    /// first of two reports with the same position is kept. Returns an error if the compressed report has
    /// more than 390 KB.
    pub async fn store_report(
        &self,
        org: &OrgId,
        id: AssetId,
        report: &StoredReport,
    ) -> Result<bool, StoreError> {
        let StoredReport { purchased_at, position, json } = report;
        let compressed =
            zstd::bulk::compress(json, COMPRESSION_LEVEL).expect("compressing in memory succeeds");
        if compressed.len() > MAX_COMPRESSED_BYTES {
            return Err(StoreError::Refused(format!("a report has {} bytes", compressed.len())));
        }
        let packed = Packed { purchased_at: *purchased_at, position: *position, compressed };
        let mut expression = Expression::default();
        let at = expression.value(number(purchased_at.unix_millis()));
        let new = expression.value(number(position));
        let stored = expression.name("position");
        expression.require(format!(
            "attribute_not_exists(pk) OR purchased < {at} OR (purchased = {at} AND {stored} < {new})"
        ));
        let item =
            NewItem::of_key(keys::applied_events(self.family, org, id), keys::REPORT).with_all(&packed);
        let write = expression.into_put(&self.dynamo.assets, item.build());
        happened(transact(&self.dynamo, vec![write]).await)
    }

    pub async fn read_report(&self, org: &OrgId, id: AssetId) -> Result<Option<StoredReport>, StoreError> {
        let found = read(&self.dynamo.client, &self.dynamo.assets, self.report_key(org, id)).await?;
        let unpacked = found.map(|Packed { purchased_at, position, compressed }| {
            Ok(StoredReport { purchased_at, position, json: unpack("report", &compressed)? })
        });
        unpacked.transpose()
    }

    pub(super) fn report_key(&self, org: &OrgId, id: AssetId) -> Item {
        key(keys::applied_events(self.family, org, id), keys::REPORT)
    }
}
