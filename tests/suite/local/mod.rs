//! The local process and the operator's commands: the built `marquee`, as its user runs it.

mod commands;
mod documents;
mod engine;
mod faults;
mod hosts;
mod operating;
mod release;
mod release_import;
mod release_import_told;
mod serve;
mod sign_in;
mod sign_up;
mod synthesize;
mod workflows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use harness::runtime_api::build_functions;
use harness::{Answer, Contract, sample_release};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use marquee::engine::{DataFolder, LocalCredentials};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinHandle;

/// How long a program may take for anything before its test fails.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A folder of a test's own: the data folder of the programs that it runs. It is gone with the test.
struct TestDir(PathBuf);

/// A running `marquee serve`; it is killed when its test is over, however that ends.
struct Serving {
    process: Child,
    /// What it says after its greeting, read as it comes: a full pipe would stop it.
    output: JoinHandle<Vec<String>>,
    credentials: LocalCredentials,
}

/// How a program ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    /// Without the lines of measurement events.
    stderr: String,
    /// The lines of measurement events, in the log.
    events: Vec<String>,
}

impl TestDir {
    /// Names a folder that is not there yet.
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

    /// Starts the service on any free port with the sample release, and waits until it serves.
    async fn serve(&self, arguments: &[&str]) -> Serving {
        self.serve_release(sample_release().path(), arguments).await
    }

    /// Starts the service on any free port with a release, and waits until it serves.
    async fn serve_release(&self, release: &Path, arguments: &[&str]) -> Serving {
        let release = release.display().to_string();
        self.started(self.command(&["serve", "--port", "0", "--release", &release], arguments)).await
    }

    /// Starts the service by a command, and waits until it serves.
    async fn started(&self, mut command: Command) -> Serving {
        let mut process = command.spawn().expect("the program starts");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut greeting = String::new();
        loop {
            let line = in_time(output.next_line()).await.expect("the output is text");
            let Some(line) = line else {
                panic!("no service: {:?}", in_time(process.wait_with_output()).await)
            };
            greeting.push_str(&line);
            if line.starts_with("portal: ") {
                break;
            }
        }
        let credentials = LocalCredentials::read(&DataFolder::new(&self.0)).expect("the credentials");
        assert!(greeting.contains(&format!("Marquee serves {}", credentials.base_url)), "{greeting}");
        Serving { process, output: tokio::spawn(rest(output)), credentials }
    }

    /// Runs a command on this folder to its end.
    async fn run(&self, arguments: &[&str]) -> Ended {
        let output = in_time(self.command(arguments, &[]).output()).await;
        output.expect("the program runs").into()
    }

