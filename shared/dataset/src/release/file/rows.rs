//! Rows of a mapped file, used in place.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::Mmap;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A row that is used in place: its bytes are the same on every machine and at every address.
pub(crate) trait Row: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned {}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned> Row for T {}

/// The rows of one section.
pub(crate) struct Rows<T> {
    map: Arc<Mmap>,
    range: Range<usize>,
    row: PhantomData<fn() -> T>,
}

impl<T: Row> Rows<T> {
    /// Takes a section; `None` when it ends inside a row.
    pub(super) fn new(map: Arc<Mmap>, range: Range<usize>) -> Option<Self> {
        <[T]>::ref_from_bytes(map.get(range.clone())?).ok()?;
        Some(Self { map, range, row: PhantomData })
    }
}

impl<T: Row> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.map[self.range.clone()]).expect("the section was found whole")
    }
}

impl<T> Clone for Rows<T> {
    fn clone(&self) -> Self {
        Self { map: Arc::clone(&self.map), range: self.range.clone(), row: PhantomData }
    }
}

impl<T> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rows").field(&self.range).finish()
    }
}
