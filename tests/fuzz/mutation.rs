//! Mutations of a corpus by chance, for as long as `FUZZ_SECONDS` says: what needs no other build than `cargo
//! test` has, and the same inputs in the same order for the same `FUZZ_SEED`.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fastrand::Rng;

/// The longest input.
const MOST_BYTES: usize = 4_096;

/// Gives a target mutations of its corpus. An input that fails is left among its `crashes`, from where it is
/// tried again until it passes.
pub(crate) fn try_mutations(name: &str, judge: impl Fn(&[u8])) {
    let Some(seconds) = variable("FUZZ_SECONDS") else { return };
    let (seed, started) = (variable("FUZZ_SEED").unwrap_or(1), Instant::now());
    let (corpus, mut dice, mut inputs) = (corpus(name), Rng::with_seed(seed), 0_u64);
    while started.elapsed() < Duration::from_secs(seconds) {
        let input = mutated(&corpus, &mut dice);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| judge(&input))) {
            let file = folder(name).join("crashes").join(format!("seed-{seed}-{inputs}"));
            fs::create_dir_all(folder(name).join("crashes")).expect("a folder for what fails");
            fs::write(&file, &input).expect("a file for what fails");
            #[expect(clippy::print_stdout, reason = "says where the input is")]
            {
                println!("{name}: failed on {}", file.display());
            }
            resume_unwind(panic);
        }
        inputs += 1;
    }
    #[expect(clippy::print_stdout, reason = "the figures are what it is run for")]
    {
        println!("fuzz {name}: {inputs} inputs in {seconds} s, seed {seed}");
    }
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a whole number, not {text:?}")))
}

/// The folder of a target, as bolero names it.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/__fuzz__").join(name)
}

/// The corpus of a target in the order of its names, and the empty input.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder(name).join("corpus")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let inputs = files.iter().map(|file| fs::read(file).expect("a file"));
    inputs.chain([Vec::new()]).collect()
}

fn mutated(corpus: &[Vec<u8>], dice: &mut Rng) -> Vec<u8> {
    let mut input = corpus[dice.usize(..corpus.len())].clone();
    for _ in 0..dice.usize(1..6) {
        let at = dice.usize(..=input.len());
        let end = (at + dice.usize(..=16)).min(input.len());
        match dice.u8(..6) {
            0 | 1 if at < input.len() => input[at] = dice.u8(..),
            2 if at < input.len() => input[at] ^= 1 << dice.u8(..8),
            3 => drop(input.drain(at..end)),
            4 => {
                let other = &corpus[dice.usize(..corpus.len())];
                let from = dice.usize(..=other.len());
                let run: Vec<u8> = other[from..].iter().take(dice.usize(1..64)).copied().collect();
                input.splice(at..end, run);
            }
            _ => {
                let random: Vec<u8> = (0..dice.usize(1..16)).map(|_| dice.u8(..)).collect();
                input.splice(at..at, random);
            }
        }
    }
    input.truncate(MOST_BYTES);
    input
}
