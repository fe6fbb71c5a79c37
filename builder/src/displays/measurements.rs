//! How sizes, directions and truths are written.

use thiserror::Error;

use crate::dates::is_digits;

/// The longest side that is taken, in inches: more than a kilometre.
const LONGEST: f64 = 50_000.0;

const INCHES_PER_FOOT: f64 = 12.0;

/// A height and a width, in whole inches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) height: i64,
    pub(super) width: i64,
}

/// What is written as a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenSize {
    Face(Size),
    /// The resolution of a screen: it says nothing of how large that is.
    Picture,
}

/// Why a text is no size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum SizeError {
    #[error("is not a height and a width, such as 14' x 48' or 48 x 27 in")]
    Form,
    #[error(
        "is without a unit, and more than {MOST_FEET} feet is no display: write the unit, px for the pixels \
         of a screen"
    )]
    NoUnit,
}

/// The longest side that is taken to be in feet where no unit is said. Resolutions of screens are greater.
const MOST_FEET: f64 = 300.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Feet,
    Inches,
}

/// How units are written, the longer ones before those that they begin with.
const UNITS: [(&str, Unit); 16] = [
    ("inches", Unit::Inches),
    ("inch", Unit::Inches),
    ("in.", Unit::Inches),
    ("in", Unit::Inches),
    ("\"", Unit::Inches),
    ("\u{2033}", Unit::Inches),
    ("\u{201d}", Unit::Inches),
    ("''", Unit::Inches),
    ("feet", Unit::Feet),
    ("foot", Unit::Feet),
    ("ft.", Unit::Feet),
    ("ft", Unit::Feet),
    ("'", Unit::Feet),
    ("\u{2032}", Unit::Feet),
    ("\u{2019}", Unit::Feet),
    ("`", Unit::Feet),
];

/// A side as it is written.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// A number whose unit is not said.
    Bare(f64),
    /// In inches, and the unit if it is one alone.
    Inches(f64, Option<Unit>),
}

/// Understands a height and a width such as `14' x 48'`. Where no unit is said, the other side's own holds,
/// else feet.
pub(super) fn size(text: &str) -> Result<WrittenSize, SizeError> {
    let text = text.to_lowercase().replace(" by ", "x").replace(['\u{d7}', '*'], "x");
    if is_picture(&text) {
        return Ok(WrittenSize::Picture);
    }
    let size = text.split_once('x').and_then(|(height, width)| Some((side(height)?, side(width)?)));
    let (height, width) = size.ok_or(SizeError::Form)?;
    let unit = |side| match side {
        Side::Inches(_, Some(unit)) => Some(unit),
        Side::Bare(_) | Side::Inches(..) => None,
    };
    let other = unit(height).or(unit(width));
    if let (None, Side::Bare(height), Side::Bare(width)) = (other, height, width)
        && height.max(width) > MOST_FEET
    {
        return Err(SizeError::NoUnit);
    }
    let inches = |side| inches(side, other.unwrap_or(Unit::Feet)).ok_or(SizeError::Form);
    Ok(WrittenSize::Face(Size { height: inches(height)?, width: inches(width)? }))
}

/// Tells whether a size is one in pixels, such as `1920x1080 px`.
fn is_picture(text: &str) -> bool {
    let sides = text.replace("pixels", "").replace("px", "");
    let are_counts = |(one, other): (&str, &str)| is_digits(one.trim()) && is_digits(other.trim());
    sides != text && sides.split_once('x').is_some_and(are_counts)
}

/// Understands a length; in inches unless another unit is said.
pub(super) fn length(text: &str) -> Option<i64> {
    inches(side(&text.to_lowercase())?, Unit::Inches)
}

fn inches(side: Side, unit: Unit) -> Option<i64> {
    let inches = match side {
        Side::Bare(number) => in_inches(number, unit),
        Side::Inches(inches, _) => inches,
    };
    let whole = inches.round();
    (1.0..=LONGEST).contains(&whole).then_some(whole as i64)
}

fn in_inches(number: f64, unit: Unit) -> f64 {
    match unit {
        Unit::Feet => number * INCHES_PER_FOOT,
        Unit::Inches => number,
    }
}

/// Reads one number with its unit or none, or feet and inches.
fn side(text: &str) -> Option<Side> {
    let (number, unit, rest) = quantity(text)?;
    let Some(unit) = unit else { return rest.is_empty().then_some(Side::Bare(number)) };
    let first = in_inches(number, unit);
    if rest.is_empty() {
        return Some(Side::Inches(first, Some(unit)));
    }
    match (unit, quantity(rest.trim_start_matches('-'))?) {
        (Unit::Feet, (second, None | Some(Unit::Inches), "")) if second < INCHES_PER_FOOT => {
            Some(Side::Inches(first + second, None))
        }
        _ => None,
    }
}

/// Takes a number and its unit from the beginning of a text.
fn quantity(text: &str) -> Option<(f64, Option<Unit>, &str)> {
    let text = text.trim();
    let end =
        text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    let rest = text[end..].trim_start();
    let unit = UNITS.iter().find_map(|(name, unit)| Some((*unit, rest.strip_prefix(name)?)));
    match unit {
        Some((unit, rest)) => Some((number, Some(unit), rest.trim())),
        None => Some((number, None, rest)),
    }
}

/// The points of the compass, clockwise from north.
const COMPASS: [&str; 16] =
    ["n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw"];

/// Understands a direction: degrees from 0 to 360, or a point of the compass such as `SW`, `north` or `N/B`.
pub(super) fn direction(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let number = text.trim_end_matches('\u{b0}').trim_end_matches("degrees").trim_end_matches("deg").trim();
    if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return number.parse().ok().filter(|degrees| (0.0..=360.0).contains(degrees));
    }
    let letters: String =
        text.chars().filter(|character| !matches!(character, ' ' | '-' | '/' | '.')).collect();
    let mut letters = letters.replace("bound", "").replace("facing", "");
    for (word, letter) in [("north", "n"), ("south", "s"), ("east", "e"), ("west", "w")] {
        letters = letters.replace(word, letter);
    }
    let point = letters.strip_suffix('b').unwrap_or(&letters);
    let position = COMPASS.iter().position(|name| *name == point)?;
    Some(position as f64 * 22.5)
}

/// Understands yes and no.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "y" | "true" | "t" | "1" => Some(true),
        "no" | "n" | "false" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Returns a whole's part as a decimal text, to six places.
pub(super) fn share(parts: i64) -> String {
    let text = format!("{:.6}", 1.0 / parts as f64);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
