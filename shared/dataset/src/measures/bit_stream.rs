//! A bit stream that stores small numbers in few bits, using Rice codes and Elias gamma codes.

/// The exclusive upper bound of the numbers in a stream.
const MAX_NUMBER: u64 = 1 << MAX_GAMMA_BITS;

/// The maximum number of bits after the unary part of a gamma code.
const MAX_GAMMA_BITS: u32 = 47;

/// The maximum length of the unary part of a Rice code. If more ones would be needed, the code consists of
/// this many ones, followed by the number as a gamma code.
const RICE_ESCAPE: u32 = 24;

/// The number of low bits in the Rice code for the length of a list of keys.
const LENGTH_BITS: u32 = 5;
/// The number of low bits in the Rice code for the first key in a list.
const FIRST_BITS: u32 = 12;

/// A stream that either writes or reads, so that a single implementation of the format serves both purposes.
/// When writing, each method takes the number to write and returns it unchanged. When reading, each method
/// ignores the argument and returns the number that it reads.
///
/// The input can be corrupted. A method returns `None` if the number is out of range or extends beyond the
/// end of the stream.
pub(super) trait BitStream {
    /// Whether the stream reads, and therefore ignores the arguments.
    const READS: bool;

    /// Writes or reads a number in `bits` bits. The maximum is 56 bits.
    fn bits(&mut self, number: u64, bits: u32) -> Option<u64>;

    /// Writes or reads a number as an Elias gamma code.
    fn gamma(&mut self, number: u64) -> Option<u64>;

    /// Writes or reads a number as a Rice code with `low` low bits.
    fn rice(&mut self, number: u64, low: u32) -> Option<u64>;

    fn flag(&mut self, flag: bool) -> Option<bool> {
        self.bits(flag.into(), 1).map(|bit| bit == 1)
    }

    /// Writes or reads `count` numbers as Rice codes. The number of low bits adapts to the preceding numbers.
    fn numbers(&mut self, numbers: &[u64], count: usize) -> Option<Vec<u64>> {
        let mut code = AdaptiveRice::default();
        let number = |at: usize| {
            let number = self.rice(numbers.get(at).copied().unwrap_or(0), code.low_bits())?;
            code.adapt_to(number);
            Some(number)
        };
        (0..count).map(number).collect()
    }

    /// Writes or reads up to `length` numbers, most of which are 0. The result omits trailing zeros.
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

    /// Writes or reads a number as its difference from a prediction.
    fn predicted(&mut self, number: u64, prediction: u64) -> Option<u64> {
        corrected(prediction, self.gamma(residual(number, prediction))?)
    }

    /// Writes or reads numbers as their differences from predictions. The code is short if most of the
    /// differences are 0.
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

    /// Writes or reads ascending keys, as the number of keys, the first key, and the gaps between consecutive
    /// keys.
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

/// A bit stream that writes numbers.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits of the last, incomplete byte.
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
        assert!(number < MAX_NUMBER, "number is too large for the gamma code");
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

/// A bit stream that reads numbers.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the number of whole bytes that haven't been read.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at.div_ceil(8)
    }

    /// Returns the next 57 to 64 bits of the stream. Bits beyond the end are 0.
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
        if bits > MAX_GAMMA_BITS {
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

/// Chooses the number of low bits in a sequence of Rice codes, based on the mean of the most recent numbers.
#[derive(Debug, Default)]
struct AdaptiveRice {
    /// The moving average over about eight numbers, in 64ths.
    mean: u64,
}

impl AdaptiveRice {
    #[inline]
    fn low_bits(&self) -> u32 {
        // For exponentially distributed numbers, the median is ln 2 (about 11/16) times the mean.
        (self.mean * 11 / (16 * 64)).checked_ilog2().unwrap_or(0)
    }

    #[inline]
    fn adapt_to(&mut self, number: u64) {
        // A corrupted stream can contain larger numbers than a writer would produce.
        let number = number.min(MAX_NUMBER);
        self.mean = if self.mean == 0 { number * 64 } else { self.mean - self.mean / 8 + number * 8 };
    }
}

/// Returns the zigzag-encoded difference between a number and its prediction. Small differences, whether
/// positive or negative, map to small numbers.
pub(super) fn residual(number: u64, prediction: u64) -> u64 {
    let difference = number.wrapping_sub(prediction).cast_signed();
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

/// Restores a number from its prediction and its [`residual`]. Returns `None` if the number is out of range.
pub(super) fn corrected(prediction: u64, residual: u64) -> Option<u64> {
    prediction.checked_add_signed((residual >> 1).cast_signed() ^ -(residual & 1).cast_signed())
}

fn low_bits(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// Returns the number of low bits in the Rice codes for the gaps between `count` positions that are less than
/// `positions`.
fn low_bits_of_gaps(positions: usize, count: usize) -> u32 {
    (positions / (count + 1)).checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![4 => 0..4_u64, 4 => 0..1_000_u64, 1 => 0..MAX_NUMBER - 1]
    }

    proptest! {
        #[test]
        fn streams_round_trip(
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
        fn corrected_reverses_residual(number in 0..1_u64 << 60, prediction in 0..1_u64 << 60) {
            prop_assert_eq!(corrected(prediction, residual(number, prediction)), Some(number));
        }
    }
}
