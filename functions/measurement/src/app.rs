//! The function's state, which is created at a cold start and used for all events.

use std::time::Duration;

use accounting::{InvalidPurchaseNames, PurchaseNames};
use runtime::{Clock, Environment, Random};
use store::{Connection, Dynamo, connect};
use thiserror::Error;

/// The database and the configuration of the function.
#[derive(Clone, Debug)]
pub struct App {
    pub dynamo: Dynamo,
    /// The meter names that purchases can use.
    pub purchase_names: PurchaseNames,
    /// How long after a batch arrives the function can start to process a message. Messages that haven't been
    /// started by then are reported as failed.
    pub handler_deadline: Duration,
    pub clock: Clock,
    /// The source of random bytes.
    pub random: Random,
}

/// The error for an invalid `PURCHASE_NAMES` variable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("PURCHASE_NAMES is invalid: {0}")]
pub struct ConfigError(#[from] InvalidPurchaseNames);

impl App {
    /// Creates the state from the environment, with the system's clock and random numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if `PURCHASE_NAMES` is invalid. Also logs the error, because the Lambda runtime
    /// prints only its debug form.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let purchase_names = read_purchase_names(environment)
            .inspect_err(|error| tracing::error!(event = "config_refused", %error))?;
        let (clock, random) = (Clock::System, Random::System);
        let dynamo = connect(&Connection::read(environment), clock.clone(), random.clone());
        Ok(Self { dynamo, purchase_names, handler_deadline: environment.handler_deadline(), clock, random })
    }
}

/// Reads `PURCHASE_NAMES`. Returns the default list if the variable isn't set.
pub fn read_purchase_names(environment: &Environment) -> Result<PurchaseNames, ConfigError> {
    Ok(environment.variable("PURCHASE_NAMES").map_or(Ok(PurchaseNames::default()), |names| names.parse())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_purchase_names_are_reported_with_the_variable() {
        let read = |names| read_purchase_names(&Environment::of([("PURCHASE_NAMES", names)]));
        assert_eq!(read(""), Ok(PurchaseNames::default()));
        assert_eq!(read("reach, lift").expect("the list is valid").to_string(), "lift, reach");
        assert_eq!(
            read("Reach").expect_err("no list").to_string(),
            "PURCHASE_NAMES is invalid: `Reach` must be 1 to 32 lowercase letters, digits, or `_`"
        );
    }
}
