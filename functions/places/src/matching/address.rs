//! Parses addresses as people write them: on one line, abbreviated, or with missing parts.

use dataset::state_forms;

use super::score::Agreement::{self, Agrees, Contradicts, Partly};
use super::street::Street;
use super::words::{city_key, is_digits, is_direction, is_ordinal, is_suffix, spelled, split};

/// Words that precede a suite number.
const UNIT_WORDS: [&str; 12] =
    ["ste", "suite", "unit", "apt", "#", "spc", "space", "bldg", "building", "rm", "room", "lot"];

/// Words that mark the following number as something other than a house number.
const NUMBERED: [&str; 9] = ["hwy", "rte", "i", "box", "mile", "marker", "post", "exit", "fm"];

/// Abbreviations of states that are also words at the end of a street's name.
const STREET_WORDS: [&str; 2] = ["ct", "ne"];

/// A parsed address. Missing parts are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    /// Words before the house number, such as the name of a store or a mall.
    pub(super) lead: Option<String>,
    pub(super) number: Option<String>,
    pub(super) street: Street,
    /// The number of a suite, unit, or building.
    pub(super) unit: Option<String>,
    /// The city's [`city_key`].
    pub(super) city: Option<String>,
    /// The state's abbreviation, in lower case.
    pub(super) state: Option<String>,
    /// The first five digits of the ZIP code.
    pub(super) zip_code: Option<String>,
}

impl Address {
    /// Parses an address of one or more lines. `is_city` returns whether a [`city_key`] names a known city.
    /// It's needed to find where the street ends if no comma separates it from the city.
    pub(super) fn parse(text: &str, is_city: &dyn Fn(&str) -> bool) -> Self {
        let parts = text.split([',', '\n', ';', '|']).map(split);
        let mut parts: Vec<Vec<String>> = parts.filter(|words| !words.is_empty()).collect();
        join_titles(&mut parts);
        let zip_code = take_zip(&mut parts);
        let state = take_state(&mut parts, zip_code.is_some(), is_city);
        let city = take_city(&mut parts, is_city);
        let mut lead = None;
        if let [first, second, ..] = &parts[..]
            && house_number(first).is_none()
            && house_number(second).is_some()
        {
            lead = Some(first.join(" "));
            parts.remove(0);
        }
        let address = Self::of_street(&parts.concat());
        Self { lead: lead.or(address.lead), city, state, zip_code, ..address }
    }

    /// Parses the street line of an address: house number, street, and suite.
    pub(super) fn street_line(text: &str) -> Self {
        Self::of_street(&split(text))
    }

    fn of_street(words: &[String]) -> Self {
        let Some((at, length)) = house_number(words) else {
            let (street, unit) = without_unit(words);
            return Self { street: Street::new(street), unit, ..Self::default() };
        };
        let number = words[at..at + length].concat();
        let number = Some(spelled(number.trim_start_matches('#')).to_owned());
        let (before, after) = (&words[..at], &words[at + length..]);
        let (street, unit) = without_unit(after);
        // In "Madison St 1101", the number comes last.
        if street.is_empty() {
            return Self { number, street: Street::new(before), unit, ..Self::default() };
        }
        let lead = Some(before.join(" ")).filter(|lead| !lead.is_empty() && lead != "#");
        Self { lead, number, street: Street::new(street), unit, ..Self::default() }
    }
}

/// Compares house numbers. A range such as "10-12" partly agrees with its first number, and "123" with
/// "123A".
pub(super) fn compare_numbers(one: &str, other: &str) -> Agreement {
    let plain = |number: &str| number.replace('-', "");
    if plain(one) == plain(other) {
        return Agrees;
    }
    let first = |number: &str| {
        let digits = number.split(|letter: char| !letter.is_ascii_digit()).next();
        digits.unwrap_or_default().to_owned()
    };
    // One of the two must be the bare number, because "123A" and "123B" are different.
    let is_part =
        !first(one).is_empty() && first(one) == first(other) && (is_digits(one) || is_digits(other));
    if is_part { Partly } else { Contradicts }
}

