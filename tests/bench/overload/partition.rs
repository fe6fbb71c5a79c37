//! A DynamoDB partition that contains one account item and enforces DynamoDB's documented limits.
//!
//! A partition supports 1,000 write units and 3,000 read units per second. Adaptive capacity can isolate a
//! hot item in its own partition, but can't exceed these limits
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>). Burst
//! capacity is unused capacity within the limits, so it doesn't raise them
//! (<https://repost.aws/knowledge-center/dynamodb-spiky-workloads-short-intervals>).

use std::time::Duration;

/// The write units that a partition supports per second.
const WRITE_UNITS: f64 = 1_000.0;

/// The read units that a partition supports per second.
const READ_UNITS: f64 = 3_000.0;

/// How long a transaction blocks other writes to its items.
const TRANSACTION: Duration = Duration::from_millis(10);

/// A partition's remaining capacity, and when the current transaction ends.
pub(super) struct Partition {
    writes: Bucket,
    reads: Bucket,
    locked_until: Duration,
    /// The write units used since the last call of [`Self::take_written`].
    written: f64,
}

/// The partition's answer to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Admitted,
    Throttled,
    /// A transaction is in progress.
    Conflict,
}

struct Bucket {
    per_second: f64,
    left: f64,
    at: Duration,
}

impl Partition {
    pub(super) fn new() -> Self {
        Self {
            writes: Bucket::full(WRITE_UNITS),
            reads: Bucket::full(READ_UNITS),
            locked_until: Duration::ZERO,
            written: 0.0,
        }
    }

    /// Admits or throttles a read, which uses one unit because an account is smaller than 4 KB.
    pub(super) fn judge_read(&mut self, now: Duration) -> Verdict {
        if !self.reads.has_some(now) {
            return Verdict::Throttled;
        }
        self.reads.left -= 1.0;
        Verdict::Admitted
    }

    pub(super) fn judge_write(&mut self, now: Duration, is_transaction: bool) -> Verdict {
        if !self.writes.has_some(now) {
            return Verdict::Throttled;
        }
        if now < self.locked_until {
            return Verdict::Conflict;
        }
        if is_transaction {
            self.locked_until = now + TRANSACTION;
        }
        Verdict::Admitted
    }

    /// Deducts the write units that an admitted write uses.
    pub(super) fn take(&mut self, written: f64) {
        self.writes.left -= written;
        self.written += written;
    }

    /// Returns the write units used since the last call.
    pub(super) fn take_written(&mut self) -> f64 {
        std::mem::take(&mut self.written)
    }
}

impl Bucket {
    fn full(per_second: f64) -> Self {
        Self { per_second, left: per_second, at: Duration::ZERO }
    }

    fn has_some(&mut self, now: Duration) -> bool {
        let passed = (now - self.at).as_secs_f64();
        self.left = self.per_second.min(self.left + passed * self.per_second);
        self.at = now;
        self.left > 0.0
    }
}
