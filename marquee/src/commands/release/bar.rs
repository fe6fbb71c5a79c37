use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on the standard error; nothing where that is no terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    showing: Mutex<String>,
}

impl Bar {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{msg:28} {wide_bar} {percent:>3} %");
        bar.set_style(style.expect("the template is right"));
        Self { bar, showing: Mutex::default() }
    }

    /// Shows how far a piece of work is.
    pub(super) fn show(&self, what: &str, done: u64, all: u64) {
        let mut showing = self.showing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *showing != what {
            what.clone_into(&mut showing);
            self.bar.set_message(what.to_owned());
        }
        self.bar.set_length(all);
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
