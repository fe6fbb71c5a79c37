//! Compares streets, regardless of how they're abbreviated.

use std::fmt;

use dataset::{same_word, state_forms};

use super::score::Agreement::{self, Agrees, Contradicts, Partly};
use super::words::{is_digits, is_direction, is_suffix, spelled};

/// A street without its house number, normalized for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Street {
    /// All words, in order.
    words: Vec<String>,
    /// The compass directions before and after the name. "S Main St" and "Main St S" are the same street.
    directions: Vec<String>,
    /// The name, without directions and suffix.
    name: Vec<String>,
    /// The type of street, such as "ave".
    suffix: Option<String>,
}

impl Street {
    pub(super) fn new(words: &[String]) -> Self {
        let spelled: Vec<String> = words.iter().map(|word| spelled(word).to_owned()).collect();
        let words = with_short_king(with_numbered_highways(&spelled));
        let (mut start, mut end) = (0, words.len());
        let mut directions = Vec::new();
        let is_taken =
            |word: &String, rest: &[String]| is_direction(word) && !rest.iter().all(|one| is_suffix(one));
        if end > 1 && is_taken(&words[0], &words[1..]) {
            directions.push(words[0].clone());
            start = 1;
        }
        if end - start > 1 && is_taken(&words[end - 1], &words[start..end - 1]) {
            directions.push(words[end - 1].clone());
            end -= 1;
        }
        let suffix = (end - start > 1 && is_suffix(&words[end - 1])).then(|| words[end - 1].clone());
        end -= usize::from(suffix.is_some());
        directions.sort_unstable();
        Self { directions, name: words[start..end].to_vec(), suffix, words }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the longest word in the name, for searching places.
    pub(super) fn longest_word(&self) -> Option<&str> {
        self.name.iter().max_by_key(|word| word.len()).map(String::as_str)
    }

    /// Compares two streets. They agree only partly if one of them has a typo, extra words at the end, or a
    /// direction or suffix that the other one doesn't have.
    pub(super) fn compare(&self, other: &Self) -> Agreement {
        if self.words == other.words {
            return Agrees;
        }
        if self.name == other.name || self.name.concat() == other.name.concat() {
            return self.compare_ends(other);
        }
        let is_typo = self.name.len() == other.name.len()
            && self.name.iter().zip(&other.name).all(|(one, other)| same_word(one, other));
        if is_typo {
            return self.compare_ends(other).min(Partly);
        }
        let (short, long) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let is_whole = short.suffix.is_some() || short.name.first().is_some_and(|word| word == "hwy");
        let is_beginning = is_whole && long.words.starts_with(&short.words);
        if is_beginning { Partly } else { Contradicts }
    }

    /// Compares the directions and suffixes of two streets with the same name.
    fn compare_ends(&self, other: &Self) -> Agreement {
        let directions = (&self.directions, &other.directions);
        let suffixes = (&self.suffix, &other.suffix);
        match (directions, suffixes) {
            ((one, two), (first, second)) if one == two && first == second => Agrees,
            ((one, two), _) if one != two && !one.is_empty() && !two.is_empty() => Contradicts,
            (_, (Some(first), Some(second))) if first != second => Contradicts,
            _ => Partly,
        }
    }
}

impl fmt::Display for Street {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

/// Normalizes numbered highways: "US Highway 1", "US-1", and "Route 1" become "hwy 1".
fn with_numbered_highways(words: &[String]) -> Vec<String> {
    let mut written = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        if let Some(number) = highway_number(&words[at..]) {
            written.extend(["hwy".to_owned(), words[at + number].clone()]);
            at += number + 1;
        } else {
            written.push(words[at].clone());
            at += 1;
        }
    }
    written
}

/// If the words begin with a numbered highway, returns the position of the number.
fn highway_number(words: &[String]) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_number = |at: usize| {
        let digits = word(at).trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        is_digits(digits) && word(at).len() <= digits.len() + 1
    };
    // The number of words that name the highway's network, such as "us" or "state".
    let mut at = match (word(0), word(1)) {
        ("u", "s") => 2,
        ("us" | "state" | "sr" | "sh" | "county" | "cr" | "st", _) => 1,
        // "ne" is a direction far more often than Nebraska.
        (letters, _) if letters.len() == 2 && letters != "ne" && state_forms(letters).len() == 2 => 1,
        _ => 0,
    };
    let network = word(0);
    let is_network = at > 0;
    match word(at) {
        "hwy" | "rte" => at += 1,
        "rd" if matches!(network, "state" | "county" | "st") => at += 1,
        _ if is_network && !matches!(network, "state" | "county" | "st") => {}
        _ => return None,
    }
    is_number(at).then_some(at)
}

/// Normalizes the many forms of Martin Luther King's name.
fn with_short_king(words: Vec<String>) -> Vec<String> {
    const FORMS: [&[&str]; 5] = [
        &["martin", "luther", "king"],
        &["m", "l", "king"],
        &["ml", "king"],
        &["martin", "l", "king"],
        &["mlk"],
    ];
    let found = FORMS.iter().find_map(|form| {
        let start = words.windows(form.len()).position(|window| window.iter().eq(form.iter()))?;
        Some((start, start + form.len()))
    });
    let Some((start, end)) = found else { return words };
    let before = words[..start].strip_suffix(&["dr".to_owned()]).unwrap_or(&words[..start]);
    let is_title = words.get(end).is_some_and(|word| word == "jr" || word == "junior");
    [before, &["mlk".to_owned()], &words[end + usize::from(is_title)..]].concat()
}
