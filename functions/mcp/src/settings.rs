//! The MCP server's settings.

use std::time::Duration;

use accounting::Credits;
use gateway::{Config, StageVariable};
use http::Extensions;

/// The time that a forwarded call is allowed in addition to a handler's deadline, for cold starts and the
/// network.
const FORWARDING: Duration = Duration::from_secs(5);

/// The server's settings, which are the same for all requests.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The API's addresses. `None` if stage variables contain them.
    pub gateways: Option<Gateways>,
    /// The price of a measurement in credits. `None` if the service doesn't sell measurements.
    pub measurement_credits: Option<Credits>,
    /// The time limit for a forwarded call.
    pub time_limit: Duration,
}

/// The addresses that calls are forwarded to, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateways {
    /// The address of the main API, without `/v2`.
    pub api: String,
    /// The address of the search gateway.
    pub search: String,
}

impl Settings {
    /// Derives the settings from the functions' configuration.
    pub fn of(config: &Config) -> Self {
        Self {
            gateways: None,
            measurement_credits: config.measurement_credits,
            time_limit: config.handler_deadline + FORWARDING,
        }
    }
}

impl Gateways {
    /// Returns the addresses in the stage variables of a request.
    pub(crate) fn of_stage(request: &Extensions) -> Option<Self> {
        let address = |variable: StageVariable| variable.of(request).map(str::to_owned);
        Some(Self { api: address(StageVariable::ApiOrigin)?, search: address(StageVariable::SearchUrl)? })
    }
}
