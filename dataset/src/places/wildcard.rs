//! Patterns for addresses: `*` stands for any run of characters, `?` for one.

use memchr::memmem::Finder;

use crate::file::Texts;

const WILDCARDS: [char; 2] = ['*', '?'];

/// A pattern over folded texts: of the whole text when it has wildcards, otherwise of any piece of it.
pub(crate) struct Wildcard<'a> {
    pattern: &'a str,
    is_piece: bool,
    /// The longest piece without wildcards: what does not hold it does not match.
    literal: Finder<'a>,
}

impl<'a> Wildcard<'a> {
    /// Takes a folded pattern.
    pub(crate) fn new(pattern: &'a str) -> Self {
        let literal = pattern.split(WILDCARDS).max_by_key(|piece| piece.len()).unwrap_or_default();
        let between_stars = pattern.starts_with('*') && pattern.ends_with('*');
        let inner = if between_stars { pattern.trim_matches('*') } else { pattern };
        Self { pattern, is_piece: !inner.contains(WILDCARDS), literal: Finder::new(literal) }
    }

    /// Tells whether a folded text matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.literal.find(text.as_bytes()).is_some() && (self.is_piece || matches_whole(self.pattern, text))
    }

    /// Finds all texts that match, ascending.
    pub(crate) fn find(&self, texts: &Texts) -> Vec<u32> {
        let (all, ends) = (texts.all(), texts.ends());
        let (mut found, mut at, mut begin, mut number) = (Vec::new(), 0, 0, 0);
        while let Some(hit) = self.literal.find(&all.as_bytes()[at..]) {
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
            if self.is_piece || matches_whole(self.pattern, &all[begin..text_end]) {
                found.push(u32::try_from(number).expect("numbers of texts fit"));
            }
            // A text is looked at once.
            (at, begin) = (text_end, text_end);
            number += 1;
        }
        found
    }
}

/// Matches a whole text. Where it fails, only the last `*` takes one character more: what the ones before it took first
/// leaves the most to choose from. So the time is bounded by the product of the lengths.
fn matches_whole(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    let mut last_star = None;
    loop {
        let (mut next_pattern, mut next_text) = (pattern.clone(), text.clone());
        match (next_pattern.next(), next_text.next()) {
            (None, None) => return true,
            (Some('*'), _) if next_pattern.as_str().is_empty() => return true,
            (Some('*'), _) => {
                pattern = next_pattern;
                last_star = Some((pattern.clone(), text.clone()));
            }
            (Some(expected), Some(character)) if expected == '?' || expected == character => {
                (pattern, text) = (next_pattern, next_text);
            }
            _ => {
                let Some((after, from)) = &mut last_star else { return false };
                if from.next().is_none() {
                    return false;
                }
                (pattern, text) = (after.clone(), from.clone());
            }
        }
    }
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
            ("*main*", "12 main st", true),
            ("*main*", "12 mai", false),
            ("main*", "12 main st", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(Wildcard::new(pattern).matches(text), expected, "{pattern} {text:.20}");
        }
    }
}
