//! Storage: one struct per aggregate, one method per access pattern.

mod account_change;
mod account_item;
mod accounts;
mod assets;
mod bodies;
mod connect;
mod credentials;
mod expression;
mod head;
mod item;
mod keys;
mod listing;
mod purchase;
mod tables;
mod tile_grants;
mod transaction;
mod transitions;

use std::fmt;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

pub use accounts::{Accounts, ApplyFailure};
pub use assets::{Asset, Assets, Look, WriteFailure};
pub use bodies::{MAX_COMPRESSED_BYTES, MAX_ESCAPED_BYTES, TooLarge, escaped_len};
pub use connect::connect;
pub use credentials::{Credentials, Key, MintFailure, NewKey};
pub use head::Head;
pub use listing::{Counts, Page, PageRequest};
pub use purchase::Purchase;
pub use tables::{create_tables, table_names};
pub use tile_grants::{ListedTileGrant, SignedTileGrant, TileGrantPage, TileGrantPosition, TileGrants};
pub use transitions::{Mark, Movement, Standing, TransitionFailure};

use crate::runtime::{Clock, Random};

/// The three tables, and the two ways to reach them.
#[derive(Clone, Debug)]
pub struct Dynamo {
    /// Retries by itself: for reads, and for writes that happen once however often they are sent.
    pub(crate) client: Client,
    /// Never retries: for charges, which look before they try again.
    pub(crate) once: Client,
    pub(crate) accounts: String,
    pub(crate) credentials: String,
    pub(crate) assets: String,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
}

/// Why storage could not do what was asked.
#[derive(Debug)]
pub enum StoreError {
    /// It did not answer, or answered that it cannot now. Whether a write happened is unknown.
    Unavailable(String),
    /// It refused the call: a permission, a missing table.
    Refused(String),
    /// An item is not what this version of the code writes.
    Corrupt(&'static str),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "the database is unavailable: {why}"),
            Self::Refused(why) => write!(f, "the database refused the call: {why}"),
            Self::Corrupt(attribute) => {
                write!(f, "the stored attribute `{attribute}` is not readable")
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// What a failed call says about whether it happened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It did not, because others were there first: trying again helps.
    Contended(String),
    /// Nobody knows.
    Unknown(String),
    /// It did not, and trying again does not help.
    Refused(String),
}

impl From<Verdict> for StoreError {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Contended(why) | Verdict::Unknown(why) => Self::Unavailable(why),
            Verdict::Refused(why) => Self::Refused(why),
        }
    }
}

/// Judges a failed call.
pub(crate) fn verdict<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> Verdict {
    match error {
        SdkError::ConstructionFailure(_) => Verdict::Refused("the request could not be built".to_owned()),
        SdkError::TimeoutError(_) => Verdict::Unknown("no answer in time".to_owned()),
        SdkError::DispatchFailure(failure) if failure.as_connector_error().is_some_and(|error| error.is_user()) => {
            Verdict::Refused("the connection is misconfigured".to_owned())
        }
        SdkError::DispatchFailure(_) => Verdict::Unknown("the connection failed".to_owned()),
        SdkError::ResponseError(_) => Verdict::Unknown("the answer is not readable".to_owned()),
        SdkError::ServiceError(answer) => {
            let code = answer.err().code().unwrap_or("no code").to_owned();
            match code.as_str() {
                "ProvisionedThroughputExceededException"
                | "ThrottlingException"
                | "RequestLimitExceeded"
                | "TransactionConflictException"
                | "TransactionInProgressException" => Verdict::Contended(code),
                _ if answer.raw().status().is_server_error() => Verdict::Unknown(code),
                _ => Verdict::Refused(code),
            }
        }
        _ => Verdict::Unknown("an unknown failure".to_owned()),
    }
}

impl<E: ProvideErrorMetadata> From<SdkError<E, HttpResponse>> for StoreError {
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        verdict(&error).into()
    }
}
