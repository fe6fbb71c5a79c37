//! Creates the database clients.

use std::time::Duration;

use aws::sdk_config;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::Client;
use runtime::{Clock, Random};

use super::client::Dynamo;
use super::clock_skew::{ClockSkew, DateInterceptor};
use super::tables;
use crate::Connection;

/// Creates the clients without sending a request.
pub fn connect(connection: &Connection, clock: Clock, random: Random) -> Dynamo {
    let clock_skew = ClockSkew::of(clock.clone());
    let sdk = sdk_config(&connection.endpoint, &connection.cloud, &connection.http_client);
    let patient = aws_sdk_dynamodb::config::Builder::from(&sdk)
        .retry_config(retries())
        .timeout_config(timeouts(connection.attempt_timeout * 3))
        .interceptor(DateInterceptor(clock_skew.clone()))
        .build();
    let once = patient
        .to_builder()
        .retry_config(RetryConfig::disabled())
        .timeout_config(timeouts(connection.attempt_timeout))
        .build();
    let [accounts, credentials, assets] = tables::table_names(&connection.table_prefix);
    Dynamo {
        client: Client::from_conf(patient),
        once: Client::from_conf(once),
        accounts,
        credentials,
        assets,
        clock,
        random,
        clock_skew,
    }
}

fn timeouts(attempt: Duration) -> TimeoutConfig {
    TimeoutConfig::builder().operation_attempt_timeout(attempt).build()
}

fn retries() -> RetryConfig {
    RetryConfig::standard()
        .with_max_attempts(4)
        .with_initial_backoff(Duration::from_millis(20))
        .with_max_backoff(Duration::from_millis(400))
}
