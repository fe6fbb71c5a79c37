//! The Lambda function that runs due measurement steps. A schedule invokes it every minute.

use std::sync::Arc;

use aws::LocalEndpoint;
use estimates::{Queue, Release, Sweep};
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use release_store::{ReleaseConfig, ReleaseUnavailable, opener};
use runtime::{Clock, Environment, Random, init_logging};
use serde_json::{Value, json};
use store::{Connection, Dynamo, connect};
use tokio::sync::OnceCell;
use tokio::time::Instant;

/// The state that is kept between invocations. The first invocation opens the release.
struct Function {
    dynamo: Dynamo,
    queue: Queue,
    sweep: OnceCell<Sweep>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    init_logging();
    let environment = &Environment::Process;
    let url =
        environment.variable("QUEUE_URL").ok_or("QUEUE_URL must be the URL of the measurement queue")?;
    let stand_in = environment.variable("SQS_ENDPOINT").map(LocalEndpoint::at);
    let function = Function {
        dynamo: connect(&Connection::read(environment), Clock::System, Random::System),
        queue: Queue::connect(url, stand_in),
        sweep: OnceCell::new(),
    };
    run(service_fn(|_: LambdaEvent<Value>| Box::pin(function.sweep()))).await
}

impl Function {
    /// Sends the events for all due steps until the deadline. Returns an error, which raises an alarm, if a
    /// check failed or an event couldn't be sent.
    async fn sweep(&self) -> Result<Value, Error> {
        let deadline = Instant::now() + Environment::Process.handler_deadline();
        let now = Clock::System.now();
        let (mut checked, mut sent, mut failed) = (0, 0, 0);
        let mut pages = self.opened().await?.pages(now);
        while Instant::now() < deadline
            && let Some(page) = pages.next().await
        {
            for event in &page.events {
                if self.queue.send(event).await { sent += 1 } else { failed += 1 }
            }
            checked += page.checked;
            failed += page.failed;
        }
        tracing::info!(event = "sweep", checked, sent, failed);
        if failed > 0 {
            Err("some measurement checks failed; see the log for the reasons".into())
        } else {
            Ok(json!({}))
        }
    }

    async fn opened(&self) -> Result<&Sweep, ReleaseUnavailable> {
        let open = || async {
            let config = ReleaseConfig::read(|name| Environment::Process.variable(name));
            let release = opener(config.clone(), &Release::PARTS, Release::open)().await?;
            let release = Arc::new(release.with_later_parts_from(&config));
            Ok(Sweep::new(self.dynamo.clone(), release))
        };
        self.sweep.get_or_try_init(open).await
    }
}
