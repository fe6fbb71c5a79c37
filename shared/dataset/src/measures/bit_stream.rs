//! Numbers in a stream of bits, by codes that are short for small ones: Rice's and Elias's gamma code.

/// The largest number that a stream takes.
pub(super) const MOST_NUMBER: u64 = 1 << MOST_GAMMA_BITS;

/// The most bits of a number in the gamma code behind its first one.
const MOST_GAMMA_BITS: u32 = 47;

/// A number whose upper bits would take so many bits in Rice's code is written in the gamma code.
const RICE_ESCAPE: u32 = 24;

/// Writes a stream.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits of the byte that is not full yet.
    pending: u64,
    pending_bits: u32,
}

impl BitWriter {
    pub(super) fn flag(&mut self, flag: bool) {
        self.bits(flag.into(), 1);
    }

    /// Writes a number of at most so many bits.
    pub(super) fn bits(&mut self, number: u64, bits: u32) {
        if bits > u32::BITS {
            self.bits(number & u64::from(u32::MAX), u32::BITS);
            return self.bits(number >> u32::BITS, bits - u32::BITS);
        }
        self.pending |= number << self.pending_bits;
        self.pending_bits += bits;
        while self.pending_bits >= u8::BITS {
            self.bytes.push(self.pending as u8);
            self.pending >>= u8::BITS;
            self.pending_bits -= u8::BITS;
        }
    }

    /// Writes a number in the gamma code.
    pub(super) fn gamma(&mut self, number: u64) {
        assert!(number < MOST_NUMBER, "the numbers of a record are smaller");
        let bits = (number + 1).ilog2();
        self.unary(bits);
        self.bits((number + 1) & low_bits(bits), bits);
    }

    /// Writes a number in Rice's code, of which so many bits are written as they are.
    pub(super) fn rice(&mut self, number: u64, low: u32) {
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
    }

    /// Writes numbers of a kind, each by what those before it were like.
    pub(super) fn numbers(&mut self, numbers: impl Iterator<Item = u64>) {
        let mut code = AdaptiveRice::default();
        for number in numbers {
            self.rice(number, code.low_bits());
            code.adapt_to(number);
        }
    }

    /// Writes residuals of which most are 0.
    pub(super) fn sparse(&mut self, residuals: &[i64]) {
        let others = || residuals.iter().enumerate().filter(|(_, residual)| **residual != 0);
        let count = others().count();
        self.gamma(count as u64);
        let (low, mut next) = (low_bits_of_gaps(residuals.len(), count), 0);
        for (at, _) in others() {
            self.rice((at - next) as u64, low);
            next = at + 1;
        }
        self.numbers(others().map(|(_, residual)| unsigned(*residual) - 1));
    }

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

/// Reads a stream that may be damaged: whatever lies beyond its end is `None`.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        self.bits(1).map(|bit| bit == 1)
    }

    /// Reads a number of so many bits, at most 56.
    #[inline]
    pub(super) fn bits(&mut self, bits: u32) -> Option<u64> {
        let number = self.window() & low_bits(bits);
        self.skip(bits)?;
        Some(number)
    }

    pub(super) fn gamma(&mut self) -> Option<u64> {
        let bits = self.window().trailing_ones();
        if bits > MOST_GAMMA_BITS {
            return None;
        }
        self.skip(bits + 1)?;
        Some((1 << bits | self.bits(bits)?) - 1)
    }

    #[inline]
    pub(super) fn rice(&mut self, low: u32) -> Option<u64> {
        let upper = self.window().trailing_ones();
        if upper >= RICE_ESCAPE {
            self.skip(RICE_ESCAPE)?;
            return self.gamma();
        }
        self.skip(upper + 1)?;
        Some(u64::from(upper) << low | self.bits(low)?)
    }

    /// Reads so many numbers of a kind.
    pub(super) fn numbers(&mut self, count: usize) -> Option<Vec<u64>> {
        let mut code = AdaptiveRice::default();
        let numbers = (0..count.min(self.bits_left())).map(|_| {
            let number = self.rice(code.low_bits())?;
            code.adapt_to(number);
            Some(number)
        });
        let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        (numbers.len() == count).then_some(numbers)
    }

    /// Adds residuals of which most are 0 to what was predicted; `None` also when a sum is out of range.
    pub(super) fn add_sparse(&mut self, predicted: &mut [u64]) -> Option<()> {
        let count = usize::try_from(self.gamma()?).ok().filter(|count| *count <= predicted.len())?;
        if count == 0 {
            return Some(());
        }
        let (low, mut next) = (low_bits_of_gaps(predicted.len(), count), 0_usize);
        let mut places = Vec::with_capacity(count);
        for _ in 0..count {
            let at = next.checked_add(usize::try_from(self.rice(low)?).ok()?)?;
            places.push(at);
            next = at + 1;
        }
        for (at, number) in places.into_iter().zip(self.numbers(count)?) {
            let sum = predicted.get_mut(at)?;
            *sum = sum.checked_add_signed(signed(number + 1))?;
        }
        Some(())
    }

    /// Returns how many bytes were not read, not even a bit of them.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at.div_ceil(8)
    }

    fn bits_left(&self) -> usize {
        self.bytes.len() * 8 - self.at
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

/// Folds a number with a sign into one without, so that small ones stay small.
pub(super) fn unsigned(number: i64) -> u64 {
    (number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned()
}

/// Undoes [`unsigned`].
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
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
    use proptest::collection::vec;
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
            residuals in vec(prop_oneof![9 => Just(0), 1 => -1_000..1_000_i64], 0..200),
        ) {
            let mut writer = BitWriter::default();
            for (number, low) in &numbers {
                writer.gamma(*number);
                writer.rice(*number, *low);
                writer.bits(*number, 47);
            }
            writer.numbers(of_a_kind.iter().copied());
            writer.sparse(&residuals);
            writer.flag(true);
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (number, low) in &numbers {
                prop_assert_eq!(reader.gamma(), Some(*number));
                prop_assert_eq!(reader.rice(*low), Some(*number));
                prop_assert_eq!(reader.bits(47), Some(*number));
            }
            prop_assert_eq!(reader.numbers(of_a_kind.len()), Some(of_a_kind));
            let mut sums = vec![1_000; residuals.len()];
            reader.add_sparse(&mut sums).expect("sums in range");
            prop_assert!(sums.iter().zip(&residuals).all(|(sum, residual)| *sum as i64 == 1_000 + residual));
            prop_assert_eq!(reader.flag(), Some(true));
            prop_assert_eq!((reader.bytes_left(), reader.bits(8)), (0, None));
        }

        #[test]
        fn signs_are_folded_and_unfolded(number: i64) {
            prop_assert_eq!(signed(unsigned(number)), number);
        }
    }
}
