//! Interprets a fuzz input as a sequence of choices, so that changing one byte changes one choice.

/// The bytes of an input that haven't been read. When none are left, every choice is 0, which selects the
/// first option.
pub(crate) struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    pub(crate) fn of(input: &'a [u8]) -> Self {
        Self(input)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    pub(crate) fn number(&mut self) -> u64 {
        let mut bytes = [0; 8];
        let taken = self.bytes(8);
        bytes[..taken.len()].copy_from_slice(taken);
        u64::from_le_bytes(bytes)
    }

    /// Chooses a number below `bound`, which must be at least 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bytes = [self.byte(), if bound > 256 { self.byte() } else { 0 }];
        let high = if bound > 65_536 { usize::from(self.byte()) << 16 } else { 0 };
        (usize::from(u16::from_le_bytes(bytes)) + high) % bound
    }

    pub(crate) fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    pub(crate) fn bytes(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Reads a length byte, then up to that many bytes.
    pub(crate) fn run(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte());
        self.bytes(length)
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Numbers at the limits of integer types.
const EDGES: [u64; 14] = [
    0,
    1,
    2,
    63,
    64,
    127,
    255,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    i64::MAX as u64,
    u64::MAX,
];

/// Damages bytes in up to 12 places: overwrites, copies, inserts, or truncates them, or flips a bit. Stops
/// when no choices are left.
pub(crate) fn damage(bytes: &mut Vec<u8>, choices: &mut Choices<'_>) {
    for _ in 0..12 {
        if choices.is_empty() || bytes.is_empty() {
            return;
        }
        let (kind, at) = (choices.byte(), choices.below(bytes.len()));
        match kind % 8 {
            0 | 1 => bytes[at] = choices.byte(),
            2 => bytes[at] ^= 1 << (choices.byte() % 8),
            3 => overwrite(bytes, at, &choices.pick(&EDGES).to_le_bytes()[..4]),
            4 => overwrite(bytes, at, &choices.pick(&EDGES).to_le_bytes()),
            5 => overwrite(bytes, at, choices.run()),
            6 => {
                let from = choices.below(bytes.len());
                let length = 1 + usize::from(choices.byte() % 64);
                let moved: Vec<u8> = bytes[from..].iter().take(length).copied().collect();
                overwrite(bytes, at, &moved);
            }
            _ if choices.byte().is_multiple_of(4) => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, choices.run().iter().copied())),
        }
    }
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    bytes[at..].iter_mut().zip(with).for_each(|(byte, new)| *byte = *new);
}
