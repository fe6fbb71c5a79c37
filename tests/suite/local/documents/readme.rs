//! The quickstart of README.md.

use super::super::TestDir;
use super::{Project, steps};

const DOCUMENT: &str = include_str!("../../../../README.md");

/// Where README.md says that `make run` serves; a test takes any free port.
const ORIGIN: &str = "http://127.0.0.1:3000";

#[tokio::test(flavor = "multi_thread")]
async fn the_quickstart_of_the_readme_runs_as_it_stands_there() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let (_, rest) = DOCUMENT.split_once("\n## Quickstart\n").expect("the section");
    let (quickstart, _) = rest.split_once("\n## ").expect("the next section");
    let mut steps = steps(quickstart);
    assert!(steps.iter().any(|step| step.commands.contains(ORIGIN)), "the readme names another origin");
    for step in &mut steps {
        step.commands = step.commands.replace(ORIGIN, &serving.credentials.search_url);
    }
    Project::of(&service).check(&steps).await;
    serving.interrupt().await;
}
