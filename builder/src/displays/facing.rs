//! Parses the direction that a display faces, and the side of the road from which it's read.

use super::members::READ_SIDES;

/// The parsed form of a direction such as `E (RHR)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facing {
    /// The directions in degrees. The list is empty if the display has no particular direction, and contains
    /// several directions if the faces have different ones.
    pub(super) degrees: Vec<f64>,
    /// The side from which the display is read, or `None` if it's read from both sides or the side isn't
    /// given.
    pub(super) read_side: Option<&'static str>,
}

/// The points of the compass, clockwise from north.
const COMPASS: [&str; 16] =
    ["n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw"];

/// Values for displays that face no particular direction or several unspecified directions.
const NO_DIRECTION: [&str; 9] =
    ["n/f", "nf", "not facing", "various", "multiple", "all", "all directions", "omni", "omnidirectional"];

/// The words for the side of the road from which a display is read.
const READ_WORDS: [(&str, &str); 9] = [
    ("rhr", RIGHT),
    ("rr", RIGHT),
    ("rh", RIGHT),
    ("right", RIGHT),
    ("lhr", LEFT),
    ("lr", LEFT),
    ("lh", LEFT),
    ("left", LEFT),
    ("center", CENTER),
];

const LEFT: &str = READ_SIDES[0];
const RIGHT: &str = READ_SIDES[1];
const CENTER: &str = READ_SIDES[2];

/// Words that separate directions or can be ignored.
const FILLERS: [&str; 9] = ["and", "to", "hand", "read", "reader", "side", "facing", "face", "faces"];

/// Parses a direction, a side of the road, or both. Returns `None` for any other string. If the text lists
/// one direction per face, each face gets its own direction.
pub(super) fn facing(text: &str, faces: usize) -> Option<Facing> {
    let text = text.to_lowercase().replace("centre", "center");
    if NO_DIRECTION.contains(&text.as_str()) {
        return Some(Facing::default());
    }
    if text.starts_with('-') {
        // Reject a hyphen before a number, because it's a minus sign. Other hyphens separate words.
        return None;
    }
    // A slash separates directions, except in abbreviations such as `N/B` (northbound).
    let text = text.replace("/b", "b");
    let is_separator = |character: char| character.is_whitespace() || "()[]-".contains(character);
    let (mut degrees, mut sides) = (Vec::new(), Vec::new());
    for part in text.split([',', '/', ';', '&', '|', '+']) {
        if let Some(one) = direction(part.trim()).filter(|_| faces == 1) {
            degrees.push(one);
            continue;
        }
        let words: Vec<&str> = part.split(is_separator).filter(|word| !word.is_empty()).collect();
        let side = |word: &&str| READ_WORDS.iter().find(|(name, _)| name == word).map(|(_, side)| *side);
        sides.extend(words.iter().filter_map(side));
        let rest: Vec<&str> =
            words.into_iter().filter(|word| side(word).is_none() && !FILLERS.contains(word)).collect();
        degrees.extend(directions(&rest, faces)?);
    }
    sides.dedup();
    if degrees.is_empty() && sides.is_empty() {
        return None;
    }
    let read_side = if let [side] = sides[..] { Some(side) } else { None };
    Some(Facing { degrees, read_side })
}

/// Parses the side of the road from which a display is read. Returns `Some(None)` if the display is read from
/// both sides, and `None` if the text doesn't name a side.
pub(super) fn read_side(text: &str) -> Option<Option<&'static str>> {
    match text.to_lowercase().as_str() {
        "r" => return Some(Some(RIGHT)),
        "l" => return Some(Some(LEFT)),
        "c" => return Some(Some(CENTER)),
        "r/l" | "l/r" | "both" => return Some(None),
        _ => {}
    }
    let facing = facing(text, 1)?;
    facing.degrees.is_empty().then_some(facing.read_side)
}

/// Parses one or more directions, which can consist of several words.
fn directions(words: &[&str], faces: usize) -> Option<Vec<f64>> {
    if words.is_empty() {
        return Some(Vec::new());
    }
    let each: Option<Vec<f64>> = words.iter().map(|word| direction(word)).collect();
    let one = direction(&words.concat()).map(|degrees| vec![degrees]);
    match each {
        Some(each) if faces > 1 && each.len() == faces => Some(each),
        each => one.or(each),
    }
}

/// Parses degrees from 0 to 360, or a compass point such as `SW`, `north`, or `N/B`.
fn direction(text: &str) -> Option<f64> {
    let number = text.trim_end_matches('\u{b0}').trim_end_matches("degrees").trim_end_matches("deg").trim();
    if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return number.parse().ok().filter(|degrees| (0.0..=360.0).contains(degrees));
    }
    let letters: String = text.chars().filter(|character| !matches!(character, ' ' | '-' | '.')).collect();
    let mut letters = letters.replace("bound", "").replace("facing", "");
    for (word, letter) in [("north", "n"), ("south", "s"), ("east", "e"), ("west", "w")] {
        letters = letters.replace(word, letter);
    }
    let point = letters.strip_suffix('b').unwrap_or(&letters);
    let position = COMPASS.iter().position(|name| *name == point)?;
    Some(position as f64 * 22.5)
}