/// Returns the first five digits of a ZIP code with five or nine digits. Leading zeros can be missing,
/// because spreadsheets remove them.
pub(super) fn zip_of(text: &str) -> Option<String> {
    let digits = text.trim().split(['-', ' ']).next().unwrap_or_default();
    match (is_digits(digits), digits.len()) {
        (true, 3..=5) => Some(format!("{digits:0>5}")),
        (true, 8..=9) => Some(format!("{digits:0>9}")[..5].to_owned()),
        _ => None,
    }
}

/// Returns the abbreviation of the state that the words name, in lower case, or `None` if they don't name a
/// state.
pub(super) fn state_of(words: &[String]) -> Option<String> {
    match state_forms(&words.join(" "))[..] {
        [letters, _] => Some(letters.to_owned()),
        _ => None,
    }
}

/// Joins "Jr." to the name before it, as in "Martin Luther King, Jr. Blvd".
fn join_titles(parts: &mut Vec<Vec<String>>) {
    let is_title = |words: &Vec<String>| words[0] == "jr";
    if let Some(at) = parts.iter().skip(1).position(is_title) {
        let title = parts.remove(at + 1);
        parts[at].extend(title);
    }
}

/// Removes the country and the ZIP code from the end, and returns the ZIP code.
fn take_zip(parts: &mut Vec<Vec<String>>) -> Option<String> {
    const COUNTRIES: [&[&str]; 5] =
        [&["united", "states", "of", "america"], &["united", "states"], &["usa"], &["us"], &["u", "s", "a"]];
    let last = parts.last_mut()?;
    if let Some(country) = COUNTRIES.iter().find(|country| ends_with(last, country)) {
        last.truncate(last.len() - country.len());
    }
    drop_empty(parts);
    let is_separate = parts.len() > 1;
    let last = parts.last_mut()?;
    // In "98104 1306", the second number is the last part of the ZIP code.
    if let [.., zip, end] = &last[..]
        && is_digits(zip)
        && is_digits(end)
        && (zip.len(), end.len()) == (5, 4)
    {
        last.pop();
    }
    let word = last.last()?;
    // Spreadsheets remove leading zeros, but a four-digit number is a ZIP code only after a state.
    let before = &last[..last.len() - 1];
    let is_short = word.len() == 4 && before.last().is_some_and(|word| state_forms(word).len() == 2);
    let is_long = matches!(word.len(), 5 | 9 | 10) && (is_separate || !before.is_empty());
    let is_zip = word.split('-').all(is_digits) && (is_short || is_long);
    let zip = if is_zip { zip_of(word) } else { None }?;
    last.pop();
    drop_empty(parts);
    Some(zip)
}

/// Removes the state from the end and returns its abbreviation.
fn take_state(parts: &mut Vec<Vec<String>>, has_zip: bool, is_city: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_only = parts.len() == 1;
    let has_city = matches!(&parts[..], [.., before, _] if is_city(&city_key(&before.join(" "))));
    let last = parts.last_mut()?;
    for length in (1..=3.min(last.len())).rev() {
        let (before, words) = last.split_at(last.len() - length);
        let Some(state) = state_of(words) else { continue };
        let follows_city = city_at_end(before, is_city).is_some();
        let is_certain =
            has_zip && (is_only || !before.is_empty()) && !STREET_WORDS.contains(&state.as_str());
        // "New York" and "Washington" are also cities.
        let is_separate =
            before.is_empty() && !is_only && (has_city || !is_city(&city_key(&words.join(" "))));
        if !(follows_city || is_certain || is_separate) {
            continue;
        }
        last.truncate(last.len() - length);
        drop_empty(parts);
        return Some(state);
    }
    None
}

/// Removes the city from the end and returns its key.
fn take_city(parts: &mut Vec<Vec<String>>, is_city: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_only = parts.len() == 1;
    let last = parts.last_mut()?;
    let key = city_key(&last.join(" "));
    let is_name = !last.iter().any(|word| word.bytes().any(|byte| byte.is_ascii_digit()) || word == "#");
    let is_unit = UNIT_WORDS.contains(&last[0].as_str());
    // If there is only one part, it may be a street without a house number, so only a known city counts.
    if is_name && !is_unit && (!is_only || is_city(&key)) {
        parts.pop();
        return Some(key);
    }
    let words = city_at_end(last, is_city)?;
    let key = city_key(&last[last.len() - words..].join(" "));
    last.truncate(last.len() - words);
    Some(key)
}

