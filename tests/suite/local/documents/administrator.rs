//! Runs the commands in the administrator tutorial and in the guide to organizations and credits.

use super::super::{TestDir, share_build_cache};
use super::{Project, steps};

const TUTORIAL: &str = include_str!("../../../../docs/tutorials/administrator.md");
const ORGANIZATIONS: &str = include_str!("../../../../docs/how-to/organizations-and-credits.md");

/// The address of `make run` in the tutorial. The tests use a free port instead.
const ORIGIN: &str = "http://127.0.0.1:3000";

#[tokio::test(flavor = "multi_thread")]
async fn administrator_tutorial_runs_from_top_to_bottom() {
    let service = TestDir::new();
    let project = Project::of(&service);
    share_build_cache(&project.path().join(".local/acme/releases"));
    let (before, after) = TUTORIAL.split_once("\n## 3. Serve your data\n").expect("the section");
    project.check(&steps(before)).await;
    let serving = service.serve_release(&project.path().join(".local/acme/releases/latest"), &[]).await;
    let after = after.replace(ORIGIN, &serving.credentials.search_url);
    project.check(&steps(&after)).await;
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn organizations_guide_runs_from_top_to_bottom() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let steps = steps(ORGANIZATIONS);
    assert!(steps.len() > 8);
    Project::of(&service).check(&steps).await;
    serving.interrupt().await;
}
