//! Runs a target on its corpus and on mutations of it.

use std::time::{Duration, Instant};

/// The maximum memory that an input of a few KiB may allocate at one time.
pub(crate) const MOST_BYTES: u64 = 48 * 1024 * 1024;

/// The maximum time for an input.
const LONGEST: Duration = Duration::from_secs(1);

/// The number of attempts for a slow input, because the machine may be busy.
const TRIES: usize = 4;

/// Runs a target with its corpus, which is found by the target's name.
macro_rules! fuzz {
    ($name:expr, $prepare:path, $run:path) => {
        $prepare();
        $crate::mutation::try_mutations($name, |input| $crate::run::check(input, $run));
        // bolero only replays the corpus. Mutations of a corpus find more than random bytes.
        let target = bolero::check!(name = $name).with_iterations(0).with_test_time(std::time::Duration::MAX);
        target.for_each(|input: &[u8]| $crate::run::check(input, $run));
    };
}
pub(crate) use fuzz;

/// Runs a target on an input, and checks its limits of memory and time.
pub(crate) fn check(input: &[u8], run: fn(&[u8])) {
    for tries_left in (0..TRIES).rev() {
        let started = Instant::now();
        let memory = allocation_counter::measure(|| run(input));
        let took = started.elapsed();
        let most = memory.bytes_max;
        assert!(most <= MOST_BYTES, "an input of {} bytes allocates {most} bytes", input.len());
        if took <= LONGEST {
            return;
        }
        assert!(tries_left > 0, "an input of {} bytes takes {took:?}", input.len());
    }
}
