//! The database: its tables, and the two ways to reach them.

use aws_sdk_dynamodb::Client;
use runtime::{Clock, Random};

use super::clock_skew::ClockSkew;

/// The three tables, and the two ways to reach them.
#[derive(Clone, Debug)]
pub struct Dynamo {
    /// Retries by itself: for reads, and for writes that happen once however often they are sent.
    pub(super) client: Client,
    /// Never retries: for charges, which look before they try again.
    pub(super) once: Client,
    pub(super) accounts: String,
    pub(super) credentials: String,
    pub(super) assets: String,
    pub(super) clock: Clock,
    pub(super) random: Random,
    pub(super) clock_skew: ClockSkew,
}
