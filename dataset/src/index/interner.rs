//! Numbers for texts that come again and again.

use foldhash::HashMap;

/// Keeps each text once, and numbers them from 0 in the order in which they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner(HashMap<Box<str>, u32>);

impl Interner {
    /// Returns the number of a text.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.0.get(text) {
            return *number;
        }
        let next = u32::try_from(self.0.len()).expect("fewer than four thousand million texts");
        self.0.insert(text.into(), next);
        next
    }

    /// Returns how many texts there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the texts with their numbers, in no order.
    pub(crate) fn into_texts(self) -> impl ExactSizeIterator<Item = (Box<str>, u32)> {
        self.0.into_iter()
    }
}

/// Returns for each number the ordinal of what has it.
pub(crate) fn ordinals_of<T>(numbered: &[(T, u32)]) -> Vec<u32> {
    let mut ordinals = vec![0; numbered.len()];
    for (ordinal, (_, number)) in (0..).zip(numbered) {
        ordinals[*number as usize] = ordinal;
    }
    ordinals
}
