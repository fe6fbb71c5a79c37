//! Measures cold starts, from the start of a process with an empty cache to its first response.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use harness::runtime_api::{FunctionProcess, Report};
use harness::{LimitedBucketServer, World};
use serde_json::Value;

/// A cold start to measure.
pub(crate) struct Start<'a> {
    pub(crate) world: &'a World,
    pub(crate) binary: &'a Path,
    /// The first event that the function handles.
    pub(crate) event: &'a str,
    pub(crate) server: &'a LimitedBucketServer,
    /// The value of the `RELEASE` environment variable.
    pub(crate) release: String,
    /// The function's cache folder for release files.
    pub(crate) cache: PathBuf,
}

/// The measurements of one cold start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColdStart {
    /// The number of bytes sent over the network.
    pub(crate) sent: u64,
    /// The total size of the function's files, in bytes.
    pub(crate) files: u64,
    /// The time from the start of the process until the last byte arrived.
    pub(crate) fetched: Duration,
    /// The time from the last byte until all files were verified.
    pub(crate) verified: Duration,
    /// The rest of the time until the function polled for its first event, which includes starting the
    /// process and opening the files.
    pub(crate) opened: Duration,
    /// The time from the event to the response.
    pub(crate) answered: Duration,
    /// The CPU time that the process used before it polled for its first event.
    pub(crate) processor: Duration,
    /// The number of bytes of release files that were in memory after the response.
    pub(crate) touched: u64,
    /// The peak memory of the process, in bytes.
    pub(crate) peak: u64,
}

impl ColdStart {
    /// Returns the time from the start of the process to its first response.
    pub(crate) fn in_all(&self) -> Duration {
        self.fetched + self.verified + self.opened + self.answered
    }
}

impl Start<'_> {
    /// Starts the function with an empty cache, sends one event, and measures both steps.
    pub(crate) async fn measure(&self) -> ColdStart {
        let _ = fs::remove_dir_all(&self.cache);
        self.server.take_sent();
        let cache = self.cache.display().to_string();
        let variables = [
            ("RELEASE", self.release.as_str()),
            ("RELEASE_CACHE", &cache),
            ("S3_ENDPOINT", self.server.endpoint()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "10240"),
            ("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH", "true"),
        ];
        let variables = [&self.world.engine_variables()[..], &variables].concat();
        let mut process = FunctionProcess::start(self.binary, &variables).await;
        let to_poll = process.first_poll().await;
        let processor = process.processor_time();
        let called = Instant::now();
        let answer = process.invoke(self.event).await;
        let answered = called.elapsed();
        assert_success(&answer);
        let (touched, peak) = (process.mapped_from(&self.cache), process.memory("VmHWM"));
        let line = opened_line(&process.stop().await);
        let milliseconds = |name: &str| Duration::from_millis(line[name].as_u64().expect("milliseconds"));
        let (fetched, verified) = (milliseconds("fetch_ms"), milliseconds("verify_ms"));
        ColdStart {
            sent: self.server.take_sent(),
            files: line["bytes"].as_u64().expect("a number of bytes"),
            fetched,
            verified,
            opened: to_poll.saturating_sub(fetched + verified),
            answered,
            processor,
            touched,
            peak,
        }
    }
}

fn assert_success(report: &Report) {
    let Report::Answered(answer) = report else { panic!("no answer: {report:?}") };
    let status = answer["statusCode"].as_u64().unwrap_or(0);
    assert!((200..300).contains(&status) && status != 204, "{answer}");
}

fn opened_line(lines: &[String]) -> Value {
    let mut lines = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let opened = lines.find(|line| line["event"] == "release_opened");
    opened.expect("a release_opened line")
}