/// Returns the number of words in the longest known city name at the end of an address. Any words before the
/// city must be a possible street.
fn city_at_end(words: &[String], is_city: &dyn Fn(&str) -> bool) -> Option<usize> {
    let lengths = (1..=4.min(words.len())).rev();
    lengths.into_iter().find(|length| {
        let (before, city) = words.split_at(words.len() - length);
        let is_street = before.iter().filter(|word| !is_direction(spelled(word))).count() >= 2;
        let key = city_key(&city.join(" "));
        // There's a town called Street.
        (before.is_empty() || is_street) && !is_suffix(&key) && is_city(&key)
    })
}

/// Returns the position of the house number, and the number of words in it.
fn house_number(words: &[String]) -> Option<(usize, usize)> {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_grid = |at: usize| {
        let rest = word(at).trim_start_matches(['n', 's', 'e', 'w']);
        rest.len() + 1 == word(at).len()
            && rest.len() > 1
            && rest.starts_with(|letter: char| letter.is_ascii_digit())
    };
    let is_number =
        |at: usize| word(at).starts_with(|letter: char| letter.is_ascii_digit()) && !is_ordinal(word(at));
    let start = usize::from(word(0) == "#");
    if is_grid(start) && words.len() > start + 1 {
        return Some((start, 1 + usize::from(is_grid(start + 1))));
    }
    let is_word = !is_number(start) && is_digits(spelled(word(start))) && !is_ordinal(word(start));
    let is_cardinal =
        matches!(word(start), "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine");
    if (is_number(start) || (is_word && is_cardinal)) && words.len() > start + 1 {
        return Some((start, 1));
    }
    let follows = |at: usize| spelled(word(at - 1));
    (1..words.len()).find_map(|at| {
        let is_candidate =
            is_digits(word(at)) && !NUMBERED.contains(&follows(at)) && !is_unit_word(follows(at));
        let is_last = at + 1 == words.len() || is_unit_word(word(at + 1));
        let is_divided = if is_last {
            (is_suffix(follows(at)) || is_direction(follows(at))) && follows(at) != "hwy" && !is_number(0)
        } else {
            !is_direction(follows(at)) && !is_road(words, at) && at + 2 < words.len()
        };
        (is_candidate && is_divided).then_some((at, 1))
    })
}

/// Returns whether the number at a position belongs to a road, as in "State Road 7" and "NC 55".
fn is_road(words: &[String], at: usize) -> bool {
    let before = spelled(&words[at - 1]);
    matches!(before, "rd" | "us" | "sr" | "cr" | "sh" | "and") || state_forms(before).len() == 2
}

fn is_unit_word(word: &str) -> bool {
    UNIT_WORDS.contains(&word)
}

/// Splits the words after a house number into the street and the suite number.
fn without_unit(words: &[String]) -> (&[String], Option<String>) {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    for at in 0..words.len() {
        let next = word(at + 1);
        let is_short = next.len() <= 2 && !is_suffix(spelled(next)) && !next.is_empty();
        let is_numbered = next.bytes().any(|byte| byte.is_ascii_digit()) || is_short || next == "#";
        if is_unit_word(word(at)) && is_numbered {
            let rest = words[at + 1..].iter().find(|word| *word != "#");
            return (&words[..at], rest.map(|unit| unit.replace('-', "").trim_start_matches('0').to_owned()));
        }
        if matches!(next, "floor" | "fl" | "flr") && at > 0 && is_ordinal(word(at)) {
            return (&words[..at], Some(word(at).to_owned()));
        }
    }
    (words, None)
}

fn ends_with(words: &[String], end: &[&str]) -> bool {
    words.len() > end.len() && words[words.len() - end.len()..].iter().eq(end.iter())
        || words.iter().eq(end.iter())
}

fn drop_empty(parts: &mut Vec<Vec<String>>) {
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
}
