//! What a function opens once, when its instance starts, and every call shares.

use std::sync::Arc;

use runtime::{Clock, Environment, Random};
use store::{Dynamo, connect};

use crate::admission::Admissions;
use crate::config::{Config, ConfigError};

/// What every function starts from: configuration, database and admissions.
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
    /// Makes a process's app, by its environment, the system's clock and its randomness.
    ///
    /// # Errors
    ///
    /// When a variable is not what it should be. That is logged too, since a process that cannot start shows
    /// no more of an error than its fields.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let config = Config::read(environment)
            .inspect_err(|error| tracing::error!(event = "config_refused", %error))?;
        Ok(Self::new(config, Clock::System, Random::System))
    }

    /// Makes an app. Nothing is sent to the database yet.
    pub fn new(config: Config, clock: Clock, random: Random) -> Self {
        let dynamo = connect(&config.connection, clock.clone(), random.clone());
        let admissions = Admissions::new(&dynamo, config.issuer.clone(), clock.clone(), random.clone());
        Self { config: Arc::new(config), dynamo, admissions: Arc::new(admissions), clock, random }
    }
}
