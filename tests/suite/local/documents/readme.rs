//! README.md from "Two minutes" on.

use super::super::TestDir;
use super::{Project, steps};

const DOCUMENT: &str = include_str!("../../../../README.md");

/// Where README.md says that `make run` serves; a test takes any free port.
const ORIGIN: &str = "http://127.0.0.1:3000";

#[tokio::test(flavor = "multi_thread")]
async fn the_two_minutes_of_the_readme_run_as_they_stand_there() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let (_, walk) = DOCUMENT.split_once("\n## Two minutes\n").expect("the section");
    let mut steps = steps(walk);
    assert!(steps.iter().any(|step| step.commands.contains(ORIGIN)), "the readme names another origin");
    for step in &mut steps {
        step.commands = step.commands.replace(ORIGIN, &serving.credentials.search_url);
    }
    Project::of(&service).check(&steps).await;
    serving.interrupt().await;
}
