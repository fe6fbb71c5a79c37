//! Counts of calls of the portal: one item for each person or key that calls, and never their account.
//!
//! Decided in `docs/decisions/0027-rate-limits.md`.

use accounting::{RateWindow, Timestamp};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};

use super::accounts::Accounts;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number};
use super::keys;
use crate::PortalCaller;

/// How often a call is counted again because others opened the minute at the same time.
const MAX_TRIES: usize = 4;

/// How long a count is kept after its minute, in seconds.
const KEPT_SECONDS: i64 = 3_600;

/// What became of a call that was to be counted, with the caller's minute as it is then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalCount {
    Admitted(RateWindow),
    /// The minute has as many calls as there may be.
    Refused(RateWindow),
}

/// What a try to count a call met.
enum Try {
    Counted(RateWindow),
    /// A minute that is another than the one that was seen, or full.
    SeenOtherwise(RateWindow),
}

impl Accounts {
    /// Counts a call in a caller's minute, unless that has `limit` calls already. `known` is what this
    /// process saw of it last.
    ///
    /// When the database does not answer at once, a call may be counted twice: nobody pays for it.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn count_portal_call(
        &self,
        caller: &PortalCaller,
        limit: u32,
        known: RateWindow,
        now: Timestamp,
    ) -> Result<PortalCount, StoreError> {
        let mut seen = known;
        for _ in 0..MAX_TRIES {
            let minute = seen.moment(now).minute();
            if seen.calls_in(minute) >= limit {
                return Ok(PortalCount::Refused(seen));
            }
            match self.count(caller, seen, minute, limit).await? {
                Try::Counted(window) => return Ok(PortalCount::Admitted(window)),
                Try::SeenOtherwise(window) => seen = window,
            }
        }
        Err(StoreError::Contended("others count calls at the same time; try again"))
    }

    /// Counts a call in the minute that was seen, or opens another one in its place.
    async fn count(
        &self,
        caller: &PortalCaller,
        seen: RateWindow,
        minute: i64,
        limit: u32,
    ) -> Result<Try, StoreError> {
        let update = self
            .0
            .client
            .update_item()
            .table_name(&self.0.accounts)
            .set_key(Some(key(keys::portal_rate(caller), keys::PORTAL_RATE)))
            .expression_attribute_values(":minute", number(minute))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let update = if seen.minute == minute {
            update
                .update_expression("ADD calls :one")
                .condition_expression("#minute = :minute AND calls < :limit")
                .expression_attribute_values(":limit", number(limit))
        } else {
            let forgotten_at = Timestamp::at_minute(minute).plus_seconds(KEPT_SECONDS);
            update
                .update_expression("SET #minute = :minute, calls = :one, #ttl = :ttl")
                .condition_expression("attribute_not_exists(pk) OR #minute = :seen")
                .expression_attribute_names("#ttl", "ttl")
                .expression_attribute_values(":seen", number(seen.minute))
                .expression_attribute_values(":ttl", number(forgotten_at.unix_seconds()))
        };
        match update.expression_attribute_names("#minute", "minute").send().await {
            Ok(output) => decode(output.attributes.as_ref()).map(Try::Counted),
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    decode(failed.item()).map(Try::SeenOtherwise)
                }
                _ => Err(error.into()),
            },
        }
    }
}

fn decode(item: Option<&Item>) -> Result<RateWindow, StoreError> {
    // The time to live may have removed it since.
    let Some(item) = item else { return Ok(RateWindow::default()) };
    let attributes = Attributes(item);
    Ok(RateWindow { minute: attributes.number("minute")?, calls: attributes.number("calls")? })
}
