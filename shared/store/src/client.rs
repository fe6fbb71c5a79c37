//! The database handle: table names and two clients.

use aws_sdk_dynamodb::Client;
use runtime::{Clock, Random};

use super::clock_skew::ClockSkew;

/// The names of the three tables, and two clients that differ in how they retry.
#[derive(Clone, Debug)]
pub struct Dynamo {
    /// Retries automatically. Used for reads and for writes that can be repeated safely.
    pub(super) client: Client,
    /// Never retries. Used for charges: an unanswered charge must be looked up before it's sent again.
    pub(super) once: Client,
    pub(super) accounts: String,
    pub(super) credentials: String,
    pub(super) assets: String,
    pub(super) clock: Clock,
    pub(super) random: Random,
    pub(super) clock_skew: ClockSkew,
}
