//! The ordinals of columns that are seldom gone through, in as many bits as they need.

use crate::release::ReleaseError;
use crate::release::file::{FileWriter, MOST_BITS, Rows, SectionFile, bits_for, pack, packed_bytes, unpack};

/// For each item, one more than the ordinal of its value; 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct PackedOrdinals {
    /// How many bits a number has, and the numbers.
    bytes: Rows<u8>,
    items: usize,
}

impl PackedOrdinals {
    pub(super) fn open(file: &SectionFile, section: &str, items: usize) -> Result<Self, ReleaseError> {
        let bytes: Rows<u8> = file.rows(section)?;
        let is_whole = bytes.split_first().is_some_and(|(bits, packed)| {
            let bits = u32::from(*bits);
            bits <= MOST_BITS && packed.len() == packed_bytes(items, bits)
        });
        let refuse = || file.inconsistent(format!("{section}: has {} bytes of {items} items", bytes.len()));
        if is_whole { Ok(Self { bytes, items }) } else { Err(refuse()) }
    }

    pub(super) fn write(file: &mut FileWriter, section: &str, numbers: &[u32], values: usize) {
        let bits = bits_for(u32::try_from(values).expect("fewer than four thousand million values"));
        let mut bytes = vec![bits as u8];
        bytes.extend(pack(numbers, bits));
        file.bytes(section, bytes);
    }

    #[inline]
    pub(super) fn get(&self, item: u32) -> u32 {
        let (bits, packed) = self.bytes.split_first().expect("it was found whole");
        unpack(packed, item as usize, u32::from(*bits)).expect("an item that there is")
    }

    pub(super) fn len(&self) -> usize {
        self.items
    }
}
