//! Runs a target on its corpus and on mutations of it.

use std::time::{Duration, Instant};

/// The maximum number of bytes that a target may have allocated at any time. Inputs are a few KiB long.
pub(crate) const MAX_BYTES: u64 = 48 * 1024 * 1024;

/// The maximum time per input.
const LONGEST: Duration = Duration::from_secs(1);

/// The number of attempts for a slow input, which may be slow only because the machine is busy.
const TRIES: usize = 4;

/// Runs a target on the corpus of the same name and on mutations of it.
macro_rules! fuzz {
    ($name:expr, $prepare:path, $run:path) => {
        $prepare();
        $crate::mutation::try_mutations($name, |input| $crate::run::check(input, $run));
        // bolero only replays the corpus. Mutations of the corpus find more faults than bolero's random
        // bytes.
        let target = bolero::check!(name = $name).with_iterations(0).with_test_time(std::time::Duration::MAX);
        target.for_each(|input: &[u8]| $crate::run::check(input, $run));
    };
}
pub(crate) use fuzz;

/// Runs a target on an input and checks the time and memory limits.
pub(crate) fn check(input: &[u8], run: fn(&[u8])) {
    for tries_left in (0..TRIES).rev() {
        let started = Instant::now();
        let memory = allocation_counter::measure(|| run(input));
        let took = started.elapsed();
        let most = memory.bytes_max;
        assert!(most <= MAX_BYTES, "an input of {} bytes allocates {most} bytes", input.len());
        if took <= LONGEST {
            return;
        }
        assert!(tries_left > 0, "an input of {} bytes takes {took:?}", input.len());
    }
}
