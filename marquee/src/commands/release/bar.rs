use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on the standard error; nothing where that is no terminal.
pub(super) struct Bar {
    style: ProgressStyle,
    /// What it is about, and the bar.
    shown: Mutex<(String, ProgressBar)>,
}

impl Bar {
    pub(super) fn new() -> Self {
        let style = ProgressStyle::with_template("{msg:32} {wide_bar} {percent:>3} %").expect("the template is right");
        Self { style, shown: Mutex::new((String::new(), ProgressBar::hidden())) }
    }

    /// Shows how far a piece of work is.
    pub(super) fn show(&self, what: &str, done: u64, all: u64) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.0 != what {
            shown.1.finish_and_clear();
            // A bar of its own, so that it does not begin where the one before ended.
            let bar = ProgressBar::new(all).with_style(self.style.clone()).with_message(what.to_owned());
            *shown = (what.to_owned(), bar.with_position(done));
            shown.1.tick();
        }
        shown.1.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.get_mut().unwrap_or_else(PoisonError::into_inner).1.finish_and_clear();
    }
}
