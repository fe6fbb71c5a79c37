//! What a caller reads whose call was not admitted: the reasons of admission, in the words of headers.

use accounting::{Audience, PORTAL_CALLS_PER_MINUTE};
use http::HeaderValue;

use super::code::Code;
use super::error::ApiError;
use crate::admission::{AdmissionError, Forbidden, Unauthenticated};

impl ApiError {
    /// Says why a call was not admitted, to a caller whose credentials were to be an audience's.
    pub fn not_admitted(error: &AdmissionError, audience: Audience) -> Self {
        match error {
            AdmissionError::Unauthenticated(reason) => {
                Self::new(Code::Unauthorized, unauthenticated(*reason, audience))
            }
            AdmissionError::AmbiguousCredentials => Self::new(
                Code::AmbiguousAuth,
                "an API key and an `Authorization` header came together; send one of them",
            ),
            AdmissionError::Forbidden(reason) => Self::new(Code::Forbidden, forbidden(reason, audience)),
            AdmissionError::Refused(refusal, _) => (*refusal).into(),
            AdmissionError::PortalRateLimited { retry_after, .. } => {
                let limit = PORTAL_CALLS_PER_MINUTE;
                let message = format!(
                    "the account's operations admit {limit} requests a minute of each person or key; try again \
                     in {retry_after} s"
                );
                Self { retry_after: Some(*retry_after), ..Self::new(Code::RateLimited, message) }
            }
            AdmissionError::IssuerUnavailable
            | AdmissionError::Unanswered
            | AdmissionError::ClockSkewed(_) => Self::unavailable(),
            AdmissionError::Panicked => Self::internal(),
            AdmissionError::Store(error) => error.into(),
        }
    }
}

/// Names the credentials that an audience has, for `WWW-Authenticate`.
pub(super) fn challenge(audience: Audience) -> HeaderValue {
    HeaderValue::from_static(match audience {
        Audience::SearchKey => "ApiKey header=\"apikey\"",
        Audience::SearchKeyOrBearer => "ApiKey header=\"apikey\", Bearer",
        Audience::Person | Audience::Member => "Bearer",
        Audience::Open | Audience::Public | Audience::KeyOrBearer | Audience::Anyone => {
            "ApiKey header=\"X-API-Key\", Bearer"
        }
    })
}

fn unauthenticated(reason: Unauthenticated, audience: Audience) -> String {
    let key_header = key_header(audience);
    match reason {
        Unauthenticated::NoCredentials => match audience {
            Audience::SearchKey => format!("send an API key in `{key_header}`"),
            Audience::Person | Audience::Member => "send a token in `Authorization: Bearer`".to_owned(),
            Audience::Open
            | Audience::Public
            | Audience::SearchKeyOrBearer
            | Audience::KeyOrBearer
            | Audience::Anyone => {
                format!("send an API key in `{key_header}` or a token in `Authorization: Bearer`")
            }
        },
        Unauthenticated::MisplacedKey => match audience {
            Audience::SearchKey | Audience::SearchKeyOrBearer => {
                format!("the search gateway takes the API key in `{key_header}`")
            }
            Audience::Person | Audience::Member => {
                "this is for people: send a token in `Authorization: Bearer`".to_owned()
            }
            Audience::Open | Audience::Public | Audience::KeyOrBearer | Audience::Anyone => {
                format!("send the API key in `{key_header}`; `apikey` is the search gateway's")
            }
        },
        Unauthenticated::KeyAsBearer => {
            format!("an API key goes into `{key_header}`, not into `Authorization`")
        }
        Unauthenticated::MalformedKey => {
            "the API key is not one: a key is `mq_live_` and 64 hexadecimal digits".to_owned()
        }
        Unauthenticated::UnknownKey => "the API key is unknown".to_owned(),
        Unauthenticated::RevokedKey => "the API key was revoked; mint a new one".to_owned(),
        Unauthenticated::ExpiredKey => "the API key has expired; mint a new one".to_owned(),
        Unauthenticated::MalformedBearer => "`Authorization` must be `Bearer` and a token".to_owned(),
        Unauthenticated::BearerNotAccepted => "bearer tokens are not accepted here".to_owned(),
        Unauthenticated::InvalidToken(why) => why.to_string(),
    }
}

fn forbidden(reason: &Forbidden, audience: Audience) -> String {
    match reason {
        Forbidden::KeyRequired => format!("call this with an API key in `{}`", key_header(audience)),
        Forbidden::PersonRequired => {
            "this is for people; sign in, and send the token in `Authorization: Bearer`".to_owned()
        }
        Forbidden::NoOrganization => "you belong to no organization yet; sign up with \
             `POST /v2/account/organization`, or accept an invitation"
            .to_owned(),
        Forbidden::NoAccount => "your organization has no account".to_owned(),
        Forbidden::ScopeMissing { scope, .. } => {
            format!("the API key lacks the scope `{scope}`; mint one that has it")
        }
    }
}

/// Returns the header in which an audience sends its API keys.
fn key_header(audience: Audience) -> &'static str {
    match audience {
        Audience::SearchKey | Audience::SearchKeyOrBearer => "apikey",
        Audience::Open
        | Audience::Public
        | Audience::KeyOrBearer
        | Audience::Anyone
        | Audience::Person
        | Audience::Member => "X-API-Key",
    }
}
