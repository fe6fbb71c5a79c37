//! What a person sees of work that takes seconds.

use indicatif::ProgressStyle;

/// Shows how far a command is, on the standard error; nothing where that is no terminal.
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// Shows nothing until the first step.
    pub fn start() -> Self {
        let style = ProgressStyle::with_template("{msg:32} {wide_bar} {percent:>3} %");
        Self(indicatif::ProgressBar::no_length().with_style(style.expect("the template is right")))
    }

    /// Shows that `done` of `all` units of a step are done.
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
