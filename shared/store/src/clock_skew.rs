//! How far this process's clock is from the database's, as the database's answers tell.

use std::sync::{Arc, Mutex, PoisonError};

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeDeserializationInterceptorContextRef;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::DateTime;
use aws_smithy_types::config_bag::ConfigBag;
use aws_smithy_types::date_time::Format;
use runtime::Clock;

/// The latest known skew, in seconds, which a connection's clients share.
#[derive(Clone, Debug)]
pub(super) struct ClockSkew {
    clock: Clock,
    /// `None` before an answer has told.
    seconds: Arc<Mutex<Option<i64>>>,
}

/// Reads the `Date` of every answer, those of failed calls too.
#[derive(Debug)]
pub(super) struct DateInterceptor(pub(super) ClockSkew);

impl ClockSkew {
    /// Compares a clock, whose skew is unknown yet.
    pub(super) fn of(clock: Clock) -> Self {
        Self { clock, seconds: Arc::default() }
    }

    /// Returns the seconds by which the clock is ahead of the database's, negative where it is behind; `None`
    /// before an answer has told.
    pub(super) fn seconds(&self) -> Option<i64> {
        *self.seconds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns from the `Date` of an answer that has just arrived. One that is not readable says nothing.
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
    fn learns_from_a_date_that_is_readable_alone() {
        let now = Timestamp::parse("2026-11-20T09:00:30Z").expect("a moment");
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
