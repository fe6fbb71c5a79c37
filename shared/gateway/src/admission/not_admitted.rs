//! Why a call is not admitted, in the words that its caller reads.

use accounting::{Account, Audience, PORTAL_CALLS_PER_MINUTE, RateWindow, Refusal};
use store::{ClockSkewed, StoreError};

use super::identity::Identity;
use crate::code::Code;
use crate::error::ApiError;

/// A call that is not admitted: the error that answers it, and what is shown beside that. Nothing was charged,
/// unless the log says `charge_in_doubt` or `charge_unanswered`.
#[derive(Clone, Debug)]
pub struct NotAdmitted {
    pub error: Box<ApiError>,
    /// Who called, where that is known of a caller who may not.
    pub caller: Option<Identity>,
    /// The account that says so, where one was looked at.
    pub account: Option<Box<Account>>,
    /// The caller's minute of the portal, where that is full.
    pub portal_calls: Option<RateWindow>,
}

impl NotAdmitted {
    /// Refuses a call for too many calls or too few credits, as an account says.
    pub(super) fn refused(refusal: Refusal, account: Account) -> Self {
        Self { account: Some(Box::new(account)), ..ApiError::from(refusal).into() }
    }

    /// Refuses too many calls of the portal by one person or key; `retry_after` is in seconds.
    pub(super) fn portal_calls(window: RateWindow, retry_after: i64) -> Self {
        let limit = PORTAL_CALLS_PER_MINUTE;
        let message = format!(
            "account operations allow {limit} requests per minute for each person or API key; try again in \
             {retry_after} s"
        );
        let error = ApiError { retry_after: Some(retry_after), ..ApiError::new(Code::RateLimited, message) };
        Self { portal_calls: Some(window), ..error.into() }
    }

    /// Refuses a call of which nobody knows who calls.
    pub(super) fn unauthorized(message: impl Into<String>) -> Self {
        ApiError::new(Code::Unauthorized, message).into()
    }

    /// Refuses a caller who may not.
    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        ApiError::new(Code::Forbidden, message).into()
    }

    pub(super) fn no_credentials(audience: Audience) -> Self {
        Self::unauthorized(match (audience, audience.key_header()) {
            (Audience::SearchKey, Some(header)) => format!("send an API key in `{header}`"),
            (_, Some(header)) => {
                format!("send an API key in `{header}` or a token in `Authorization: Bearer`")
            }
            (_, None) => "send a token in `Authorization: Bearer`".to_owned(),
        })
    }

    /// Refuses a key that came in the place of the other gateway's.
    pub(super) fn misplaced_key(audience: Audience) -> Self {
        Self::unauthorized(match audience.key_header() {
            Some(Audience::SEARCH_KEY_HEADER) => {
                "the search gateway requires the API key in `apikey`".to_owned()
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
    /// Makes the error of a person who belongs to no organization.
    pub fn no_organization() -> Self {
        let message = "you do not belong to an organization yet; sign up with \
                       `POST /v2/account/organization`, or accept an invitation";
        Self::new(Code::Forbidden, message)
    }
}

impl From<ApiError> for NotAdmitted {
    fn from(error: ApiError) -> Self {
        Self { error: Box::new(error), caller: None, account: None, portal_calls: None }
    }
}

impl From<StoreError> for NotAdmitted {
    fn from(error: StoreError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<ClockSkewed> for NotAdmitted {
    /// This process must not charge by its clock.
    fn from(_: ClockSkewed) -> Self {
        ApiError::unavailable().into()
    }
}
