//! The difference between this process's clock and the database's clock, measured from the responses.

use std::sync::{Arc, Mutex, PoisonError};

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeDeserializationInterceptorContextRef;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::DateTime;
use aws_smithy_types::config_bag::ConfigBag;
use aws_smithy_types::date_time::Format;
use runtime::Clock;

/// The latest known skew in seconds, shared by the clients of one connection.
#[derive(Clone, Debug)]
pub(super) struct ClockSkew {
    clock: Clock,
    /// `None` until the first response arrives.
    seconds: Arc<Mutex<Option<i64>>>,
}

/// Reads the `Date` header of every response, including error responses.
#[derive(Debug)]
pub(super) struct DateInterceptor(pub(super) ClockSkew);

impl ClockSkew {
    /// Creates a skew that is unknown until the first response arrives.
    pub(super) fn of(clock: Clock) -> Self {
        Self { clock, seconds: Arc::default() }
    }

    /// Returns how many seconds the clock is ahead of the database's clock. The number is negative if the
    /// clock is behind. Returns `None` until the first response arrives.
    pub(super) fn seconds(&self) -> Option<i64> {
        *self.seconds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the skew from the `Date` header of a response that just arrived. Unreadable dates are ignored.
    fn learn(&self, date: &str) {
        if let Ok(date) = DateTime::from_str(date, Format::HttpDate) {
            let ahead = self.clock.now().unix_seconds().saturating_sub(date.secs());
            *self.seconds.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
        }
    }
}

impl Intercept for DateInterceptor {
    fn name(&self) -> &'static str {
        "DateInterceptor"
    }

    fn read_after_transmit(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(date) = context.response().headers().get("date") {
            self.0.learn(date);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use accounting::Timestamp;

    use super::*;

    #[test]
    fn unreadable_dates_leave_the_skew_unchanged() {
        let now = Timestamp::parse("2026-11-20T09:00:30Z").expect("the timestamp is valid");
        let skew = ClockSkew::of(Clock::fixed(now));
        assert_eq!(skew.seconds(), None);
        for (date, seconds) in [
            ("yesterday", None),
            ("Fri, 20 Nov 2026 09:00:30 GMT", Some(0)),
            ("Wed, 18 Nov 2026 09:00:30 GMT", Some(172_800)),
            ("Fri, 20 Nov 2026 09:01:00 GMT", Some(-30)),
            ("2026-11-20T09:00:30Z", Some(-30)),
            ("", Some(-30)),
        ] {
            skew.learn(date);
            assert_eq!(skew.seconds(), seconds, "{date}");
        }
    }
}
