//! Writes the values of records as JSON, the common ones without looking at them twice.
//!
//! Of degrees with at most seven decimals, the digits are those of a whole number, which takes a fraction of
//! the time that a shortest form takes to find.

use std::io::Write;

use serde::Serialize;

const TEN_MILLION: i64 = 10_000_000;

/// Below a thousandth of a degree, JSON may write an exponent.
const LEAST: i64 = TEN_MILLION / 1_000;

/// The greatest number of degrees.
const MOST: i64 = 180 * TEN_MILLION;

/// How a whole number of degrees is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// `40`, as Rust displays it.
    Plain,
    /// `40.0`, as JSON has it.
    WithFraction,
}

/// Appends a text. Hardly any has a character that JSON escapes.
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
    serde_json::to_writer(out, value).expect("written into memory");
}

/// Appends degrees in their shortest form.
pub(super) fn push_degrees(degrees: f64, whole: Whole, out: &mut Vec<u8>) {
    let ten_millionths = (degrees * TEN_MILLION as f64).round() as i64;
    let is_same = (ten_millionths as f64 / TEN_MILLION as f64).to_bits() == degrees.to_bits();
    if is_same && (LEAST..=MOST).contains(&ten_millionths.abs()) {
        return push_ten_millionths(ten_millionths, whole, out);
    }
    let written = match whole {
        Whole::Plain => write!(out, "{degrees}"),
        Whole::WithFraction => serde_json::to_writer(out, &degrees).map_err(Into::into),
    };
    written.expect("written into memory");
}

fn push_ten_millionths(number: i64, whole: Whole, out: &mut Vec<u8>) {
    let mut digits = *b"000.0000000";
    let (mut rest, point) = (number.unsigned_abs(), 3);
    for digit in digits.iter_mut().rev().filter(|digit| **digit != b'.') {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    let leading = digits[..point - 1].iter().take_while(|digit| **digit == b'0').count();
    let end = digits.iter().rposition(|digit| !matches!(digit, b'0' | b'.')).map_or(0, |last| last + 1);
    let least = if whole == Whole::Plain { point } else { point + 2 };
    out.extend((number < 0).then_some(b'-'));
    out.extend_from_slice(&digits[leading..end.max(least)]);
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
        fn degrees_are_written_as_rust_and_json_write_them(degrees in degrees()) {
            prop_assert_eq!(written(degrees, Whole::Plain), degrees.to_string());
            prop_assert_eq!(written(degrees, Whole::WithFraction), serde_json::to_string(&degrees).unwrap());
        }
    }
}
