//! Numbers with a fixed bit width, packed without gaps.

/// The number of bytes that are read to extract one number. Packed data ends with this many zero bytes, so
/// that reading the last number stays within bounds.
const READ: usize = size_of::<u64>();

/// The maximum bit width. A number of this width fits in one read even if it starts at bit 7 of a byte.
pub(crate) const MAX_BITS: u32 = u32::BITS;

/// Returns the number of bits needed for numbers from 0 to `highest`.
pub(crate) fn bits_for(highest: u32) -> u32 {
    u32::BITS - highest.leading_zeros()
}

/// Returns the size of the packed numbers in bytes, including the trailing zero bytes.
pub(crate) fn packed_bytes(numbers: usize, bits: u32) -> usize {
    (numbers * bits as usize).div_ceil(8) + READ
}

/// Packs each number into `bits` bits. Every number must fit.
pub(crate) fn pack(numbers: &[u32], bits: u32) -> Vec<u8> {
    let mut bytes = vec![0; packed_bytes(numbers.len(), bits)];
    for (at, number) in numbers.iter().enumerate() {
        let bit = at * bits as usize;
        let shifted = u64::from(*number) << (bit % 8);
        for (byte, more) in bytes[bit / 8..].iter_mut().zip(shifted.to_le_bytes()) {
            *byte |= more;
        }
    }
    bytes
}

/// Returns the number at a position. Beyond the end, the result is 0 or `None`.
#[inline]
pub(crate) fn unpack(bytes: &[u8], at: usize, bits: u32) -> Option<u32> {
    let bit = at * bits as usize;
    let read: &[u8; READ] = bytes.get(bit / 8..bit / 8 + READ)?.try_into().ok()?;
    let mask = (1_u64 << bits) - 1;
    Some((u64::from_le_bytes(*read) >> (bit % 8) & mask) as u32)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn packing_round_trips(numbers in vec(any::<u32>(), 0..40), bits in 0..=MAX_BITS) {
            let highest = ((1_u64 << bits) - 1) as u32;
            let numbers: Vec<u32> = numbers.into_iter().map(|number| number & highest).collect();
            let packed = pack(&numbers, bits);
            prop_assert_eq!(packed.len(), packed_bytes(numbers.len(), bits));
            let read: Vec<u32> = (0..numbers.len()).filter_map(|at| unpack(&packed, at, bits)).collect();
            prop_assert_eq!(read, numbers);
        }
    }
}
