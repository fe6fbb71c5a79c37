//! Tests of the `marquee` program: the local service and the administrator's commands.

mod allowed_hosts;
mod backup;
mod commands;
mod documents;
mod engine;
mod faults;
mod host_guard;
mod operating;
mod release;
mod release_build;
mod release_differences;
mod serve;
mod sign_in;
mod sign_up;
mod synthesize;
mod test_routes;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

use harness::runtime_api::binary;
use harness::{Ended, Serving, build_cache, exchange, in_time, sample_release};
use marquee::engine::DataFolder;
use serde_json::{Value, json};
use tokio::process::Command;

/// A unique data folder for the programs that a test runs. It is deleted when the test ends.
struct TestDir(PathBuf);

impl TestDir {
    /// Chooses a unique path, without creating the folder.
    fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let name = format!("local-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let dir = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        let _ = std::fs::remove_dir_all(&dir.0);
        dir
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// Serves the sample release on a free port and waits until the service is ready.
    async fn serve(&self, arguments: &[&str]) -> Serving {
        self.serve_release(sample_release().path(), arguments).await
    }

    /// Serves the given release on a free port and waits until the service is ready.
    async fn serve_release(&self, release: &Path, arguments: &[&str]) -> Serving {
        let release = release.display().to_string();
        self.started(self.command(&["serve", "--port", "0", "--release", &release], arguments)).await
    }

    /// Starts the service with the given command and waits until it is ready.
    async fn started(&self, command: Command) -> Serving {
        Serving::started(command, &DataFolder::new(&self.0)).await
    }

    /// Runs a command with this data folder until it exits.
    async fn run(&self, arguments: &[&str]) -> Ended {
        let output = in_time(self.command(arguments, &[]).output()).await;
        output.expect("the program runs").into()
    }

    /// Runs a command that must succeed, and returns the JSON that it prints.
    async fn shown(&self, arguments: &[&str]) -> Value {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}: {ended:?}");
        serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {ended:?}"))
    }

    /// Runs a command that must fail, and returns its standard error.
    async fn refused(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
        ended.stderr
    }

    fn command(&self, arguments: &[&str], more: &[&str]) -> Command {
        let mut command = Command::new(binary("marquee"));
        command.env_clear().args(arguments).arg("--data-dir").arg(&self.0).args(more);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }
}

impl Drop for TestDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Creates a folder for releases whose builds use the tests' cache.
fn share_build_cache(releases: &Path) {
    // Fills the cache with the sample's places and their visits. Modelling them takes longer than the rest of
    // a build.
    sample_release();
    std::fs::create_dir_all(releases).expect("a folder");
    symlink(build_cache(), releases.join(".cache")).expect("a link");
}

/// Returns the arguments that send an event to a campaign of `org_enterprise`.
fn event<'a>(asset: &'a str, event_type: &'a str) -> [&'a str; 10] {
    let org = "org_enterprise";
    ["measurement", "send", "--org", org, "--family", "campaign", "--asset", asset, "--type", event_type]
}

/// Returns whether `measurement send` reports that the event was applied.
fn applied(shown: &Value) -> bool {
    shown["outcome"] == json!("applied") && shown["event_id"].is_string()
}
