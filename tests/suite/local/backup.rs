//! The documented backup: a copy of the data folder, made while the service is stopped.

use std::path::Path;
use std::process::Command;

use super::{TestDir, applied, event};

const CREDITS: &str = "/v2/billing/credits";

/// Copies a folder as the guide does.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status().expect("cp runs");
    assert!(copied.success(), "{copied}");
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_copy_has_the_assets_credits_and_keys_of_the_backup() {
    let original = TestDir::new();
    let serving = original.serve(&[]).await;
    let id = serving.campaign().await;
    let campaign = format!("/v2/scenarios/campaigns/{id}");
    let key = serving.credentials.enterprise_key.clone();
    let stored = serving.get(&campaign, &key).await;
    let balance = serving.get(CREDITS, &key).await.data()["balance"].clone();
    assert_eq!(balance, 999_998);
    serving.interrupt().await;
    let (backup, restored) = (TestDir::new(), TestDir::new());
    copy(original.path(), backup.path());

    // This purchase is more recent than the backup, so the restored folder doesn't contain it.
    let serving = original.serve(&[]).await;
    assert!(applied(&original.shown(&event(&id, "purchased")).await));
    assert_ne!(serving.get(&campaign, &key).await.data(), stored.data());
    serving.interrupt().await;

    copy(backup.path(), restored.path());
    let serving = restored.serve(&[]).await;
    assert_eq!(serving.credentials.enterprise_key, key);
    assert_eq!(serving.get(CREDITS, &key).await.data()["balance"], balance);
    let read = serving.get(&campaign, &key).await;
    assert_eq!((read.data(), read.header("etag")), (stored.data(), stored.header("etag")));
    // The restored folder is independent of the original, even for the administrator's commands.
    assert!(applied(&restored.shown(&event(&id, "purchased")).await));
    serving.interrupt().await;
}
