//! Numbers in a stream of bits, by codes that are short for small ones: Rice's and Elias's gamma code.

/// The largest number that a stream takes.
const MOST_NUMBER: u64 = 1 << MOST_GAMMA_BITS;

/// The most bits of a number in the gamma code behind its first one.
const MOST_GAMMA_BITS: u32 = 47;

/// A number whose upper bits would take so many bits in Rice's code is written in the gamma code.
const RICE_ESCAPE: u32 = 24;

/// Of how long a list of keys is, and of the first of them, so many bits are written as they are.
const LENGTH_BITS: u32 = 5;
const FIRST_BITS: u32 = 12;

/// A stream that is written, or read: what follows one another in it is said once, for both. Each method takes
/// what is to be written and returns it; one that reads returns what it read, whatever it was given.
///
/// A stream that is read may be damaged: what lies beyond its end is `None`, or out of range.
pub(super) trait BitStream {
    /// Whether what is given is of no use.
    const READS: bool;

    /// Takes a number of at most so many bits, 56 at most.
    fn bits(&mut self, number: u64, bits: u32) -> Option<u64>;

    /// Takes a number in the gamma code.
    fn gamma(&mut self, number: u64) -> Option<u64>;

    /// Takes a number in Rice's code, of which so many bits are written as they are.
    fn rice(&mut self, number: u64, low: u32) -> Option<u64>;

    fn flag(&mut self, flag: bool) -> Option<bool> {
        self.bits(flag.into(), 1).map(|bit| bit == 1)
    }

    /// Takes so many numbers of a kind, each by what those before it were like.
    fn numbers(&mut self, numbers: &[u64], count: usize) -> Option<Vec<u64>> {
        let mut code = AdaptiveRice::default();
        let number = |at: usize| {
            let number = self.rice(numbers.get(at).copied().unwrap_or(0), code.low_bits())?;
            code.adapt_to(number);
            Some(number)
        };
        (0..count).map(number).collect()
    }

    /// Takes so many numbers of which most are 0. What is behind the last one that is not may be left out.
    fn sparse(&mut self, numbers: &[u64], length: usize) -> Option<Vec<u64>> {
        let others: Vec<usize> = (0..numbers.len()).filter(|at| numbers[*at] != 0).collect();
        let less_one: Vec<u64> = others.iter().map(|at| numbers[*at] - 1).collect();
        let count =
            usize::try_from(self.gamma(others.len() as u64)?).ok().filter(|count| *count <= length)?;
        let (low, mut next) = (low_bits_of_gaps(length, count), 0);
        let mut places = Vec::with_capacity(count);
        for nth in 0..count {
            let gap = others.get(nth).map_or(0, |at| at - next);
            let at = next + usize::try_from(self.rice(gap as u64, low)?).ok()?;
            places.push(Some(at).filter(|at| *at < length)?);
            next = at + 1;
        }
        let mut all = Vec::new();
        for (at, number) in places.into_iter().zip(self.numbers(&less_one, count)?) {
            all.resize(at, 0);
            all.push(number + 1);
        }
        Some(all)
    }

    /// Takes a number by how it differs from its prediction.
    fn predicted(&mut self, number: u64, prediction: u64) -> Option<u64> {
        corrected(prediction, self.gamma(residual(number, prediction))?)
    }

    /// Takes numbers by how they differ from their predictions, which most do not.
    fn mostly_predicted(&mut self, numbers: &[u64], mut predictions: Vec<u64>) -> Option<Vec<u64>> {
        let numbers = if Self::READS { &[] } else { numbers };
        let residuals: Vec<u64> =
            numbers.iter().zip(&predictions).map(|(number, other)| residual(*number, *other)).collect();
        let residuals = self.sparse(&residuals, predictions.len())?;
        for (number, residual) in predictions.iter_mut().zip(residuals) {
            *number = corrected(*number, residual)?;
        }
        Some(predictions)
    }

    /// Takes ascending keys: how many there are, the first one, and the gaps between them.
    fn keys(&mut self, keys: &[u32]) -> Option<Vec<u32>> {
        let count = usize::try_from(self.rice(keys.len() as u64, LENGTH_BITS)?).ok()?;
        let Some(others) = count.checked_sub(1) else { return Some(Vec::new()) };
        let first = self.rice(keys.first().copied().unwrap_or(0).into(), FIRST_BITS)?;
        let gaps: Vec<u64> = keys.windows(2).map(|pair| u64::from(pair[1] - pair[0] - 1)).collect();
        let mut key = u32::try_from(first).ok()?;
        let mut keys = vec![key];
        for gap in self.numbers(&gaps, others)? {
            key = u32::try_from(gap).ok()?.checked_add(1)?.checked_add(key)?;
            keys.push(key);
        }
        Some(keys)
    }
}

/// Writes a stream.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits of the byte that is not full yet.
    pending: u128,
    pending_bits: u32,
}

impl BitWriter {
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }

    fn unary(&mut self, number: u32) {
        self.bits(low_bits(number), number + 1);
    }
}

impl BitStream for BitWriter {
    const READS: bool = false;

    fn bits(&mut self, number: u64, bits: u32) -> Option<u64> {
        self.pending |= u128::from(number) << self.pending_bits;
        self.pending_bits += bits;
        while self.pending_bits >= u8::BITS {
            self.bytes.push(self.pending as u8);
            self.pending >>= u8::BITS;
            self.pending_bits -= u8::BITS;
        }
        Some(number)
    }

    fn gamma(&mut self, number: u64) -> Option<u64> {
        assert!(number < MOST_NUMBER, "the numbers of a record are smaller");
        let bits = (number + 1).ilog2();
        self.unary(bits);
        self.bits((number + 1) & low_bits(bits), bits);
        Some(number)
    }

