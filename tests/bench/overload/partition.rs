//! The partition that one account item lies in, with the limits that DynamoDB documents for it.
//!
//! A partition takes 1,000 write units and 3,000 read units a second, and adaptive capacity gives a hot item
//! a partition of its own, but no more than that
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>). Burst
//! capacity is what a table has left unused within these limits, so it raises nothing here
//! (<https://repost.aws/knowledge-center/dynamodb-spiky-workloads-short-intervals>).

use std::time::Duration;

/// The write units of a partition in a second.
const WRITE_UNITS: f64 = 1_000.0;

/// The read units of a partition in a second.
const READ_UNITS: f64 = 3_000.0;

/// How long a transaction keeps other writes off its items.
const TRANSACTION: Duration = Duration::from_millis(10);

/// What is left of a partition's second, and the transaction that is under way.
pub(super) struct Partition {
    writes: Bucket,
    reads: Bucket,
    locked_until: Duration,
    /// The write units that were taken since [`Self::take_written`].
    written: f64,
}

/// What becomes of an operation that reaches the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Admitted,
    Throttled,
    /// A transaction has the item.
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

    /// Judges a read, and takes its unit: an account has less than 4 KB.
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

    /// Takes the units of a write that was admitted.
    pub(super) fn take(&mut self, written: f64) {
        self.writes.left -= written;
        self.written += written;
    }

    /// Returns the write units that were taken since the last time it was asked.
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
