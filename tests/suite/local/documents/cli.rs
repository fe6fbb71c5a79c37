//! Checks that the command-line reference matches every command's `--help` output.

use harness::root;

const FILE: &str = "docs/reference/cli.md";

const INTRODUCTION: &str = "\
# Command line

`marquee` runs the service on one machine, manages organizations, keys, and credits, and builds data releases.
With `--table-prefix`, a command acts on a stack's tables in AWS. Without it, the command acts on the local
process's data. This page is generated from `--help`: `make cli-reference` updates it, and a test compares it.
";

/// If this variable is set, the test writes the page instead of comparing it.
const UPDATE: &str = "UPDATE_CLI_REFERENCE";

#[tokio::test(flavor = "multi_thread")]
async fn cli_reference_matches_help_output() {
    let mut page = INTRODUCTION.to_owned();
    let mut waiting = vec![String::new()];
    while let Some(command) = waiting.pop() {
        let help = help(&command).await;
        page += &format!("\n## marquee{command}\n\n```text\n{help}\n```\n");
        let below = subcommands(&help).into_iter().rev().map(|name| format!("{command} {name}"));
        waiting.extend(below);
    }
    let path = root().join(FILE);
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(path, page).expect("written");
        return;
    }
    let written = std::fs::read_to_string(path).expect("the page");
    assert!(written == page, "{FILE} is out of date: run `make cli-reference`");
}

/// Returns a command's `--help` output without trailing spaces.
async fn help(command: &str) -> String {
    let mut program = tokio::process::Command::new(super::binary("marquee"));
    program.env_clear().args(command.split_whitespace()).arg("--help");
    let output = super::in_time(program.output()).await.expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Returns the subcommands listed in a `--help` output.
fn subcommands(help: &str) -> Vec<&str> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let rows = list.lines().take_while(|line| line.starts_with("  "));
    rows.filter_map(|row| row.split_whitespace().next()).filter(|name| *name != "help").collect()
}
