//! The values of a field: each once, sorted as texts are compared.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::exponential_search::exponential_search;
use crate::release::file::Texts;

/// How the texts of a field are folded: into the keys by which they are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Folding {
    /// Texts that are keys themselves.
    AsIs,
    /// Replaces what the buffer holds by the key of a text.
    By(fn(&str, &mut String)),
}

impl Folding {
    #[inline]
    pub(crate) fn key(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::AsIs => Cow::Borrowed(text),
            Self::By(_) => {
                let mut key = String::with_capacity(text.len());
                self.key_in(text, &mut key);
                Cow::Owned(key)
            }
        }
    }

    /// Returns the key of a text, in a buffer where it is not the text itself.
    #[inline]
    pub(super) fn key_in<'a>(self, text: &'a str, buffer: &'a mut String) -> &'a str {
        match self {
            Self::AsIs => text,
            Self::By(fold) => {
                fold(text, buffer);
                buffer
            }
        }
    }
}

/// Texts by ascending key, and by themselves where they have the same key.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    texts: Texts,
    folding: Folding,
}

impl Dictionary {
    pub(crate) fn new(texts: Texts, folding: Folding) -> Self {
        Self { texts, folding }
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn get(&self, value: u32) -> &str {
        self.texts.get(value as usize)
    }

    /// Returns what tells of one value after the other whether its key holds a piece.
    pub(super) fn holds<'a>(&'a self, piece: &'a str) -> impl FnMut(u32) -> bool {
        let (finder, mut buffer) = (Finder::new(piece), String::new());
        move |value| {
            let key = self.folding.key_in(self.get(value), &mut buffer);
            finder.find(key.as_bytes()).is_some()
        }
    }

    /// Returns the values that have a key.
    pub(crate) fn find(&self, key: &str) -> Range<u32> {
        self.from(key, |other| other == key)
    }

    /// Returns the values whose keys begin with a text.
    pub(crate) fn beginning_with(&self, key: &str) -> Range<u32> {
        self.from(key, |other| other.starts_with(key))
    }

    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Returns the values from a key on for which something holds that holds for none behind them.
    fn from(&self, key: &str, holds: impl Fn(&str) -> bool) -> Range<u32> {
        let start = self.texts.partition_point(|text| &*self.folding.key(text) < key);
        let holds = |at: usize| holds(&self.folding.key(self.texts.get(start + at)));
        let length = exponential_search(self.len() - start, holds);
        value(start)..value(start + length)
    }
}

fn value(of: usize) -> u32 {
    u32::try_from(of).expect("fewer than four thousand million values")
}