    /// Runs a command that succeeds, and returns what it shows.
    async fn shown(&self, arguments: &[&str]) -> Value {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}: {ended:?}");
        serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {ended:?}"))
    }

    /// Runs a command that fails, and returns its error.
    async fn refused(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments).await;
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
        ended.stderr
    }

    fn command(&self, arguments: &[&str], more: &[&str]) -> Command {
        let mut command = Command::new(tokio::task::block_in_place(program));
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

impl Serving {
    /// Calls the service over HTTP, and holds the answer to the contract.
    async fn call(&self, method: Method, path: &str, caller: (&str, &str), body: Option<&Value>) -> Answer {
        let address = self.address();
        let body = body.map(Value::to_string).unwrap_or_default();
        let (name, value) = caller;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{name}: {value}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut answer = self.exchange(&request).await;
        // The HTTP server's own, which is not in the contract.
        answer.headers.remove("date");
        let path = path.split('?').next().unwrap_or(path);
        Contract::get().check(&method, path, &answer);
        answer
    }

    /// Sends the bytes of a request, and reads the answer.
    async fn exchange(&self, request: &str) -> Answer {
        exchange(self.address(), request).await
    }

    fn address(&self) -> &str {
        self.credentials.search_url.strip_prefix("http://").expect("plain HTTP")
    }

    async fn get(&self, path: &str, key: &str) -> Answer {
        self.call(Method::GET, path, ("X-API-Key", key), None).await
    }

    /// Creates a campaign with the enterprise key, and returns its id.
    async fn campaign(&self) -> String {
        let key = ("X-API-Key", self.credentials.enterprise_key.as_str());
        let body = harness::samples::campaign();
        let created = self.call(Method::POST, "/v2/scenarios/campaigns", key, Some(&body)).await;
        created.data()["asset_id"].as_str().expect("an id").to_owned()
    }

    /// Stops the service as Ctrl-C does, and waits for its end.
    async fn interrupt(self) {
        self.stop("INT").await;
    }

    /// Ends the service at once, as a loss of power does.
    async fn kill(mut self) {
        in_time(self.process.kill()).await.expect("our own process");
    }

    /// Stops the service with a signal, and waits for its end.
    async fn stop(self, signal: &str) {
        let pid = self.process.id().expect("a running process").to_string();
        // The shell's own `kill`: the standard library sends no other signal than the one that cannot be
        // caught.
        let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", signal, &pid]).status();
        assert!(in_time(sent).await.expect("a shell").success());
        let rest = in_time(self.output).await.expect("the output is text");
        let ended = Ended::from(in_time(self.process.wait_with_output()).await.expect("our own process"));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{rest:?}");
        assert_eq!(rest.last().map(String::as_str), Some("stopping"), "{rest:?}");
        let LocalCredentials { enterprise_key, bearer_token, dynamodb_access_key_id, .. } = &self.credentials;
        for secret in [enterprise_key, bearer_token, dynamodb_access_key_id] {
            assert!(!rest.iter().any(|line| line.contains(secret)), "a secret in the log: {rest:?}");
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

fn program() -> &'static Path {
    static BUILT: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    BUILT.get_or_init(build_functions).get("marquee").expect("the binary `marquee`")
}

async fn rest(mut output: Lines<BufReader<ChildStdout>>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = output.next_line().await.expect("the output is text") {
        lines.push(line);
    }
    lines
}

/// Sends the bytes of a request to an address, and reads the answer until the connection is closed.
async fn exchange(address: &str, request: &str) -> Answer {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    parsed(&in_time(exchange).await.expect("an answer"))
}

async fn in_time<F: IntoFuture>(future: F) -> F::Output {
    tokio::time::timeout(TIMEOUT, future.into_future()).await.expect("an end in time")
}

/// Reads a whole response, whose length its headers state.
fn parsed(response: &[u8]) -> Answer {
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("the end of the headers");
    let head = std::str::from_utf8(&response[..end]).expect("headers are text");
    let mut lines = head.split("\r\n");
    let status =
        lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)).expect("a status line");
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(": ").expect("a header");
        let name: HeaderName = name.parse().expect("a header's name");
        if name != "connection" {
            headers.append(name, HeaderValue::from_str(value).expect("a header's value"));
        }
    }
    let body = response[end + 4..].to_vec();
    let (status, sent_bytes) = (StatusCode::from_bytes(status.as_bytes()).expect("a status"), body.len());
    let answer = Answer { status, headers, body, sent_bytes };
    if status != StatusCode::NO_CONTENT {
        assert_eq!(answer.number("content-length"), answer.body.len() as i64, "a whole body");
    }
    answer
}

/// Returns the command that sends an event about a campaign of the local enterprise organization.
fn event<'a>(asset: &'a str, event_type: &'a str) -> [&'a str; 10] {
    let org = "org_enterprise";
    ["measurement", "send", "--org", org, "--family", "campaign", "--asset", asset, "--type", event_type]
}

/// Tells whether `measurement send` says that it applied its event.
fn applied(shown: &Value) -> bool {
    shown["outcome"] == json!("applied") && shown["event_id"].is_string()
}
