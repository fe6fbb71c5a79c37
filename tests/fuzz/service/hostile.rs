//! Strings that are hard to parse.

use crate::choices::Choices;

/// Delimiters, numbers at limits, invalid dates, and unusual Unicode characters.
const TEXTS: [&str; 40] = [
    "",
    " ",
    "*",
    ",",
    "\"",
    "\"\"",
    "W/\"x\"",
    "null",
    "true",
    "0",
    "-0",
    "-1",
    "1",
    "1.5",
    "1e400",
    "NaN",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "é",
    "\u{0}",
    "\u{fffd}",
    "\u{1f600}",
    "👩‍👩‍👧",
    "ß",
    "İ",
    "2026-02-30",
    "9999-12-31",
    "0000-01-01",
    "2026-04-06T25:00:00Z",
    "-262144-01-01T00:00:00Z",
    "2026-07-03T23:59:60.999999999+23:59",
    "America/Nowhere",
    "US2020XDMA999",
    "1km",
    "1e308km",
    "'; --",
    "../..",
    "=1+1",
];

pub(super) fn text(choices: &mut Choices<'_>) -> String {
    match choices.byte() % 4 {
        0 | 1 => choices.pick(&TEXTS).to_owned(),
        2 => String::from_utf8_lossy(choices.run()).into_owned(),
        _ => choices.pick(&TEXTS).repeat(1 + usize::from(choices.byte())),
    }
}

/// Percent-encodes bytes for a path or a query.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let as_it_is = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$'()*,:@".contains(&byte);
    let one = |byte: &u8| {
        if as_it_is(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }
    };
    bytes.iter().map(one).collect()
}
