//! A minimal Lambda Runtime API that runs the functions' own binaries.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as PathParameter, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::JoinHandle;

use crate::functions::FUNCTIONS;
use crate::process_memory;

/// The time limit for starting a function, and for each response.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A running function and the Runtime API that it polls.
pub struct FunctionProcess {
    process: tokio::process::Child,
    spawned_at: Instant,
    invocations: mpsc::UnboundedSender<Invocation>,
    reports: mpsc::UnboundedReceiver<Report>,
    first_poll: watch::Receiver<Option<Instant>>,
    output: Vec<JoinHandle<Vec<String>>>,
    invoked: usize,
}

/// The outcome that a function reports to the Runtime API.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The response to an event.
    Answered(Value),
    /// An error instead of a response.
    Failed(Value),
    /// The function failed to start.
    InitFailed(Value),
}

struct Invocation {
    id: String,
    event: String,
}

struct Runtime {
    invocations: Mutex<mpsc::UnboundedReceiver<Invocation>>,
    reports: mpsc::UnboundedSender<Report>,
    first_poll: watch::Sender<Option<Instant>>,
}

impl FunctionProcess {
    /// Starts a function's binary. Its environment contains only the given variables and those that Lambda
    /// sets.
    pub async fn start(binary: &Path, variables: &[(&str, &str)]) -> Self {
        let (invocations, received) = mpsc::unbounded_channel();
        let (reporting, reports) = mpsc::unbounded_channel();
        let (polled, first_poll) = watch::channel(None);
        let runtime = Runtime { invocations: Mutex::new(received), reports: reporting, first_poll: polled };
        let address = serve(runtime).await;

        let mut command = tokio::process::Command::new(binary);
        command
            .env_clear()
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_FUNCTION_NAME", "function")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512")
            .env("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand")
            .env("AWS_LAMBDA_LOG_FORMAT", "JSON")
            .env("AWS_LAMBDA_LOG_LEVEL", "INFO")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", "local")
            .env("AWS_SECRET_ACCESS_KEY", "local")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let spawned_at = Instant::now();
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{binary:?}: {error}"));
        let output = vec![
            collect(process.stdout.take().expect("a pipe")),
            collect(process.stderr.take().expect("a pipe")),
        ];
        Self { process, spawned_at, invocations, reports, first_poll, output, invoked: 0 }
    }

    /// Waits until the function polls for its first event, and returns the time since the process started.
    pub async fn first_poll(&mut self) -> Duration {
        let polled = tokio::time::timeout(TIME_LIMIT, self.first_poll.wait_for(Option::is_some)).await;
        let polled = polled.expect("the function polls within 30 seconds").expect("the runtime API runs");
        polled.expect("a timestamp").duration_since(self.spawned_at)
    }

    /// Sends an event and waits for the report.
    pub async fn invoke(&mut self, event: &str) -> Report {
        self.invoked += 1;
        let id = format!("00000000-0000-4000-8000-{:012}", self.invoked);
        let invocation = Invocation { id, event: event.to_owned() };
        self.invocations.send(invocation).unwrap_or_else(|_| panic!("the runtime API runs"));
        let report = tokio::time::timeout(TIME_LIMIT, self.reports.recv()).await;
        report.expect("the function reports within 30 seconds").expect("the runtime API runs")
    }

    /// Returns one value from the process's memory status, such as `VmRSS`, in bytes.
    pub fn memory(&self, line: &str) -> u64 {
        process_memory(self.process.id().expect("a running process"), line)
    }

    /// Returns how many resident bytes the process has mapped from files in a folder.
    pub fn mapped_from(&self, folder: &Path) -> u64 {
        let pid = self.process.id().expect("a running process");
        let mappings = std::fs::read_to_string(format!("/proc/{pid}/smaps")).expect("Linux");
        let (mut is_below, mut kilobytes) = (false, 0);
        for line in mappings.lines() {
            if let Some(resident) = line.strip_prefix("Rss:") {
                let resident = resident.trim_start().split(' ').next().and_then(|digits| digits.parse().ok());
                kilobytes += if is_below { resident.unwrap_or(0) } else { 0 };
            } else if let Some(start) = line.find('/') {
                is_below = Path::new(&line[start..]).starts_with(folder);
            } else if line.contains('-') && line.contains(" 00:00 ") {
                is_below = false;
            }
        }
        kilobytes * 1024
    }

    /// Returns the CPU time used so far, with a resolution of 10 ms.
    pub fn processor_time(&self) -> Duration {
        let pid = self.process.id().expect("a running process");
        let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("Linux");
        // The program's name may contain parentheses, so the last closing parenthesis ends it.
        let (_, after_name) = line.rsplit_once(')').expect("a name");
        let ticks = |field: usize| {
            let digits = after_name.split_whitespace().nth(field - 3).expect("a field");
            digits.parse::<u64>().expect("a number")
        };
        // Fields 14 and 15 are user time and system time in hundredths of a second (see proc_pid_stat(5)).
        Duration::from_millis((ticks(14) + ticks(15)) * 10)
    }

    /// Kills the process and returns the lines that it printed.
    pub async fn stop(mut self) -> Vec<String> {
        self.process.kill().await.expect("a child");
        self.written().await
    }

    /// Waits for the process to exit and returns its status and the lines that it printed.
    pub async fn ended(mut self) -> (ExitStatus, Vec<String>) {
        let status = tokio::time::timeout(TIME_LIMIT, self.process.wait()).await;
        let status = status.expect("the function exits within 30 seconds").expect("a child");
        (status, self.written().await)
    }

    async fn written(self) -> Vec<String> {
        let mut lines = Vec::new();
        for output in self.output {
            lines.extend(output.await.expect("read"));
        }
        lines
    }
}

