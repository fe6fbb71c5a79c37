//! The errors for calls that aren't admitted.

use accounting::{ACCOUNT_API_CALLS_PER_MINUTE, Account, AuthRequirement, RateWindow, Refusal};
use store::{ClockSkewed, StoreError};

use super::identity::Identity;
use crate::code::Code;
use crate::error::ApiError;

/// The error for a call that wasn't admitted, with data for the response headers. Nothing was charged unless
/// the log contains `charge_in_doubt` or `charge_unanswered`.
#[derive(Clone, Debug)]
pub struct NotAdmitted {
    pub error: Box<ApiError>,
    /// The identified caller, if they lack permission.
    pub caller: Option<Identity>,
    /// The account that the decision is based on, if it was read.
    pub account: Option<Box<Account>>,
    /// The caller's number of account API calls in the current minute, if it was counted.
    pub account_api_calls: Option<RateWindow>,
}

impl NotAdmitted {
    /// Refuses a call because the organization is suspended, a rate limit is reached, or too few credits
    /// remain.
    pub(super) fn refused(refusal: Refusal, account: Account) -> Self {
        Self { account: Some(Box::new(account)), ..ApiError::from(refusal).into() }
    }

    /// Refuses a call that exceeds the account API limit. `retry_after` is in seconds.
    pub(super) fn account_api_calls(window: RateWindow, retry_after: i64) -> Self {
        let limit = ACCOUNT_API_CALLS_PER_MINUTE;
        let message = format!(
            "account operations are limited to {limit} requests per minute for each person or API key; try \
             again in {retry_after} s"
        );
        let error = ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::RateLimited, message) };
        Self { account_api_calls: Some(window), ..error.into() }
    }

    /// Rejects a caller who couldn't be identified.
    pub(super) fn unauthorized(message: impl Into<String>) -> Self {
        ApiError::new(Code::Unauthorized, message).into()
    }

    /// Rejects a caller who lacks permission.
    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        ApiError::new(Code::Forbidden, message).into()
    }

    pub(super) fn no_credentials(auth: AuthRequirement) -> Self {
        Self::unauthorized(match (auth, auth.key_header()) {
            (AuthRequirement::SearchKey, Some(header)) => format!("send an API key in `{header}`"),
            (_, Some(header)) => {
                format!("send an API key in `{header}` or a token in `Authorization: Bearer`")
            }
            (_, None) => "send a token in `Authorization: Bearer`".to_owned(),
        })
    }

    /// Rejects an API key that was sent in the other gateway's header.
    pub(super) fn misplaced_key(auth: AuthRequirement) -> Self {
        Self::unauthorized(match auth.key_header() {
            Some(AuthRequirement::SEARCH_KEY_HEADER) => {
                "the search gateway requires the API key in the `apikey` header".to_owned()
            }
            Some(header) => {
                format!("send the API key in `{header}`; `apikey` is only for the search gateway")
            }
            None => "this operation requires a signed-in person; send a token in `Authorization: Bearer`"
                .to_owned(),
        })
    }
}

impl ApiError {
    /// Returns the error for a person who doesn't belong to an organization.
    pub fn no_organization() -> Self {
        let message = "you do not belong to an organization yet; sign up with \
                       `POST /v2/account/organization`, or accept an invitation";
        Self::new(Code::Forbidden, message)
    }
}

impl From<ApiError> for NotAdmitted {
    fn from(error: ApiError) -> Self {
        Self { error: Box::new(error), caller: None, account: None, account_api_calls: None }
    }
}

impl From<StoreError> for NotAdmitted {
    fn from(error: StoreError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<ClockSkewed> for NotAdmitted {
    /// Returns a 503, because a process whose clock is wrong must not charge calls.
    fn from(_: ClockSkewed) -> Self {
        ApiError::unavailable().into()
    }
}
