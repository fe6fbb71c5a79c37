//! Runs a target: mutations of its corpus, and the corpus.

use std::time::{Duration, Instant};

/// The most memory that an input of a few KiB may take at one time, besides what is there before.
pub(crate) const MOST_BYTES: u64 = 48 * 1024 * 1024;

/// The longest that an input may take.
const LONGEST: Duration = Duration::from_secs(1);

/// How often an input is tried that takes too long: the machine may have been busy with something else.
const TRIES: usize = 4;

/// Runs a target under its name, by which its corpus is found.
macro_rules! fuzz {
    ($name:expr, $prepare:path, $run:path) => {
        $prepare();
        $crate::mutation::try_mutations($name, |input| $crate::run::judge(input, $run));
        // Nothing is left to chance here: random bytes say less than mutations of a corpus.
        let target = bolero::check!(name = $name).with_iterations(0).with_test_time(std::time::Duration::MAX);
        target.for_each(|input: &[u8]| $crate::run::judge(input, $run));
    };
}
pub(crate) use fuzz;

/// Gives a target an input, and holds it to its bounds.
pub(crate) fn judge(input: &[u8], run: fn(&[u8])) {
    for tries_left in (0..TRIES).rev() {
        let started = Instant::now();
        let memory = allocation_counter::measure(|| run(input));
        let took = started.elapsed();
        let most = memory.bytes_max;
        assert!(most <= MOST_BYTES, "an input of {} bytes takes {most} bytes of memory", input.len());
        if took <= LONGEST {
            return;
        }
        assert!(tries_left > 0, "an input of {} bytes takes {took:?}", input.len());
    }
}
