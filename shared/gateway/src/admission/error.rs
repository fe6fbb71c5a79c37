//! Why a call is not admitted: reasons, which whoever answers the call puts into words.

use accounting::{Account, KeyId, OrgId, PORTAL_CALLS_PER_MINUTE, RateWindow, Refusal, Scope};
use store::{ClockSkewed, StoreError};
use thiserror::Error;

/// Why a call is not admitted.
#[derive(Debug, Error)]
pub enum AdmissionError {
    /// Nobody is known to call.
    #[error("the caller is unknown: {0}")]
    Unauthenticated(#[from] Unauthenticated),
    /// Two kinds of credentials came at once.
    #[error("an API key and a bearer token came together")]
    AmbiguousCredentials,
    /// Who calls may not.
    #[error("the caller may not: {0}")]
    Forbidden(#[from] Forbidden),
    /// Too many calls or too few credits, and the account that says so.
    #[error("{0}")]
    Refused(Refusal, Box<Account>),
    /// Too many calls of the portal by one person or key.
    #[error("the limit of {PORTAL_CALLS_PER_MINUTE} calls of the portal a minute is reached")]
    PortalRateLimited {
        window: RateWindow,
        /// Seconds until the next minute, at least 1.
        retry_after: i64,
    },
    /// The issuer of bearer tokens cannot be reached.
    #[error("the issuer of bearer tokens cannot be reached")]
    IssuerUnavailable,
    /// The database did not say in time whether the call is charged.
    #[error("the database did not answer in time")]
    Unanswered,
    /// A defect of ours. Nothing was charged, or it has been refunded, or the log says `charge_in_doubt`.
    #[error("admission panicked")]
    Panicked,
    /// This process must not charge by its clock.
    #[error(transparent)]
    ClockSkewed(#[from] ClockSkewed),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why nobody is known to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unauthenticated {
    /// No credential came that the audience has.
    #[error("there are no credentials")]
    NoCredentials,
    /// An API key came in the place of the other gateway's.
    #[error("the API key is in another gateway's place")]
    MisplacedKey,
    /// An API key came in place of a bearer token.
    #[error("an API key is in the place of a bearer token")]
    KeyAsBearer,
    /// The API key has not the form of one.
    #[error("the API key has not the form of one")]
    MalformedKey,
    /// There is no such API key.
    #[error("the API key is unknown")]
    UnknownKey,
    /// The API key was revoked.
    #[error("the API key was revoked")]
    RevokedKey,
    /// The API key's time is over.
    #[error("the API key has expired")]
    ExpiredKey,
    /// What came is no bearer token.
    #[error("there is no bearer token in its place")]
    MalformedBearer,
    /// There is no issuer of bearer tokens.
    #[error("bearer tokens are not accepted")]
    BearerNotAccepted,
    /// The bearer token is not valid.
    #[error(transparent)]
    InvalidToken(#[from] InvalidToken),
}

/// Why a bearer token is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidToken {
    /// It is no JSON Web Token.
    #[error("the bearer token is not a JWT")]
    NotAJwt,
    /// It is signed in a way that is not accepted.
    #[error("the bearer token must be signed with RS256 or ES256")]
    Algorithm,
    /// It names a key that its issuer does not publish.
    #[error("the bearer token's key is not one of its issuer's")]
    UnknownKey,
    /// The issuer's key is none that verifies.
    #[error("the token's key is not usable")]
    UnusableKey,
    /// The signature, the issuer or the audience is wrong.
    #[error("the bearer token's signature, issuer or audience is not valid")]
    Signature,
    #[error("the bearer token has expired; sign in again")]
    Expired,
    /// Its time has not begun.
    #[error("the bearer token is not valid yet")]
    NotYetValid,
    /// It is an access token.
    #[error("the bearer token is not an ID token")]
    NotAnIdToken,
}

/// Why who calls may not.
#[derive(Debug, Error)]
pub enum Forbidden {
    /// The product takes API keys alone.
    #[error("the product takes API keys alone")]
    KeyRequired,
    /// The product takes people alone.
    #[error("the product takes bearer tokens alone")]
    PersonRequired,
    /// The person was mapped to no organization.
    #[error("the person belongs to no organization")]
    NoOrganization,
    /// The organization has no account.
    #[error("the organization has no account")]
    NoAccount,
    /// The key was not minted for this.
    #[error("the API key lacks the scope `{scope}`")]
    ScopeMissing {
        /// What it lacks.
        scope: Scope,
        org: OrgId,
        /// The key's handle.
        key: KeyId,
        /// The organization's account; `None` when it could not be read.
        account: Option<Box<Account>>,
    },
}
