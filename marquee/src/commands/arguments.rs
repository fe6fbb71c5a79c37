//! Arguments that are read as the domain's own values.

use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use shared::types::{Day, EventId, InvalidId, Timestamp};

/// A text that is not what an argument takes.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidArgument {
    #[error("must be a calendar date YYYY-MM-DD")]
    Day,
    #[error("must be an RFC 3339 date-time with its offset")]
    DateTime,
}

/// Reads one of the values by its name. Help and errors list the names, `--help` also what each of them
/// means.
///
/// A name is spelled as command lines do: `pay-as-you-go` for `pay_as_you_go`.
pub(super) fn one_of<T, M>(values: &[T], meaning: fn(T) -> M) -> impl TypedValueParser<Value = T> + use<T, M>
where
    T: Copy + Display + FromStr + Send + Sync + 'static,
    T::Err: Into<Box<dyn Error + Send + Sync>>,
    M: Into<StyledStr>,
{
    let listed = values.iter().map(|value| {
        let name = value.to_string().replace('_', "-");
        PossibleValue::new(name).help(meaning(*value))
    });
    PossibleValuesParser::new(listed).try_map(|name| name.replace('-', "_").parse::<T>())
}

/// Reads a calendar day.
pub(super) fn day(text: &str) -> Result<Day, InvalidArgument> {
    text.parse().map_err(|()| InvalidArgument::Day)
}

/// Reads a moment.
pub(super) fn date_time(text: &str) -> Result<Timestamp, InvalidArgument> {
    Timestamp::parse(text).ok_or(InvalidArgument::DateTime)
}

/// Reads the id of a measurement event.
pub(super) fn event_id(text: &str) -> Result<EventId, InvalidId> {
    EventId::try_from(text.to_owned())
}