/// Returns the path of a function's binary, or of `marquee`. The first call builds all binaries.
pub fn binary(name: &str) -> &'static Path {
    static BUILT: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    let built = tokio::task::block_in_place(|| BUILT.get_or_init(build_functions));
    built.get(name).unwrap_or_else(|| panic!("no binary {name} in {built:?}"))
}

/// Builds all binaries with the development profile and returns their paths by name.
pub fn build_functions() -> BTreeMap<String, PathBuf> {
    // Building the whole workspace selects the same features as the tests, so dependencies aren't recompiled.
    build(&["--workspace", "--bins"])
}

/// Builds the functions with the release profile, as deployed, and returns their paths by name.
pub fn build_released_functions() -> BTreeMap<String, PathBuf> {
    let functions: Vec<_> =
        FUNCTIONS.iter().map(|(binary, _)| *binary).chain(["portal", "measurement"]).collect();
    build_optimized("release", &functions)
}

/// Builds functions with the benchmark profile and returns their paths by name. They are optimized as in a
/// deployment, but reuse compiled libraries and link within seconds.
pub fn build_benchmarked_functions(functions: &[&str]) -> BTreeMap<String, PathBuf> {
    build_optimized("bench", functions)
}

fn build_optimized(profile: &str, functions: &[&str]) -> BTreeMap<String, PathBuf> {
    let mut arguments = vec!["--profile", profile, "--workspace"];
    arguments.extend(functions.iter().flat_map(|function| ["--bin", *function]));
    build(&arguments)
}

fn build(arguments: &[&str]) -> BTreeMap<String, PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--offline", "--message-format", "json-render-diagnostics"]).args(arguments);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    // Some build scripts would rerun if they saw the variables that cargo sets for tests.
    let own = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_CRATE_",
        "CARGO_BIN_",
        "CARGO_PRIMARY_",
        "CARGO_TARGET_TMPDIR",
    ];
    for (name, _) in std::env::vars() {
        if own.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    let output = command.stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(output.status.success(), "building the functions failed");
    let messages = output.stdout.split(|byte| *byte == b'\n');
    messages
        .filter_map(|message| serde_json::from_slice::<Value>(message).ok())
        .filter_map(|message| {
            let executable = message["executable"].as_str()?;
            Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(executable)))
        })
        .collect()
}

async fn serve(runtime: Runtime) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new()
        .route("/2018-06-01/runtime/invocation/next", get(next))
        .route("/2018-06-01/runtime/invocation/{id}/response", post(answered))
        .route("/2018-06-01/runtime/invocation/{id}/error", post(failed))
        .route("/2018-06-01/runtime/init/error", post(init_failed))
        .with_state(Arc::new(runtime));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn next(State(runtime): State<Arc<Runtime>>) -> Response {
    runtime
        .first_poll
        .send_if_modified(|polled| polled.replace(polled.unwrap_or_else(Instant::now)).is_none());
    let invocation = runtime.invocations.lock().await.recv().await;
    let Some(Invocation { id, event }) = invocation else {
        return StatusCode::GONE.into_response();
    };
    let deadline = std::time::SystemTime::now() + Duration::from_secs(20);
    let deadline = deadline.duration_since(std::time::UNIX_EPOCH).expect("a later time").as_millis();
    let headers = [
        ("lambda-runtime-aws-request-id", id),
        ("lambda-runtime-deadline-ms", deadline.to_string()),
        (
            "lambda-runtime-invoked-function-arn",
            "arn:aws:lambda:us-east-1:123456789012:function:function".to_owned(),
        ),
        ("lambda-runtime-trace-id", "Root=1-69b0e50e-0f1e2d3c4b5a69788796a50e".to_owned()),
        ("content-type", "application/json".to_owned()),
    ];
    (headers, event).into_response()
}

async fn answered(
    State(runtime): State<Arc<Runtime>>,
    PathParameter(_id): PathParameter<String>,
    body: Bytes,
) -> StatusCode {
    report(&runtime, Report::Answered(json(&body)))
}

async fn failed(
    State(runtime): State<Arc<Runtime>>,
    PathParameter(_id): PathParameter<String>,
    body: Bytes,
) -> StatusCode {
    report(&runtime, Report::Failed(json(&body)))
}

async fn init_failed(State(runtime): State<Arc<Runtime>>, body: Bytes) -> StatusCode {
    report(&runtime, Report::InitFailed(json(&body)))
}

fn report(runtime: &Runtime, report: Report) -> StatusCode {
    // Sending fails after the test has dropped the receiver.
    let _ = runtime.reports.send(report);
    StatusCode::ACCEPTED
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}

fn collect(output: impl AsyncRead + Unpin + Send + 'static) -> JoinHandle<Vec<String>> {
    tokio::spawn(async move {
        let mut lines = BufReader::new(output).lines();
        let mut collected = Vec::new();
        while let Ok(Some(line)) = lines.next_line().await {
            collected.push(line);
        }
        collected
    })
}
