//! Arguments that are read as the domain's own values.

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

/// A text that is no moment.
#[derive(Debug, thiserror::Error)]
#[error("must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00")]
pub(super) struct InvalidDateTime;

/// A text that says of no data whose they are.
#[derive(Debug, thiserror::Error)]
#[error("must be 1 to {MAX_SOURCE} characters, with no control characters and no \"; \"")]
pub(super) struct InvalidSource;

/// How many characters a source may have.
const MAX_SOURCE: usize = 200;

/// Reads one of the domain's values by its name, in the spelling of command lines: `pay-as-you-go` for
/// `pay_as_you_go`. Help and errors list the names; `--help` also says what each of them means.
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

/// Reads whose data a file holds, without the blanks around it. Answers list sources with `; ` between them.
pub(super) fn source(text: &str) -> Result<String, InvalidSource> {
    let text = text.trim();
    let is_long = text.chars().nth(MAX_SOURCE).is_some();
    let is_source = !text.is_empty() && !is_long && !text.contains(char::is_control) && !text.contains("; ");
    is_source.then(|| text.to_owned()).ok_or(InvalidSource)
}

/// Reads a moment.
pub(super) fn date_time(text: &str) -> Result<Timestamp, InvalidDateTime> {
    Timestamp::parse(text).ok_or(InvalidDateTime)
}
