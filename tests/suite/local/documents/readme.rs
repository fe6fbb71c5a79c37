//! Runs the commands in README.md's quickstart.

use super::super::TestDir;
use super::{Project, steps};

const DOCUMENT: &str = include_str!("../../../../README.md");

/// The address of `make run` in README.md. The test uses a free port instead.
const ORIGIN: &str = "http://127.0.0.1:3000";

#[tokio::test(flavor = "multi_thread")]
async fn readme_quickstart_runs_as_written() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let (_, rest) = DOCUMENT.split_once("\n## Quickstart\n").expect("the section");
    let (quickstart, _) = rest.split_once("\n## ").expect("the next section");
    let mut steps = steps(quickstart);
    assert!(steps.iter().any(|step| step.commands.contains(ORIGIN)), "the quickstart uses {ORIGIN}");
    for step in &mut steps {
        step.commands = step.commands.replace(ORIGIN, &serving.credentials.search_url);
    }
    Project::of(&service).check(&steps).await;
    serving.interrupt().await;
}
