//! Recorded changes and their IDs.

use std::str::FromStr;

use accounting::{InvalidId, Timestamp, is_lower_hex};
use serde_with::SerializeDisplay;

use super::item::stored;
use crate::ChangeType;

/// How long changes and deliveries are kept, in days.
pub const CHANGE_DAYS: i64 = 30;

/// The ID of a change and its deliveries: `msg_`, the Unix time in milliseconds as 15 digits, `_`, and the
/// change's number. Test deliveries have random hexadecimal digits instead of the number. IDs sort by time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display, SerializeDisplay)]
pub struct MessageId(String);

/// A change in an organization's sequence of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedChange {
    /// The position in the sequence, starting at 1.
    pub number: u64,
    pub change_type: ChangeType,
    /// When the change was committed.
    pub at: Timestamp,
    /// When the change was added to the sequence. Later changes never have an earlier time.
    pub recorded_at: Timestamp,
    /// The details, as a JSON object. Its members depend on the type.
    pub data: String,
}

impl MessageId {
    const PREFIX: &str = "msg_";

    /// Returns an ID for a test delivery that is created at `at`.
    pub fn of_test(at: Timestamp, bytes: [u8; 8]) -> Self {
        Self::of(at, &hex::encode(bytes))
    }

    /// Returns the ID without its prefix. The result sorts by time.
    pub(super) fn sortable(&self) -> &str {
        &self.0[Self::PREFIX.len()..]
    }

    fn of(at: Timestamp, end: &str) -> Self {
        Self(format!("{}{:015}_{end}", Self::PREFIX, at.unix_millis()))
    }
}

impl FromStr for MessageId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let parts = text.strip_prefix(Self::PREFIX).and_then(|parts| parts.split_once('_'));
        let is_decimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match parts {
            Some((millis, end))
                if millis.len() == 15
                    && is_decimal(millis)
                    && (1..=20).contains(&end.len())
                    && is_lower_hex(end) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(InvalidId("must be the ID of a change or a delivery")),
        }
    }
}

impl RecordedChange {
    pub fn id(&self) -> MessageId {
        MessageId::of(self.at, &self.number.to_string())
    }

    /// Returns the time from which the change is no longer listed.
    pub(super) fn expires_at(&self) -> Timestamp {
        self.recorded_at.plus_days(CHANGE_DAYS)
    }
}

stored!(RecordedChange { change_type: "type", at: "at", recorded_at: "recorded", data: "data" }; key number);
