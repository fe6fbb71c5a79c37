//! Reads a range of a large object. After an interruption, reading resumes where it stopped.

use std::ops::Range;

use http::Method;
use http::header::{CONTENT_RANGE, RANGE};
use tokio::sync::Mutex;

use super::client::{Bucket, FIRST_PAUSE, interrupted};
use super::error::{BucketError, BucketFailure};

/// A range of bytes in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObjectRange {
    pub(crate) key: String,
    /// The expected length of the whole object, in bytes.
    pub(crate) object_bytes: u64,
    pub(crate) bytes: Range<u64>,
}

impl Bucket {
    /// Reads a range of an object into memory. A retry requests only the bytes that haven't arrived yet.
    /// Returns an error if the object doesn't exist, has a different length, or can't be read.
    pub(crate) async fn read_range(&self, range: &ObjectRange) -> Result<Vec<u8>, BucketError> {
        let length =
            usize::try_from(range.bytes.end - range.bytes.start).expect("the range fits into memory");
        let read = Mutex::new(Vec::with_capacity(length));
        self.retry(&range.key, FIRST_PAUSE, || self.read_rest(range, length, &read)).await?;
        Ok(read.into_inner())
    }

    async fn read_rest(
        &self,
        range: &ObjectRange,
        length: usize,
        read: &Mutex<Vec<u8>>,
    ) -> Result<(), BucketFailure> {
        let mut read = read.lock().await;
        let ObjectRange { key, object_bytes, bytes } = range;
        let ask = format!("bytes={}-{}", bytes.start + read.len() as u64, bytes.end - 1);
        let answer = self.ask(self.request(Method::GET, key).header(RANGE, ask)).await?;
        let content_range = answer.headers().get(CONTENT_RANGE);
        let all = content_range.and_then(|range| range.rsplit_once('/')?.1.parse().ok());
        if all != Some(*object_bytes) {
            return Err(BucketFailure::OtherLength(*object_bytes));
        }
        let take = |chunk: &[u8]| {
            if read.len() + chunk.len() > length {
                return Err(BucketFailure::OtherLength(*object_bytes));
            }
            read.extend_from_slice(chunk);
            Ok(())
        };
        match self.receive(answer, take).await {
            // All bytes have arrived, so it doesn't matter how the response ended.
            Ok(()) | Err(BucketFailure::Unavailable(_)) if read.len() == length => Ok(()),
            Ok(()) => Err(interrupted()),
            Err(failure) => Err(failure),
        }
    }
}
