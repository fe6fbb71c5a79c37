//! The state that a function creates at startup and uses for all calls.

use std::sync::Arc;

use runtime::{Clock, Environment, Random};
use store::{Dynamo, connect};

use crate::admission::Admissions;
use crate::config::{Config, ConfigError};

/// The state that all functions that admit calls have in common.
#[derive(Clone, Debug)]
pub struct App {
    pub config: Arc<Config>,
    pub dynamo: Dynamo,
    pub admissions: Arc<Admissions>,
    pub clock: Clock,
    /// The source of random bytes.
    pub random: Random,
}

impl App {
    /// Creates an app from the environment, with the system's clock and random number generator.
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
