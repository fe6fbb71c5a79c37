//! Pieces of texts, and patterns of whole ones: `*` stands for any run of characters, `?` for one.

use memchr::memmem::Finder;

use crate::release::file::Texts;

const WILDCARDS: [char; 2] = ['*', '?'];

/// A pattern over folded texts: of the whole text when it has wildcards, otherwise of any piece of it.
pub(crate) struct Pattern<'a> {
    pattern: &'a str,
    is_piece: bool,
    /// The longest piece without wildcards: what does not hold it does not match.
    literal: Finder<'a>,
}

impl<'a> Pattern<'a> {
    /// Takes a folded pattern.
    pub(crate) fn new(pattern: &'a str) -> Self {
        let literal = pattern.split(WILDCARDS).max_by_key(|piece| piece.len()).unwrap_or_default();
        let between_stars = pattern.starts_with('*') && pattern.ends_with('*');
        let inner = if between_stars { pattern.trim_matches('*') } else { pattern };
        Self { pattern, is_piece: !inner.contains(WILDCARDS), literal: Finder::new(literal) }
    }

    /// Tells whether a folded text matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.literal.find(text.as_bytes()).is_some()
            && (self.is_piece || matches_whole(self.pattern.as_bytes(), text.as_bytes()))
    }

    /// Finds all texts that match, ascending.
    pub(crate) fn find(&self, texts: &Texts) -> Vec<u32> {
        let (all, ends) = (texts.bytes(), texts.ends());
        let (mut found, mut at, mut begin, mut number) = (Vec::new(), 0, 0, 0);
        while let Some(hit) = self.literal.find(&all[at..]) {
            let start = at + hit;
            let end = start + self.literal.needle().len();
            // The text in which it ends; an empty literal is found even behind the last text.
            while ends.get(number).is_some_and(|text| (text.get() as usize) < end) {
                begin = ends[number].get() as usize;
                number += 1;
            }
            let Some(text_end) = ends.get(number).map(|end| end.get() as usize) else { break };
            if start < begin {
                // It begins in the text before.
                at = begin;
                continue;
            }
            if self.is_piece || matches_whole(self.pattern.as_bytes(), &all[begin..text_end]) {
                found.push(u32::try_from(number).expect("numbers of texts fit"));
            }
            // A text is looked at once.
            (at, begin) = (text_end, text_end);
            number += 1;
        }
        found
    }
}

/// Matches a whole text. Where it fails, only the last `*` takes one character more: what the ones before it
/// took first leaves the most to choose from. So the time is bounded by the product of the lengths.
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

/// Returns where the character behind one begins, in UTF-8.
fn next_character(text: &[u8], at: usize) -> usize {
    let is_continuation = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    at + 1 + text[at + 1..].iter().take_while(is_continuation).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_runs_and_characters() {
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
