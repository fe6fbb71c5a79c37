//! Arguments that several commands share, and parsers for argument values.

use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

use accounting::{OrgId, Timestamp};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};

/// The organization that a command acts on.
#[derive(Args, Debug)]
pub struct OrgArg {
    /// The organization's ID.
    pub(super) org: OrgId,
}

/// The error for a string that isn't a date-time with an offset.
#[derive(Debug, thiserror::Error)]
#[error("must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00")]
pub(super) struct InvalidDateTime;

/// Returns a parser for the names of `values`, with hyphens instead of underscores: `pay_as_you_go` is
/// written as `pay-as-you-go`. Help and error messages list the names, and `--help` also shows each value's
/// `meaning`.
pub(super) fn one_of<T, M, V>(
    values: V,
    meaning: fn(T) -> M,
) -> impl TypedValueParser<Value = T> + use<T, M, V>
where
    V: IntoIterator<Item = T>,
    T: Copy + Display + FromStr + Send + Sync + 'static,
    T::Err: Into<Box<dyn Error + Send + Sync>>,
    M: Into<StyledStr>,
{
    let listed = values.into_iter().map(|value| {
        let name = value.to_string().replace('_', "-");
        PossibleValue::new(name).help(meaning(value))
    });
    PossibleValuesParser::new(listed).try_map(|name| name.replace('-', "_").parse::<T>())
}

/// Parses an RFC 3339 date-time. The offset is required.
pub(super) fn date_time(text: &str) -> Result<Timestamp, InvalidDateTime> {
    Timestamp::parse(text).ok_or(InvalidDateTime)
}
