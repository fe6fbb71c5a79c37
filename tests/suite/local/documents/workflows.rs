//! docs/workflows.md, where each workflow starts from the document's introduction.

use super::super::TestDir;
use super::{Project, steps};

const DOCUMENT: &str = include_str!("../../../../docs/workflows.md");

#[tokio::test(flavor = "multi_thread")]
async fn each_workflow_of_the_document_runs_as_it_stands_there() {
    let service = TestDir::new();
    let serving = service.serve(&[]).await;
    let mut parts = DOCUMENT.split("\n## ");
    let introduction = parts.next().expect("an introduction");
    let workflows: Vec<_> = parts.collect();
    assert_eq!(workflows.len(), 8);
    for workflow in workflows {
        let mut steps = steps(introduction);
        steps.extend(self::steps(workflow));
        Project::of(&service).check(&steps).await;
    }
    serving.interrupt().await;
}
