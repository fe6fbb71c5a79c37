//! `marquee serve` on one data folder, through all its lives.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use gateway::App;
use harness::runtime_api::build_functions;
use harness::{Serving, in_time, serve_command};
use marquee::administrator::Administrator;
use marquee::engine::DataFolder;
use tokio::sync::watch;

/// The service, which is started again and again on the same data.
pub(crate) struct Service {
    program: PathBuf,
    folder: PathBuf,
}

/// One start of the service, until it is killed.
pub(crate) struct Life {
    serving: Serving,
    pub(crate) doors: Doors,
}

/// How one life of the service is called: over HTTP, and past it on the tables, as the operator's commands
/// and the measurement products do.
#[derive(Clone)]
pub(crate) struct Doors {
    pub(crate) address: String,
    /// A token of the owner of `org_enterprise`.
    pub(crate) bearer: String,
    pub(crate) app: App,
    pub(crate) operator: Administrator,
    killed: watch::Receiver<bool>,
}

impl Service {
    /// Chooses a folder, which must not be there yet.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let program = build_functions().remove("marquee").expect("the binary `marquee`");
        Self { program, folder: folder.to_owned() }
    }

    /// Starts the service, and waits until it serves. Its end is told by `killed`.
    pub(crate) async fn start(&self, killed: watch::Receiver<bool>) -> Life {
        let serving =
            Serving::started(serve_command(&self.program, &self.folder), &DataFolder::new(&self.folder))
                .await;
        let app = serving.app();
        let address = serving.address().to_owned();
        let bearer = serving.credentials.bearer_token.clone();
        let operator = Administrator::new(app.clone());
        Life { serving, doors: Doors { address, bearer, app, operator, killed } }
    }

    /// Starts the service and kills it before it may have begun to serve.
    pub(crate) async fn start_and_kill(&self, after: Duration) {
        let mut command = serve_command(&self.program, &self.folder);
        let mut process = command.stdout(Stdio::null()).spawn().expect("the program starts");
        tokio::time::sleep(after).await;
        in_time(process.kill()).await.expect("our own process");
    }
}

impl Life {
    /// Ends the service with SIGKILL.
    pub(crate) async fn kill(self) {
        self.serving.kill().await;
    }
}

impl Doors {
    /// Does what is done on the tables, unless the service is killed meanwhile.
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
