//! Fixed-size rows in a mapped file, used in place.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::Mmap;
use yoke::Yoke;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A row that can be used in place, because its bytes are the same on every machine and it has no alignment
/// requirement.
pub(crate) trait Row: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned {}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned> Row for T {}

/// The rows in a section. They keep the file mapped into memory.
#[derive(Clone)]
pub(crate) struct Rows<T: 'static>(Yoke<&'static [T], Arc<Mmap>>);

impl<T: Row> Rows<T> {
    /// Interprets a range of a mapped file as rows. Returns `None` if the range isn't a whole number of rows
    /// or extends beyond the end of the file.
    pub(super) fn new(map: Arc<Mmap>, range: Range<usize>) -> Option<Self> {
        let rows = Yoke::try_attach_to_cart(map, |map| {
            map.get(range).and_then(|bytes| <[T]>::ref_from_bytes(bytes).ok()).ok_or(())
        });
        rows.ok().map(Self)
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.get()
    }
}

impl<T> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows", self.len())
    }
}
