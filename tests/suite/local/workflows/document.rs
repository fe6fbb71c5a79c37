use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::super::{Ended, Folder, in_time, program};

const DOCUMENT: &str = include_str!("../../../../docs/workflows.md");

/// Stands between the outputs of two blocks; no output has it.
const SEPARATOR: &str = "\u{1e}";

/// A block of commands, and what the document says that it prints.
struct Step {
    commands: String,
    output: Option<String>,
}

/// Returns the blocks of a part of the document.
fn steps(part: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut parts = part.split("```").skip(1);
    while let Some(block) = parts.next() {
        match block.split_once('\n').unwrap_or_default() {
            ("sh", commands) => steps.push(Step { commands: commands.to_owned(), output: None }),
            ("text", output) => {
                let step = steps.last_mut().expect("commands before their output");
                assert!(step.output.replace(output.to_owned()).is_none(), "two outputs: {output}");
            }
            (other, _) => panic!("a block is `sh` or `text`, not `{other}`"),
        }
        parts.next();
    }
    steps
}

/// Runs steps one after the other in one shell, and returns what each of them prints.
async fn run(folder: &Path, steps: &[Step]) -> Vec<String> {
    let commands = steps.iter().map(|step| format!("{}\nprintf '{SEPARATOR}'\n", step.commands));
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &commands.collect::<String>()]).current_dir(folder).kill_on_drop(true);
    // Nothing of this machine but its programs: a proxy would be asked for 127.0.0.1.
    let kept = ["PATH", "HOME"].into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    shell.env_clear().envs(kept).stdin(Stdio::null());
    let ended = Ended::from(in_time(shell.output()).await.expect("bash, curl and python3"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    let mut printed: Vec<_> = ended.stdout.split(SEPARATOR).map(str::to_owned).collect();
    printed.pop();
    printed
}

/// Tells whether an output is what the document shows of it: in its order, with anything in place of each `…`.
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

#[test]
fn an_output_is_held_to_what_is_shown_of_it() {
    for shown in ["one\ntwo\nthree", "one\n…", "…\nthree", "one\n…\nthree", "o…e\ntw…", "…"] {
        assert!(shows("one\ntwo\nthree\n", shown), "{shown}");
    }
    for shown in ["", "one", "two\n…", "one\n…\ntwo", "one\nthree", "three\n…\none", "one\ntwo\nthree\nfour"] {
        assert!(!shows("one\ntwo\nthree\n", shown), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_workflow_of_the_document_runs_as_it_stands_there() {
    let folder = Folder::new();
    let serving = folder.serve(&[]).await;
    let mut parts = DOCUMENT.split("\n## ");
    let before = parts.next().expect("an introduction");
    let workflows: Vec<_> = parts.collect();
    assert_eq!(workflows.len(), 5);
    for workflow in workflows {
        // What the project's own folder has while `make run` is going.
        let place = Folder::new();
        std::fs::create_dir_all(place.path().join(".local")).expect("a folder");
        std::fs::create_dir_all(place.path().join("target/debug")).expect("a folder");
        symlink(folder.path(), place.path().join(".local/data")).expect("a link");
        let built = tokio::task::block_in_place(program);
        symlink(built, place.path().join("target/debug/marquee")).expect("a link");

        let mut steps = steps(before);
        steps.extend(self::steps(workflow));
        for (step, output) in steps.iter().zip(run(place.path(), &steps).await) {
            let shown = step.output.as_deref().unwrap_or_default();
            assert!(shows(&output, shown), "{}prints\n{output}and not\n{shown}", step.commands);
        }
    }
    serving.interrupt().await;
}
