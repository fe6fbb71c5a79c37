//! Counts calls that are subject to the account API limit, and views of client links. A caller's count for
//! each minute is stored in an item of its own, separate from the organization's account.
//!
//! See `docs/decisions/0027-rate-limits.md`.

use accounting::{RateWindow, Timestamp};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnValue;

use super::accounts::Accounts;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{attribute, key};
use super::keys;
use crate::AccountApiCaller;

/// How long a count is kept after the start of its minute, in seconds.
const KEPT_SECONDS: i64 = 3_600;

/// The result of counting a call, with the caller's count for the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountApiCount {
    Admitted(RateWindow),
    /// The call would exceed the limit per minute.
    Refused(RateWindow),
}

impl Accounts {
    /// Counts a call, unless the caller has already made `limit` calls in the current minute. `known` is the
    /// latest count that this process has read.
    ///
    /// If the database doesn't respond to the first attempt, the call may be counted twice. This can't affect
    /// the organization's credits, because these calls are free.
    pub async fn count_account_api_call(
        &self,
        caller: &AccountApiCaller,
        limit: u32,
        known: RateWindow,
        now: Timestamp,
    ) -> Result<AccountApiCount, StoreError> {
        let minute = known.moment(now).minute();
        if known.calls_in(minute) >= limit {
            return Ok(AccountApiCount::Refused(known));
        }
        let mut expression = Expression::default();
        let calls = expression.name("calls");
        expression.count_below(calls, limit);
        expression.set_time_to_live(Timestamp::at_minute(minute).plus_seconds(KEPT_SECONDS));
        let item_key = key(keys::account_api_rate(caller, minute), keys::ACCOUNT_API_RATE);
        let update = expression.into_update(&self.0.client, &self.0.accounts, item_key);
        match update.return_values(ReturnValue::UpdatedNew).send().await {
            Ok(output) => {
                let calls = attribute(&output.attributes.unwrap_or_default(), "calls")?;
                Ok(AccountApiCount::Admitted(RateWindow { minute, calls }))
            }
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(_)) => {
                    Ok(AccountApiCount::Refused(RateWindow { minute, calls: limit }))
                }
                _ => Err(error.into()),
            },
        }
    }
}
