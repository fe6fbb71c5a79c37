//! Arguments that several commands have in common, and parsers for argument values.

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

/// The error for text that isn't a date-time with an offset.
#[derive(Debug, thiserror::Error)]
#[error("must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00")]
pub(super) struct InvalidDateTime;

/// The error for text that isn't the name of a data source.
#[derive(Debug, thiserror::Error)]
#[error("must have 1 to {MAX_SOURCE} characters, with no control characters and no \"; \"")]
pub(super) struct InvalidSource;

/// The maximum length of a source's name, in characters.
const MAX_SOURCE: usize = 200;

/// Returns a parser that accepts the names of `values`. Hyphens replace underscores, so `pay_as_you_go` is
/// written as `pay-as-you-go`. Help and error messages list the names, and `--help` also shows the `meaning`
/// of each.
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

/// Parses the name of the source of imported data, and trims it. The name can't contain `; `, because
/// responses join names with it.
pub(super) fn source(text: &str) -> Result<String, InvalidSource> {
    let text = text.trim();
    let is_long = text.chars().nth(MAX_SOURCE).is_some();
    let is_source = !text.is_empty() && !is_long && !text.contains(char::is_control) && !text.contains("; ");
    is_source.then(|| text.to_owned()).ok_or(InvalidSource)
}

/// Parses an RFC 3339 date-time. The offset is required.
pub(super) fn date_time(text: &str) -> Result<Timestamp, InvalidDateTime> {
    Timestamp::parse(text).ok_or(InvalidDateTime)
}
