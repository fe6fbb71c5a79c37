//! What the function opens once, when its instance starts, and every event shares.

use std::time::Duration;

use accounting::{InvalidPurchaseNames, PurchaseNames};
use runtime::{Clock, Environment, Random};
use store::{Connection, Dynamo, connect};
use thiserror::Error;

/// What the function starts from: the database, and what it is told by its environment.
#[derive(Clone, Debug)]
pub struct App {
    pub dynamo: Dynamo,
    /// The billing names that purchases may have.
    pub purchase_names: PurchaseNames,
    /// How long after a batch's arrival its messages are still begun.
    pub handler_deadline: Duration,
    pub clock: Clock,
    /// The source of random bytes.
    pub random: Random,
}

/// A `PURCHASE_NAMES` that is not a list of billing names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("PURCHASE_NAMES is invalid: {0}")]
pub struct ConfigError(#[from] InvalidPurchaseNames);

impl App {
    /// Makes a process's app, by its environment, the system's clock and its randomness.
    ///
    /// # Errors
    ///
    /// When `PURCHASE_NAMES` is not a list of billing names. That is logged too, since a process that cannot
    /// start shows no more of an error than its fields.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let purchase_names = read_purchase_names(environment)
            .inspect_err(|error| tracing::error!(event = "config_refused", %error))?;
        let (clock, random) = (Clock::System, Random::System);
        let dynamo = connect(&Connection::read(environment), clock.clone(), random.clone());
        Ok(Self { dynamo, purchase_names, handler_deadline: environment.handler_deadline(), clock, random })
    }
}

/// Reads `PURCHASE_NAMES`.
///
/// # Errors
///
/// When it is not a list of billing names.
pub fn read_purchase_names(environment: &Environment) -> Result<PurchaseNames, ConfigError> {
    Ok(environment.variable("PURCHASE_NAMES").map_or(Ok(PurchaseNames::default()), |names| names.parse())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_variable_that_it_cannot_read() {
        let read = |names| read_purchase_names(&Environment::of([("PURCHASE_NAMES", names)]));
        assert_eq!(read(""), Ok(PurchaseNames::default()));
        assert_eq!(read("reach, lift").expect("a list").to_string(), "lift, reach");
        assert_eq!(
            read("Reach").expect_err("no list").to_string(),
            "PURCHASE_NAMES is invalid: `Reach` must be 1 to 32 lowercase letters, digits, or `_`"
        );
    }
}
