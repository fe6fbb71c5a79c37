//! The distinct strings of a field, sorted by key.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::exponential_search::exponential_search;
use crate::release::file::Texts;

/// Determines how a field's strings are normalized into the keys used in comparisons.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Normalization {
    /// Each string is its own key.
    AsIs,
    /// The function replaces the contents of the buffer with the key of the string.
    By(fn(&str, &mut String)),
}

impl Normalization {
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

    /// Returns the key of a string. With [`Self::By`], the key is stored in `buffer`.
    #[inline]
    pub(super) fn key_in<'a>(self, text: &'a str, buffer: &'a mut String) -> &'a str {
        match self {
            Self::AsIs => text,
            Self::By(normalize) => {
                normalize(text, buffer);
                buffer
            }
        }
    }
}

/// The distinct strings of a field, sorted by key. Strings that share a key are sorted by the string itself.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    texts: Texts,
    normalization: Normalization,
}

impl Dictionary {
    pub(crate) fn new(texts: Texts, normalization: Normalization) -> Self {
        Self { texts, normalization }
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn get(&self, value: u32) -> &str {
        self.texts.get(value as usize)
    }

    /// Returns a predicate that checks whether the key of the value with a given ordinal contains
    /// `substring`.
    pub(super) fn holds<'a>(&'a self, substring: &'a str) -> impl FnMut(u32) -> bool {
        let (finder, mut buffer) = (Finder::new(substring), String::new());
        move |value| {
            let key = self.normalization.key_in(self.get(value), &mut buffer);
            finder.find(key.as_bytes()).is_some()
        }
    }

    /// Returns the ordinals of the values that have the given key.
    pub(crate) fn find(&self, key: &str) -> Range<u32> {
        self.from(key, |other| other == key)
    }

    /// Returns the ordinals of the values whose keys start with `key`.
    pub(crate) fn beginning_with(&self, key: &str) -> Range<u32> {
        self.from(key, |other| other.starts_with(key))
    }

    /// Returns the number of values whose keys are less than or equal to `key`.
    pub(crate) fn up_to(&self, key: &str) -> u32 {
        value(self.texts.partition_point(|text| &*self.normalization.key(text) <= key))
    }

    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Finds the first value whose key isn't less than `key`, and returns the ordinals from there up to the
    /// first value whose key doesn't satisfy `holds`.
    fn from(&self, key: &str, holds: impl Fn(&str) -> bool) -> Range<u32> {
        let start = self.texts.partition_point(|text| &*self.normalization.key(text) < key);
        let holds = |at: usize| holds(&self.normalization.key(self.texts.get(start + at)));
        let length = exponential_search(self.len() - start, holds);
        value(start)..value(start + length)
    }
}

fn value(of: usize) -> u32 {
    u32::try_from(of).expect("value counts fit in 32 bits")
}
