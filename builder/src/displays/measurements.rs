//! Parses the sizes of displays and the lengths of their sides.

use thiserror::Error;

use crate::columns::{Notation, Unit};
use crate::dates::is_digits;

/// The maximum length of a side, in inches. It's more than a kilometer.
const LONGEST: f64 = 50_000.0;

/// The maximum length of a side in feet if the text doesn't contain a unit. Larger numbers without a unit are
/// rejected, because they may be screen resolutions.
const MOST_FEET: f64 = 300.0;

/// A height and a width, in whole inches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) height: i64,
    pub(super) width: i64,
}

/// The parsed form of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenSize {
    Face(Size),
    /// A screen resolution, which doesn't determine the screen's size.
    Picture,
}

/// The error for a string that isn't a valid size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum SizeError {
    #[error("is not a height and a width, such as 14' x 48' or 48 x 27 in")]
    Form,
    #[error(
        "has no unit and is too large to be in feet (the limit is {MOST_FEET}); add the unit, or px for a \
         screen's resolution"
    )]
    NoUnit,
}

/// Unit names. A name that starts with another name is listed before it.
const UNITS: [(&str, Unit); 28] = [
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
    ("centimeters", Unit::Centimeters),
    ("centimetres", Unit::Centimeters),
    ("cm.", Unit::Centimeters),
    ("cm", Unit::Centimeters),
    ("meters", Unit::Meters),
    ("metres", Unit::Meters),
    ("meter", Unit::Meters),
    ("metre", Unit::Meters),
    ("mtrs", Unit::Meters),
    ("mtr", Unit::Meters),
    ("m.", Unit::Meters),
    ("m", Unit::Meters),
];

/// Names for the sides, as in `14'H x 48'W`. A name that starts with another name is listed before it.
const SIDES: [(&str, Name); 6] = [
    ("height", Name::Height),
    ("high", Name::Height),
    ("h", Name::Height),
    ("width", Name::Width),
    ("wide", Name::Width),
    ("w", Name::Width),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Height,
    Width,
}

/// The length of a side, before the units of both sides are known.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// A number without a unit.
    Bare(f64),
    /// A length converted to inches, and its original unit. The unit is `None` if the length has several
    /// units, as in `14' 6"`.
    Inches(f64, Option<Unit>),
}

/// Parses a size such as `14' x 48'`. If only one side has a unit, the unit applies to both. If neither has
/// one, the notation determines the unit, and the default is feet. If the sides aren't named, the notation
/// determines their order.
pub(super) fn size(text: &str, notation: &Notation) -> Result<WrittenSize, SizeError> {
    let text = text.to_lowercase().replace(" by ", "x").replace(['\u{d7}', '*'], "x");
    if is_picture(&text) {
        return Ok(WrittenSize::Picture);
    }
    let (one, other) = text.split_once('x').ok_or(SizeError::Form)?;
    let ((one_name, one), (other_name, other)) = (named(one), named(other));
    let (one, other) = side(one).zip(side(other)).ok_or(SizeError::Form)?;
    let is_width_first = match (one_name, other_name) {
        (None, None) => notation.is_width_first,
        (Some(Name::Width), Some(Name::Height) | None) | (None, Some(Name::Height)) => true,
        (Some(Name::Height), Some(Name::Width) | None) | (None, Some(Name::Width)) => false,
        (Some(Name::Height), Some(Name::Height)) | (Some(Name::Width), Some(Name::Width)) => {
            return Err(SizeError::Form);
        }
    };
    let unit = |side| match side {
        Side::Inches(_, Some(unit)) => Some(unit),
        Side::Bare(_) | Side::Inches(..) => None,
    };
    let given = unit(one).or(unit(other)).or(notation.units);
    if let (None, Side::Bare(one), Side::Bare(other)) = (given, one, other)
        && one.max(other) > MOST_FEET
    {
        return Err(SizeError::NoUnit);
    }
    let inches = |side| inches(side, given.unwrap_or(Unit::Feet)).ok_or(SizeError::Form);
    let (one, other) = (inches(one)?, inches(other)?);
    let (height, width) = if is_width_first { (other, one) } else { (one, other) };
    Ok(WrittenSize::Face(Size { height, width }))
}

/// Returns whether a size is in pixels, such as `1920x1080 px`.
fn is_picture(text: &str) -> bool {
    let sides = text.replace("pixels", "").replace("px", "");
    let are_counts = |(one, other): (&str, &str)| is_digits(one.trim()) && is_digits(other.trim());
    sides != text && sides.split_once('x').is_some_and(are_counts)
}

/// Removes the name of a side from a string such as `48'W` or `width: 48'`.
fn named(side: &str) -> (Option<Name>, &str) {
    let side = side.trim();
    let name = SIDES.iter().find_map(|(name, which)| {
        let rest = side.strip_suffix(name).or_else(|| side.strip_prefix(name))?;
        Some((Some(*which), rest.trim_matches([' ', ':', '(', ')'])))
    });
    name.unwrap_or((None, side))
}

/// Parses a length. If it has no unit, the notation determines the unit, and the default is inches.
pub(super) fn length(text: &str, notation: &Notation) -> Option<i64> {
    inches(side(&text.to_lowercase())?, notation.units.unwrap_or(Unit::Inches))
}

fn inches(side: Side, unit: Unit) -> Option<i64> {
    let inches = match side {
        Side::Bare(number) => number * unit.in_inches(),
        Side::Inches(inches, _) => inches,
    };
    let whole = inches.round();
    (1.0..=LONGEST).contains(&whole).then_some(whole as i64)
}

/// Parses a number with or without a unit, or feet and inches.
fn side(text: &str) -> Option<Side> {
    let (number, unit, rest) = quantity(text)?;
    let Some(unit) = unit else { return rest.is_empty().then_some(Side::Bare(number)) };
    let first = number * unit.in_inches();
    if rest.is_empty() {
        return Some(Side::Inches(first, Some(unit)));
    }
    match (unit, quantity(rest.trim_start_matches('-'))?) {
        (Unit::Feet, (second, None | Some(Unit::Inches), "")) if second < Unit::Feet.in_inches() => {
            Some(Side::Inches(first + second, None))
        }
        _ => None,
    }
}

/// Splits off the number and the unit at the start of a string.
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

/// Returns 1 divided by `parts`, as a decimal number with at most six decimal places.
pub(super) fn share(parts: i64) -> String {
    let text = format!("{:.6}", 1.0 / parts as f64);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
