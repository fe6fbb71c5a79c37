//! Runs targets on random mutations of their corpora for `FUZZ_SECONDS`, without a special build. The same
//! `FUZZ_SEED` generates the same inputs in the same order.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fastrand::Rng;

/// The maximum length of an input, in bytes.
const MAX_BYTES: usize = 4_096;

/// Runs a target on mutations of its corpus. Stores failing inputs in the `crashes` folder, so that later
/// runs retry them.
pub(crate) fn try_mutations(name: &str, check: impl Fn(&[u8])) {
    let Some(seconds) = variable("FUZZ_SECONDS") else { return };
    let (seed, started) = (variable("FUZZ_SEED").unwrap_or(1), Instant::now());
    let (corpus, mut rng, mut inputs) = (corpus(name), Rng::with_seed(seed), 0_u64);
    while started.elapsed() < Duration::from_secs(seconds) {
        let input = mutated(&corpus, &mut rng);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&input))) {
            let file = folder(name).join("crashes").join(format!("seed-{seed}-{inputs}"));
            fs::create_dir_all(folder(name).join("crashes")).expect("created");
            fs::write(&file, &input).expect("stored");
            #[expect(clippy::print_stdout, reason = "prints the path of the input")]
            {
                println!("{name}: failed on {}", file.display());
            }
            resume_unwind(panic);
        }
        inputs += 1;
    }
    #[expect(clippy::print_stdout, reason = "prints the result")]
    {
        println!("fuzz {name}: {inputs} inputs in {seconds} s, seed {seed}");
    }
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, got {text:?}")))
}

/// Returns a target's folder, whose path follows bolero's convention.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/__fuzz__").join(name)
}

/// Returns a target's corpus in order of file names, followed by an empty input.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder(name).join("corpus")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("valid corpus").path()).collect();
    files.sort();
    let inputs = files.iter().map(|file| fs::read(file).expect("valid corpus"));
    inputs.chain([Vec::new()]).collect()
}

fn mutated(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut input = corpus[rng.usize(..corpus.len())].clone();
    for _ in 0..rng.usize(1..6) {
        let at = rng.usize(..=input.len());
        let end = (at + rng.usize(..=16)).min(input.len());
        match rng.u8(..6) {
            0 | 1 if at < input.len() => input[at] = rng.u8(..),
            2 if at < input.len() => input[at] ^= 1 << rng.u8(..8),
            3 => drop(input.drain(at..end)),
            4 => {
                let other = &corpus[rng.usize(..corpus.len())];
                let from = rng.usize(..=other.len());
                let run: Vec<u8> = other[from..].iter().take(rng.usize(1..64)).copied().collect();
                input.splice(at..end, run);
            }
            _ => {
                let random: Vec<u8> = (0..rng.usize(1..16)).map(|_| rng.u8(..)).collect();
                input.splice(at..at, random);
            }
        }
    }
    input.truncate(MAX_BYTES);
    input
}
