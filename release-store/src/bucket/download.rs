//! Downloads of large objects, range by range.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::client::Bucket;
use super::error::{BucketError, BucketFailure};
use super::tries::Tries;

/// The bytes of one range.
pub const RANGE_BYTES: u64 = 8 * 1024 * 1024;

/// The ranges that are read at once, of all objects together.
pub const RANGES_IN_FLIGHT: usize = 8;

/// An object, and the file that it is to be in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub key: String,
    /// The object's length.
    pub bytes: u64,
    pub path: PathBuf,
}

impl Bucket {
    /// Downloads objects side by side, range by range.
    ///
    /// # Errors
    ///
    /// When an object is not there, has another length, or cannot be read to its end, or a file cannot be
    /// written. What is in the files then is of no use.
    pub async fn download(&self, objects: &[Wanted]) -> Result<(), BucketError> {
        for wanted in objects {
            let created = File::create(&wanted.path).and_then(|file| file.set_len(wanted.bytes));
            created.map_err(|error| self.error(&wanted.key, unwritable(&wanted.path, &error)))?;
        }
        let of_one = |wanted| ranges(wanted).map(move |range| self.download_range(wanted, range));
        let downloads: Vec<_> = objects.iter().flat_map(of_one).collect();
        stream::iter(downloads).buffer_unordered(RANGES_IN_FLIGHT).try_collect().await
    }

    async fn download_range(&self, wanted: &Wanted, range: Range<u64>) -> Result<(), BucketError> {
        let mut at = range.start;
        let mut tries = Tries::default();
        // What has arrived is kept: the next try goes on from there.
        while let Err(failure) = self.download_rest(wanted, &mut at, range.end).await {
            tries.again_after(failure).await.map_err(|failure| self.error(&wanted.key, failure))?;
        }
        Ok(())
    }

    async fn download_rest(&self, wanted: &Wanted, at: &mut u64, end: u64) -> Result<(), BucketFailure> {
        let Wanted { key, bytes, path } = wanted;
        let unwritable = |error: io::Error| unwritable(path, &error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(unwritable)?;
        file.seek(SeekFrom::Start(*at)).map_err(unwritable)?;
        self.receive_range(key, *at..end, *bytes, |chunk| {
            // Into the system's memory: it takes no longer than handing it to another thread would.
            file.write_all(chunk).map_err(unwritable)?;
            *at += chunk.len() as u64;
            Ok(())
        })
        .await
    }
}

fn ranges(wanted: &Wanted) -> impl Iterator<Item = Range<u64>> + use<> {
    let bytes = wanted.bytes;
    (0..bytes.div_ceil(RANGE_BYTES)).map(move |index| {
        let start = index * RANGE_BYTES;
        start..bytes.min(start + RANGE_BYTES)
    })
}

fn unwritable(path: &Path, error: &io::Error) -> BucketFailure {
    BucketFailure::UnwritableFile { path: path.to_owned(), why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_of_an_object_cover_it_once() {
        for bytes in [0, 1, RANGE_BYTES - 1, RANGE_BYTES, RANGE_BYTES + 1, 5 * RANGE_BYTES + 17] {
            let mut at = 0;
            for range in ranges(&Wanted { key: String::new(), bytes, path: PathBuf::new() }) {
                assert_eq!(range.start, at);
                assert!(!range.is_empty() && range.end - range.start <= RANGE_BYTES, "{range:?} of {bytes}");
                at = range.end;
            }
            assert_eq!(at, bytes);
        }
    }
}
