//! Writes values as JSON, with fast paths for common values.

use std::io::Write;
use std::ops::RangeInclusive;

use serde::Serialize;

/// The range of absolute values for which JSON and Rust use the same format, except that JSON adds `.0` to
/// whole numbers.
const DIGITS_ONLY: RangeInclusive<f64> = 0.001..=180.0;

/// The format of a whole number of degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// `40`, as formatted by Rust's `Display`.
    Plain,
    /// `40.0`, as formatted in JSON.
    WithFraction,
}

/// Appends a JSON string. Most strings contain no characters that need escaping, so there's a fast path for
/// them.
pub(super) fn push_text(text: &str, out: &mut Vec<u8>) {
    let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if text.bytes().fold(false, |any, byte| any | is_escaped(byte)) {
        return push_json(text, out);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

pub(super) fn push_json(value: &(impl Serialize + ?Sized), out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("writing to memory doesn't fail");
}

/// Appends a number of degrees, in the shortest form that parses back to the same number.
pub(super) fn push_degrees(degrees: f64, whole: Whole, out: &mut Vec<u8>) {
    if whole == Whole::Plain && !DIGITS_ONLY.contains(&degrees.abs()) {
        return write!(out, "{degrees}").expect("writing to memory doesn't fail");
    }
    push_json(&degrees, out);
    if whole == Whole::Plain && out.ends_with(b".0") {
        out.truncate(out.len() - 2);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(degrees: f64, whole: Whole) -> String {
        let mut out = Vec::new();
        push_degrees(degrees, whole, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn degrees() -> impl Strategy<Value = f64> {
        let decimals = |(number, decimals): (f64, i32)| {
            let scale = 10_f64.powi(decimals);
            (number * scale).round() / scale
        };
        const EDGES: [f64; 12] =
            [0.0, -0.0, 180.0, -180.0, 1e-7, -1e-5, 0.001, 0.000_999_9, 10.0, 100.5, 1e300, -1e-300];
        prop_oneof![
            8 => (-180.0..=180.0, 0..9).prop_map(decimals),
            2 => (-0.01..=0.01, 0..9).prop_map(decimals),
            1 => -180.0..=180.0,
            1 => prop::sample::select(&EDGES[..]),
        ]
    }

    proptest! {
        #[test]
        fn degrees_match_the_formats_of_rust_and_json(degrees in degrees()) {
            prop_assert_eq!(written(degrees, Whole::Plain), degrees.to_string());
            prop_assert_eq!(written(degrees, Whole::WithFraction), serde_json::to_string(&degrees).unwrap());
        }
    }
}
