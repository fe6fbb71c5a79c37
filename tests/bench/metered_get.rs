//! The overhead that a warm metered GET adds to the two database calls it makes.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use harness::{api_key, organization, quantile, sample};
use http::Request;
use http_body_util::BodyExt;
use marquee::engine::Engine;
use marquee::operator::Operator;
use scenarios::Campaign;
use shared::App;
use shared::admission::{Identity, Price, RequestCredentials};
use shared::dynamo::{Assets, Content, IndexedMembers, create_tables};
use shared::runtime::Config;
use shared::runtime::Connection;
use shared::runtime::{Clock, Random};
use shared::types::{AssetId, Family, OrgId, Product, RequestId, Scopes, Tier, Timestamp};
use tower::ServiceExt;

const ROUNDS: usize = 1_500;

/// Calls in one minute of the bench's own clock: below Enterprise's 1,000.
const ROUNDS_PER_MINUTE: usize = 400;

/// A warm function and its caller.
struct Warm {
    app: App,
    clock: Clock,
    router: Router,
    org: OrgId,
    key: String,
    asset: AssetId,
}

/// Prints how long a warm metered GET takes, against the two database calls that it makes, each made alone.
pub(crate) fn print() {
    // The engine has threads of its own; the function has one, as in Lambda.
    let engine_runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let engine_runtime = engine_runtime.expect("a runtime");
    let clock = Clock::fixed(Timestamp::parse("2026-11-20T09:00:30Z").expect("a moment"));
    let engine = engine_runtime.block_on(Engine::in_memory(clock.clone())).expect("an engine");
    let function_runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let connection = engine.connection();
    function_runtime.block_on(async {
        let warm = Warm::new(connection, clock).await;
        let (mut gets, mut charges, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            if round % ROUNDS_PER_MINUTE == 0 {
                warm.next_minute().await;
            }
            // Interleaved, so that whatever slows the machine slows all three alike.
            gets.push(warm.get().await);
            charges.push(warm.charge().await);
            reads.push(warm.read().await);
        }
        println!("\n== a warm metered GET (aim: 1.3 times the slower call)");
        for (share, name) in [(0.5, "median"), (0.1, "fastest tenth")] {
            let [get, charge, read] =
                [&mut gets, &mut charges, &mut reads].map(|times| quantile(times, share));
            let ratio = get.as_secs_f64() / charge.max(read).as_secs_f64();
            println!("{name:<14} GET {get:>9.1?}  UpdateItem alone {charge:>9.1?}  GetItem alone {read:>9.1?}  ratio {ratio:.2}");
        }
    });
    engine_runtime.block_on(engine.stop());
}

impl Warm {
    async fn new(connection: Connection, clock: Clock) -> Self {
        let app = App::new(Config::new(connection), clock.clone(), Random::System);
        create_tables(&app.dynamo).await.expect("tables");
        let operator = Operator::new(app.clone());
        let org = organization(&operator, "org_bench", Tier::Enterprise, 1_000_000).await;
        let key = api_key(&operator, &org, "bench", Scopes::all()).await;
        let body = harness::samples::campaign().to_string().into_bytes();
        let content = Content { body, indexed: IndexedMembers::default(), unknown_ids: 0 };
        let created = Assets::new(app.dynamo.clone(), Family::Campaign).create(&org, content, None).await;
        let asset = created.expect("an asset").head.id;
        let router = scenarios::router::<Campaign>(&app, sample().scenarios.clone());
        Self { app, clock, router, org, key, asset }
    }

    /// Moves to the next minute, and warms up: the key is read again and the window is new.
    async fn next_minute(&self) {
        self.clock.advance(60_000);
        self.get().await;
        self.charge().await;
    }

    async fn get(&self) -> Duration {
        let request = Request::get(format!("/v2/scenarios/campaigns/{}", self.asset))
            .header("x-api-key", &self.key)
            .body(Body::empty())
            .expect("a request");
        let started = Instant::now();
        let response = self.router.clone().oneshot(request).await.expect("routers do not fail");
        let status = response.status();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        let taken = started.elapsed();
        assert!(status == 200 && !body.is_empty(), "{status}");
        taken
    }

    async fn charge(&self) -> Duration {
        let presented = RequestCredentials { api_key: Some(&self.key), ..RequestCredentials::default() };
        let product = Product::ScenarioCampaignCrud;
        let identified = self
            .app
            .admissions
            .identify(product, product.audience(), true, presented)
            .await
            .expect("a known key");
        assert!(matches!(identified.identity, Identity::Key { .. }));
        let request = RequestId::from_random(self.app.random.bytes());
        let started = Instant::now();
        let admission = {
            let pending = self.app.admissions.prepare(identified, product, Price::OfProduct, request);
            self.app.admissions.charge(pending).await
        };
        let taken = started.elapsed();
        assert_eq!(admission.expect("a charge").credits(), 1);
        taken
    }

    async fn read(&self) -> Duration {
        let assets = Assets::new(self.app.dynamo.clone(), Family::Campaign);
        let started = Instant::now();
        let asset = assets.read(&self.org, self.asset).await;
        let taken = started.elapsed();
        assert!(asset.expect("the engine answers").is_some());
        taken
    }
}