    fn rice(&mut self, number: u64, low: u32) -> Option<u64> {
        match u32::try_from(number >> low) {
            Ok(upper) if upper < RICE_ESCAPE => {
                self.unary(upper);
                self.bits(number & low_bits(low), low);
            }
            _ => {
                self.bits(low_bits(RICE_ESCAPE), RICE_ESCAPE);
                self.gamma(number);
            }
        }
        Some(number)
    }
}

/// Reads a stream.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns how many bytes were not read, not even a bit of them.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at.div_ceil(8)
    }

    /// Returns the bits that come next, 57 at least; beyond the end they are 0.
    #[inline]
    fn window(&self) -> u64 {
        let byte = self.at / 8;
        let bits = match self.bytes.get(byte..byte + 8).and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => u64::from_le_bytes(bytes),
            None => {
                let rest = &self.bytes[byte..];
                rest.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            }
        };
        bits >> (self.at % 8)
    }

    #[inline]
    fn skip(&mut self, bits: u32) -> Option<()> {
        let at = self.at + bits as usize;
        (at <= self.bytes.len() * 8).then(|| self.at = at)
    }
}

impl BitStream for BitReader<'_> {
    const READS: bool = true;

    #[inline]
    fn bits(&mut self, _: u64, bits: u32) -> Option<u64> {
        let number = self.window() & low_bits(bits);
        self.skip(bits)?;
        Some(number)
    }

    fn gamma(&mut self, _: u64) -> Option<u64> {
        let bits = self.window().trailing_ones();
        if bits > MOST_GAMMA_BITS {
            return None;
        }
        self.skip(bits + 1)?;
        Some((1 << bits | self.bits(0, bits)?) - 1)
    }

    #[inline]
    fn rice(&mut self, _: u64, low: u32) -> Option<u64> {
        let upper = self.window().trailing_ones();
        if upper >= RICE_ESCAPE {
            self.skip(RICE_ESCAPE)?;
            return self.gamma(0);
        }
        self.skip(upper + 1)?;
        Some(u64::from(upper) << low | self.bits(0, low)?)
    }
}

/// Rice's code for numbers of a kind, by the mean of the last ones.
#[derive(Debug, Default)]
struct AdaptiveRice {
    /// In 64ths, of about the last eight numbers.
    mean: u64,
}

impl AdaptiveRice {
    #[inline]
    fn low_bits(&self) -> u32 {
        // Where small numbers are likelier than large ones, ln 2 of the mean is their median.
        (self.mean * 11 / (16 * 64)).checked_ilog2().unwrap_or(0)
    }

    #[inline]
    fn adapt_to(&mut self, number: u64) {
        // What is damaged may be larger than what is written.
        let number = number.min(MOST_NUMBER);
        self.mean = if self.mean == 0 { number * 64 } else { self.mean - self.mean / 8 + number * 8 };
    }
}

/// Returns how a number differs from its prediction, folded so that small differences of either sign are small
/// numbers.
pub(super) fn residual(number: u64, prediction: u64) -> u64 {
    let difference = number.wrapping_sub(prediction).cast_signed();
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

/// Undoes [`residual`]; `None` when the number is out of range.
pub(super) fn corrected(prediction: u64, residual: u64) -> Option<u64> {
    prediction.checked_add_signed((residual >> 1).cast_signed() ^ -(residual & 1).cast_signed())
}

fn low_bits(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// Returns how many bits of the gaps between so many of some positions are written as they are.
fn low_bits_of_gaps(positions: usize, count: usize) -> u32 {
    (positions / (count + 1)).checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![4 => 0..4_u64, 4 => 0..1_000_u64, 1 => 0..MOST_NUMBER - 1]
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(
            numbers in vec((number(), 0..40_u32), 0..60),
            of_a_kind in vec(number(), 0..60),
            parts in vec(prop_oneof![9 => Just(1_000), 1 => 0..2_000_u64], 0..200),
            keys in btree_set(0..50_000_u32, 0..60),
        ) {
            let keys: Vec<u32> = keys.into_iter().collect();
            let mut writer = BitWriter::default();
            for (number, low) in &numbers {
                writer.gamma(*number);
                writer.rice(*number, *low);
                writer.bits(*number, 47);
                writer.predicted(number / 2, 1 << 40);
            }
            writer.numbers(&of_a_kind, of_a_kind.len());
            writer.mostly_predicted(&parts, vec![1_000; parts.len()]);
            writer.keys(&keys);
            writer.flag(true);
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (number, low) in &numbers {
                prop_assert_eq!(reader.gamma(0), Some(*number));
                prop_assert_eq!(reader.rice(0, *low), Some(*number));
                prop_assert_eq!(reader.bits(0, 47), Some(*number));
                prop_assert_eq!(reader.predicted(0, 1 << 40), Some(*number / 2));
            }
            prop_assert_eq!(reader.numbers(&[], of_a_kind.len()), Some(of_a_kind));
            prop_assert_eq!(reader.mostly_predicted(&[], vec![1_000; parts.len()]), Some(parts));
            prop_assert_eq!(reader.keys(&[]), Some(keys));
            prop_assert_eq!(reader.flag(false), Some(true));
            prop_assert_eq!((reader.bytes_left(), reader.bits(0, 8)), (0, None));
        }

        #[test]
        fn differences_of_either_sign_are_undone(number in 0..1_u64 << 60, prediction in 0..1_u64 << 60) {
            prop_assert_eq!(corrected(prediction, residual(number, prediction)), Some(number));
        }
    }
}
