//! A progress bar for commands that take several seconds.

use indicatif::ProgressStyle;

/// A progress bar on standard error. It's hidden if standard error isn't a terminal.
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// Creates a progress bar, which is hidden until the first step starts.
    pub fn start() -> Self {
        let style = ProgressStyle::with_template("{msg:32} {wide_bar} {percent:>3} %");
        Self(indicatif::ProgressBar::no_length().with_style(style.expect("the template is valid")))
    }

    /// Shows a step's progress: `done` of `all` units are complete.
    pub fn show(&self, step: &str, done: u64, all: u64) {
        if self.0.message() != step {
            self.0.reset();
            self.0.set_message(step.to_owned());
        }
        self.0.set_length(all);
        self.0.set_position(done);
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
