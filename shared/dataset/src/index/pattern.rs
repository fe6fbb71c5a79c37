//! Substring search and wildcard patterns. `*` matches any number of characters, and `?` matches exactly one.

use memchr::memmem::Finder;

use crate::release::file::Texts;

const WILDCARDS: [char; 2] = ['*', '?'];

/// A search pattern for normalized strings. With wildcards, the pattern must match the whole string. Without
/// wildcards, it matches any string that contains it.
pub(crate) struct Pattern<'a> {
    pattern: &'a str,
    is_substring: bool,
    /// The longest literal in the pattern, which every matching string contains.
    literal: Finder<'a>,
}

impl<'a> Pattern<'a> {
    /// Parses a normalized pattern.
    pub(crate) fn new(pattern: &'a str) -> Self {
        let literal = pattern.split(WILDCARDS).max_by_key(|substring| substring.len()).unwrap_or_default();
        let between_stars = pattern.starts_with('*') && pattern.ends_with('*');
        let inner = if between_stars { pattern.trim_matches('*') } else { pattern };
        Self { pattern, is_substring: !inner.contains(WILDCARDS), literal: Finder::new(literal) }
    }

    /// Returns whether a normalized string matches the pattern.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.literal.find(text.as_bytes()).is_some()
            && (self.is_substring || matches_whole(self.pattern.as_bytes(), text.as_bytes()))
    }

    /// Returns the numbers of all matching strings, in ascending order.
    pub(crate) fn find(&self, texts: &Texts) -> Vec<u32> {
        let (all, ends) = (texts.bytes(), texts.ends());
        let (mut found, mut at, mut begin, mut number) = (Vec::new(), 0, 0, 0);
        while let Some(hit) = self.literal.find(&all[at..]) {
            let start = at + hit;
            let end = start + self.literal.needle().len();
            // Find the string in which the hit ends. An empty literal also has a hit after the last string.
            while ends.get(number).is_some_and(|text| (text.get() as usize) < end) {
                begin = ends[number].get() as usize;
                number += 1;
            }
            let Some(text_end) = ends.get(number).map(|end| end.get() as usize) else { break };
            if start < begin {
                // The hit starts in an earlier string.
                at = begin;
                continue;
            }
            if self.is_substring || matches_whole(self.pattern.as_bytes(), &all[begin..text_end]) {
                found.push(u32::try_from(number).expect("string numbers fit in 32 bits"));
            }
            // Continue after this string, so that each string is checked at most once.
            (at, begin) = (text_end, text_end);
            number += 1;
        }
        found
    }
}

/// Returns whether the pattern matches the whole string. On a mismatch, only the last `*` is extended,
/// because the shortest match for each earlier `*` leaves the longest remainder for the rest of the pattern.
/// The running time is therefore at most proportional to the product of the two lengths.
fn matches_whole(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut taken) = (0, 0);
    let mut last_star = None;
    loop {
        match (pattern.get(at), text.get(taken)) {
            (None, None) => return true,
            (Some(b'*'), _) if at + 1 == pattern.len() => return true,
            (Some(b'*'), _) => {
                at += 1;
                last_star = Some((at, taken));
            }
            (Some(b'?'), Some(_)) => {
                at += 1;
                taken = next_character(text, taken);
            }
            (Some(expected), Some(byte)) if expected == byte => {
                at += 1;
                taken += 1;
            }
            _ => {
                let Some((after, from)) = last_star.filter(|(_, from)| *from < text.len()) else {
                    return false;
                };
                taken = next_character(text, from);
                at = after;
                last_star = Some((after, taken));
            }
        }
    }
}

/// Returns the position of the next character in UTF-8 text.
fn next_character(text: &[u8], at: usize) -> usize {
    let is_continuation = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    at + 1 + text[at + 1..].iter().take_while(is_continuation).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_runs_and_single_characters() {
        let cases = [
            ("main", "12 main st", true),
            ("", "12 main st", true),
            ("*", "", true),
            ("?", "", false),
            ("?", "東", true),
            ("12*", "12 main st", true),
            ("2*", "12 main st", false),
            ("*st", "12 main st", true),
            ("*main", "12 main st", false),
            ("1? m*n st", "12 main st", true),
            ("*a*a*a*a*b", &"a".repeat(10_000), false),
            ("*ab*ab?", "abababx", true),
            ("**??**", "a", false),
            ("**", "", true),
            ("東?", "東京", true),
            ("?京", "東京", true),
            ("*?京*", "北東京都", true),
            ("???", "東京", false),
            ("*é", "cafe é", true),
            ("*main*", "12 main st", true),
            ("*main*", "12 mai", false),
            ("main*", "12 main st", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(Pattern::new(pattern).matches(text), expected, "{pattern} {text:.20}");
        }
    }
}
