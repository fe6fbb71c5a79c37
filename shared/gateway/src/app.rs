//! The state that a function creates at startup and shares among all calls.

use std::sync::Arc;

use runtime::{Clock, Environment, Random};
use store::{Dynamo, connect};

use crate::admission::Admissions;
use crate::config::{Config, ConfigError};

/// The shared state of all functions that admit calls.
#[derive(Clone, Debug)]
pub struct App {
    pub config: Arc<Config>,
    pub dynamo: Dynamo,
    pub admissions: Arc<Admissions>,
    pub clock: Clock,
    pub random: Random,
}

impl App {
    /// Creates an app from environment variables, with the system clock and random number generator.
    ///
    /// Returns an error if a variable is invalid.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(Self::new(Config::read(environment)?, Clock::System, Random::System))
    }

    /// Creates an app. Doesn't access the database.
    pub fn new(config: Config, clock: Clock, random: Random) -> Self {
        let dynamo = connect(&config.connection, clock.clone(), random.clone());
        let admissions = Admissions::new(&dynamo, config.issuer.clone(), clock.clone(), random.clone());
        Self { config: Arc::new(config), dynamo, admissions: Arc::new(admissions), clock, random }
    }
}
