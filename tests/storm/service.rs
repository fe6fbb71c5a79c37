//! Runs `marquee serve` repeatedly with the same data folder.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use gateway::App;
use harness::runtime_api::build_functions;
use harness::{Serving, in_time, serve_command};
use marquee::administrator::Administrator;
use marquee::engine::DataFolder;
use tokio::sync::watch;

/// The service, which is started repeatedly with the same data.
pub(crate) struct Service {
    program: PathBuf,
    folder: PathBuf,
}

/// One run of the service, which ends when the service is killed.
pub(crate) struct Run {
    serving: Serving,
    pub(crate) access: Access,
}

/// Access to one run of the service. Clients use HTTP. The administrator's commands and the measurement
/// product use the tables directly.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) address: String,
    /// A bearer token for the owner of `org_enterprise`.
    pub(crate) bearer: String,
    pub(crate) app: App,
    pub(crate) administrator: Administrator,
    killed: watch::Receiver<bool>,
}

impl Service {
    /// Builds the program. The data folder must not exist yet.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let program = build_functions().remove("marquee").expect("the binary `marquee`");
        Self { program, folder: folder.to_owned() }
    }

    /// Starts the service and waits until it is ready. `killed` signals the end of the run.
    pub(crate) async fn start(&self, killed: watch::Receiver<bool>) -> Run {
        let serving =
            Serving::started(serve_command(&self.program, &self.folder), &DataFolder::new(&self.folder))
                .await;
        let app = serving.app();
        let address = serving.address().to_owned();
        let bearer = serving.credentials.bearer_token.clone();
        let administrator = Administrator::new(app.clone());
        Run { serving, access: Access { address, bearer, app, administrator, killed } }
    }

    /// Starts the service and kills it after a delay, possibly before it is ready.
    pub(crate) async fn start_and_kill(&self, after: Duration) {
        let mut command = serve_command(&self.program, &self.folder);
        let mut process = command.stdout(Stdio::null()).spawn().expect("the program starts");
        tokio::time::sleep(after).await;
        in_time(process.kill()).await.expect("a child");
    }
}

impl Run {
    /// Kills the service with SIGKILL.
    pub(crate) async fn kill(self) {
        self.serving.kill().await;
    }
}

impl Access {
    /// Runs a future. Returns `None` if the service is killed first.
    pub(crate) async fn until_killed<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut killed = self.killed.clone();
        tokio::select! {
            done = work => Some(done),
            _ = killed.wait_for(|killed| *killed) => None,
        }
    }

    pub(crate) fn is_killed(&self) -> bool {
        *self.killed.borrow()
    }
}
