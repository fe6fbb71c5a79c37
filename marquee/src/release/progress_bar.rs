//! What a person sees of work that takes seconds.

use std::sync::{Mutex, PoisonError};

use indicatif::ProgressStyle;

/// Shows how far a command is, on the standard error; nothing where that is no terminal.
pub struct ProgressBar {
    style: ProgressStyle,
    current: Mutex<Stage>,
}

/// What is being done, and the bar for it.
struct Stage {
    name: String,
    bar: indicatif::ProgressBar,
}

impl ProgressBar {
    /// Shows nothing until the first step.
    pub fn start() -> Self {
        let style = ProgressStyle::with_template("{msg:32} {wide_bar} {percent:>3} %")
            .expect("the template is right");
        let nothing = Stage { name: String::new(), bar: indicatif::ProgressBar::hidden() };
        Self { style, current: Mutex::new(nothing) }
    }

    /// Shows that `done` of `all` units of a step are done.
    pub fn show(&self, step: &str, done: u64, all: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.name != step {
            current.bar.finish_and_clear();
            // A bar of its own, so that it does not begin where the one before ended.
            let bar =
                indicatif::ProgressBar::new(all).with_style(self.style.clone()).with_message(step.to_owned());
            *current = Stage { name: step.to_owned(), bar: bar.with_position(done) };
            current.bar.tick();
        }
        current.bar.set_position(done);
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.current.get_mut().unwrap_or_else(PoisonError::into_inner).bar.finish_and_clear();
    }
}
