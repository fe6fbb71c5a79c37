//! Tests of the documentation. They run the commands on the pages and compare their output with the pages, or
//! write it to the pages with `RECORD=1`. They also check lists, paths, names, links, and line widths.

mod administrator;
mod cli;
mod decisions;
mod links;
mod lists;
mod pages;
mod parameters;
mod paths;
mod readme;
mod width;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use harness::root;
use tokio::process::Command;

use super::{Ended, TestDir, binary, in_time};

/// Separates the outputs of consecutive blocks. No command prints this character.
const SEPARATOR: &str = "\u{1e}";

/// The folders that can contain documents.
const FOLDERS: [&str; 11] = [
    "",
    "clients/python",
    "clients/typescript",
    "data",
    "docs",
    "docs/decisions",
    "docs/explanation",
    "docs/how-to",
    "docs/reference",
    "docs/tutorials",
    "events",
];

/// The time limit for a page. One page builds a release.
const PAGE_TIME_LIMIT: Duration = Duration::from_secs(300);

/// A block of commands and its documented output.
struct Step {
    commands: String,
    output: Option<String>,
}

/// A folder with everything that the documented commands need. It stands in for the project folder while
/// `make run` is running.
struct Project(TestDir);

impl Project {
    /// Creates links to the service's data and to the program at the documented paths.
    fn of(service: &TestDir) -> Self {
        let project = TestDir::new();
        for folder in [".local", "target/debug"] {
            std::fs::create_dir_all(project.path().join(folder)).expect("a folder");
        }
        symlink(service.path(), project.path().join(".local/data")).expect("a link");
        let built = binary("marquee");
        symlink(built, project.path().join("target/debug/marquee")).expect("a link");
        symlink(root().join("data"), project.path().join("data")).expect("a link");
        Self(project)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the steps in one shell and checks that each prints the documented output.
    async fn check(&self, steps: &[Step]) {
        for (step, output) in steps.iter().zip(self.run(steps).await) {
            let shown = step.output.as_deref().unwrap_or_default();
            if std::env::var_os("RECORD").is_some() && can_record(shown) && !shows(&output, shown) {
                record(&output, shown);
                continue;
            }
            assert!(shows(&output, shown), "{}prints\n{output}instead of\n{shown}", step.commands);
        }
    }

    async fn run(&self, steps: &[Step]) -> Vec<String> {
        let commands = steps.iter().map(|step| format!("{}\nprintf '{SEPARATOR}'\n", step.commands));
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", &commands.collect::<String>()]).current_dir(self.0.path());
        // The shell inherits only PATH and HOME, because a proxy variable would redirect calls to 127.0.0.1.
        let kept = ["PATH", "HOME"].into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        shell.env_clear().envs(kept).stdin(Stdio::null()).kill_on_drop(true);
        let output = tokio::time::timeout(PAGE_TIME_LIMIT, shell.output())
            .await
            .expect("the page finishes within the time limit");
        let ended = Ended::from(output.expect("bash, curl, jq and python3"));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
        let printed = ended.stdout.strip_suffix(SEPARATOR).expect("the end of the last step");
        let printed: Vec<_> = printed.split(SEPARATOR).map(str::to_owned).collect();
        assert_eq!(printed.len(), steps.len());
        printed
    }
}

fn documents() -> Vec<PathBuf> {
    let entries = FOLDERS.into_iter().flat_map(|folder| {
        std::fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path())
    });
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// Returns a document's command blocks with their outputs. Skips `console` blocks, which start the service or
/// require an AWS account.
fn steps(part: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut parts = part.split("```").skip(1);
    while let Some(block) = parts.next() {
        match block.split_once('\n').unwrap_or_default() {
            ("sh", commands) => steps.push(Step { commands: commands.to_owned(), output: None }),
            ("text", output) => {
                let step = steps.last_mut().expect("output follows commands");
                assert!(
                    step.output.replace(output.to_owned()).is_none(),
                    "a block of commands has at most one output: {output}"
                );
            }
            ("console", _) => {}
            (other, _) => panic!("block type `{other}` must be `sh`, `text`, or `console`"),
        }
        parts.next();
    }
    steps
}

/// Returns whether an output matches the documented one, in which each `…` matches any text.
fn shows(output: &str, shown: &str) -> bool {
    let mut parts = shown.trim().split('…').map(str::trim);
    let (first, mut rest) = (parts.next().unwrap_or_default(), output.trim());
    if !rest.starts_with(first) {
        return false;
    }
    rest = &rest[first.len()..];
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last == Some("")
}

/// Returns whether the documented output omits only whole lines.
fn can_record(shown: &str) -> bool {
    shown.lines().all(|line| line == "…" || !line.contains('…'))
}

/// Replaces an earlier output with a new one in all documents that show it. If a line `…` stands for omitted
/// lines, keeps it, and shows as many lines before and after it as the earlier output did.
fn record(output: &str, shown: &str) {
    let lines: Vec<&str> = output.trim().lines().collect();
    let new = match shown.split_once("…\n") {
        Some((before, after)) if before.is_empty() || before.ends_with('\n') => {
            let (before, after) = (before.lines().count(), after.lines().count());
            let after = lines.len().saturating_sub(after);
            [&lines[..before.min(after)], &["…"], &lines[after..]].concat().join("\n")
        }
        _ => lines.join("\n"),
    };
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document");
        let block = |output: &str| format!("```text\n{}\n```", output.trim_end());
        let recorded = text.replace(&block(shown), &block(&new));
        std::fs::write(&path, recorded).expect("the document can be written");
    }
}

#[test]
fn ellipsis_matches_any_omitted_output() {
    for shown in ["one\ntwo\nthree", "one\n…", "…\nthree", "one\n…\nthree", "o…e\ntw…", "…"] {
        assert!(shows("one\ntwo\nthree\n", shown), "{shown}");
    }
    for shown in ["", "one", "two\n…", "one\n…\ntwo", "one\nthree", "three\n…\none", "one\ntwo\nthree\nfour"]
    {
        assert!(!shows("one\ntwo\nthree\n", shown), "{shown}");
    }
}
