//! Runs `marquee serve` and calls it over HTTP.

use std::path::Path;
use std::process::{Output, Stdio};

use gateway::{App, Config};
use http::Method;
use marquee::engine::{DataFolder, LocalCredentials, TABLE_PREFIX};
use runtime::{Clock, Random};
use serde_json::Value;
use store::Connection;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinHandle;

use crate::{Answer, exchange, in_time, sample_release, samples, try_call};

/// A running `marquee serve` process, which is killed when the test ends.
pub struct Serving {
    /// Standard error is read only after the process exits.
    pub process: Child,
    /// The lines of standard output after the greeting. A task reads them continuously because a full pipe
    /// would block the process.
    pub output: JoinHandle<Vec<String>>,
    pub credentials: LocalCredentials,
}

/// A program's exit code and output.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    /// Standard error without the log lines of measurement events.
    pub stderr: String,
    /// The measurement events' log lines on standard error.
    pub events: Vec<String>,
}

/// Returns the command that serves the sample release on a free port, for runs that take minutes. The process
/// inherits standard error, so an error message appears immediately.
pub fn serve_command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().args(["serve", "--port", "0", "--release"]).arg(sample_release().path());
    command.arg("--data-dir").arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    command
}

impl Serving {
    /// Starts the service with the given command and waits until it is ready.
    pub async fn started(mut command: Command, folder: &DataFolder) -> Self {
        let mut process = command.spawn().expect("the program starts");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut greeting = String::new();
        loop {
            let line = in_time(output.next_line()).await.expect("the output is text");
            let Some(line) = line else {
                panic!("the service didn't start: {:?}", in_time(process.wait_with_output()).await)
            };
            greeting.push_str(&line);
            if line.starts_with("portal: ") {
                break;
            }
        }
        let credentials = LocalCredentials::read(folder).expect("the credentials");
        assert!(greeting.contains(&format!("Marquee is running at {}", credentials.base_url)), "{greeting}");
        Self { process, output: tokio::spawn(rest(output)), credentials }
    }

    /// Calls the service with one header and checks the response against the contract.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        caller: (&str, &str),
        body: Option<&Value>,
    ) -> Answer {
        self.call_with(method, path, &[caller], body).await
    }

    /// Calls the service with any number of headers and checks the response against the contract.
    pub async fn call_with(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        in_time(try_call(self.address(), &method, path, headers, body)).await.expect("an answer")
    }

    /// Sends a raw HTTP request.
    pub async fn exchange(&self, request: &str) -> Answer {
        exchange(self.address(), request).await
    }

    /// Opens the service's tables directly, as the administrator's commands do.
    pub fn app(&self) -> App {
        let config = Config::new(Connection::new(TABLE_PREFIX, Some(self.credentials.engine())));
        App::new(config, Clock::System, Random::System)
    }

    pub fn address(&self) -> &str {
        self.credentials.search_url.strip_prefix("http://").expect("plain HTTP")
    }

    pub async fn get(&self, path: &str, key: &str) -> Answer {
        self.call(Method::GET, path, ("X-API-Key", key), None).await
    }

    /// Creates a campaign with the enterprise organization's key and returns its ID.
    pub async fn campaign(&self) -> String {
        let key = ("X-API-Key", self.credentials.enterprise_key.as_str());
        let body = samples::campaign();
        let created = self.call(Method::POST, "/v2/scenarios/campaigns", key, Some(&body)).await;
        created.data()["asset_id"].as_str().expect("an ID").to_owned()
    }

    /// Stops the service with SIGINT, as Ctrl-C does, and waits for it to exit.
    pub async fn interrupt(self) {
        self.stop("INT").await;
    }

    /// Kills the service without warning, as a power failure would.
    pub async fn kill(mut self) {
        in_time(self.process.kill()).await.expect("a child");
    }

    /// Sends the service a signal and waits for it to exit.
    pub async fn stop(self, signal: &str) {
        let pid = self.process.id().expect("a running process").to_string();
        // The standard library can send only SIGKILL, so this uses the shell's `kill`.
        let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", signal, &pid]).status();
        assert!(in_time(sent).await.expect("a shell").success());
        let rest = in_time(self.output).await.expect("the output is text");
        let ended = Ended::from(in_time(self.process.wait_with_output()).await.expect("a child"));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{rest:?}");
        assert_eq!(rest.last().map(String::as_str), Some("stopping"), "{rest:?}");
        let LocalCredentials { enterprise_key, bearer_token, .. } = &self.credentials;
        for secret in [enterprise_key, bearer_token] {
            assert!(
                !rest.iter().any(|line| line.contains(secret)),
                "the log must not contain a secret: {rest:?}"
            );
        }
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let stderr = text(output.stderr);
        let is_event = |line: &&str| line.contains(" event=\"measurement");
        let (events, stderr): (Vec<_>, Vec<_>) = stderr.split_inclusive('\n').partition(is_event);
        let events = events.into_iter().map(str::to_owned).collect();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: stderr.concat(), events }
    }
}

async fn rest(mut output: Lines<BufReader<ChildStdout>>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = output.next_line().await.expect("the output is text") {
        lines.push(line);
    }
    lines
}
