/// The position of a geography in its release's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeographyIndex(u32);

impl GeographyIndex {
    /// Takes a position.
    pub const fn from_raw(position: u32) -> Self {
        Self(position)
    }

    /// Returns the position.
    pub const fn raw(self) -> u32 {
        self.0
    }
}
