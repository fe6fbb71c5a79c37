//! Why a person cannot sign up, told before they try and when they do.

use accounting::Timestamp;
use gateway::{ApiError, Code, SelfSignUp};
use serde::Serialize;

/// Why a person cannot sign up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SignUpRefusal {
    /// Nobody can sign up by themselves.
    Closed,
    EmailNotVerified,
    AlreadyInOrganization,
    /// The person, or somebody with the same address, has signed up and left.
    SignedUpBefore,
    /// As many have signed up today as may.
    Exhausted {
        per_day: u32,
        retry_after: i64,
    },
}

/// What `GET /v2/account` says of signing up.
#[derive(Debug, Serialize)]
pub(crate) struct ShownSignUp {
    available: bool,
    refusal: Option<ShownRefusal>,
}

#[derive(Debug, Serialize)]
struct ShownRefusal {
    code: &'static str,
    message: String,
}

impl SignUpRefusal {
    /// Makes the refusal of a day on which as many have signed up as may, which ends with the day in UTC.
    pub(crate) fn exhausted(allowed: SelfSignUp, now: Timestamp) -> Self {
        let tomorrow = now.day().start().plus_days(1);
        let retry_after = tomorrow.unix_seconds() - now.unix_seconds();
        Self::Exhausted { per_day: allowed.per_day, retry_after }
    }

    fn code(self) -> Code {
        match self {
            Self::Closed => Code::SignUpClosed,
            Self::EmailNotVerified => Code::EmailNotVerified,
            Self::AlreadyInOrganization => Code::AlreadyInOrganization,
            Self::SignedUpBefore => Code::SignedUpBefore,
            Self::Exhausted { .. } => Code::SignUpsExhausted,
        }
    }

    fn message(self) -> String {
        let fixed = match self {
            Self::Closed => {
                "nobody can sign up by themselves here; ask the operator for an organization, or an owner of \
                 one for an invitation"
            }
            Self::EmailNotVerified => {
                "the token has no `email` that `email_verified` says is yours; verify your address where you \
                 sign in, then send a new ID token"
            }
            Self::AlreadyInOrganization => {
                "you belong to an organization already, which `GET /v2/account` shows; leave it before you \
                 sign up"
            }
            Self::SignedUpBefore => {
                "you or your e-mail address have signed up before, which works once; ask an owner of an \
                 organization for an invitation, or the operator"
            }
            Self::Exhausted { per_day, retry_after } => {
                return format!(
                    "{per_day} people have signed up today, the most there can be in a day; try again in \
                     {retry_after} s"
                );
            }
        };
        fixed.to_owned()
    }
}

impl From<SignUpRefusal> for ApiError {
    fn from(refusal: SignUpRefusal) -> Self {
        let retry_after = match refusal {
            SignUpRefusal::Exhausted { retry_after, .. } => Some(retry_after),
            SignUpRefusal::Closed
            | SignUpRefusal::EmailNotVerified
            | SignUpRefusal::AlreadyInOrganization
            | SignUpRefusal::SignedUpBefore => None,
        };
        Self { retry_after, ..Self::new(refusal.code(), refusal.message()) }
    }
}

impl From<Option<SignUpRefusal>> for ShownSignUp {
    fn from(refusal: Option<SignUpRefusal>) -> Self {
        let shown = |refusal: SignUpRefusal| ShownRefusal {
            code: refusal.code().as_str(),
            message: refusal.message(),
        };
        Self { available: refusal.is_none(), refusal: refusal.map(shown) }
    }
}
