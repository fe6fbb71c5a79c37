//! Measures how much longer a warm metered GET takes than its two database calls.

use std::time::{Duration, Instant};

use accounting::{OrgId, Price, Product, Scope, Tier};
use axum::Router;
use axum::body::Body;
use gateway::{App, Config, Identity, RequestCredentials};
use harness::{api_key, organization, quantile, sample};
use http::Request;
use http::request::Builder;
use http_body_util::BodyExt;
use marquee::administrator::Administrator;
use runtime::{Clock, Random};
use store::{AssetId, Assets, Connection, Content, Family, IndexedMembers, RequestId, create_tables};
use tower::ServiceExt;

use crate::times::beside_an_engine;

const ROUNDS: usize = 1_500;

/// The number of calls per minute of the fixed clock. It is below the enterprise tier's limit of 1,000.
const ROUNDS_PER_MINUTE: usize = 400;

/// A warm function and its caller.
#[derive(Clone)]
pub(crate) struct Warm {
    app: App,
    clock: Clock,
    campaigns: Router,
    places: Router,
    org: OrgId,
    key: String,
    asset: AssetId,
}

/// Prints how long a warm metered GET takes, and how long its two database calls take.
pub(crate) fn print() {
    beside_an_engine(async |connection, clock, _| {
        let warm = Warm::new(connection, clock).await;
        let (mut gets, mut charges, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            if round % ROUNDS_PER_MINUTE == 0 {
                warm.next_minute().await;
            }
            // Alternates between the calls, so that a slow machine affects all three equally.
            gets.push(warm.get().await);
            charges.push(warm.charge().await);
            reads.push(warm.read().await);
        }
        println!("\n== a warm metered GET (target: 1.3 times the slower call)");
        for (share, name) in [(0.5, "median"), (0.1, "fastest tenth")] {
            let [get, charge, read] =
                [&mut gets, &mut charges, &mut reads].map(|times| quantile(times, share));
            let ratio = get.as_secs_f64() / charge.max(read).as_secs_f64();
            println!(
                "{name:<14} GET {get:>9.1?}  UpdateItem {charge:>9.1?}  GetItem {read:>9.1?}  \
                 ratio {ratio:.2}"
            );
        }
    });
}

impl Warm {
    pub(crate) async fn new(connection: Connection, clock: Clock) -> Self {
        let app = App::new(Config::new(connection), clock.clone(), Random::System);
        create_tables(&app.dynamo).await.expect("tables");
        let administrator = Administrator::new(app.clone());
        let org = organization(&administrator, "org_bench", Tier::Enterprise, 1_000_000).await;
        let key = api_key(&administrator, &org, "bench", Scope::all()).await;
        let body = harness::samples::campaign().to_string().into_bytes();
        let content = Content { body, indexed: IndexedMembers::default(), unknown_ids: 0 };
        let created = Assets::new(app.dynamo.clone(), Family::Campaign)
            .create::<std::convert::Infallible>(&org, content, None)
            .await;
        let asset = created.expect("an asset").head.id;
        let (campaigns, places) = routers(&app);
        Self { app, clock, campaigns, places, org, key, asset }
    }

    /// Creates another instance with an empty cache, for the same caller.
    pub(crate) fn fresh_instance(&self) -> Self {
        let app = App::new((*self.app.config).clone(), self.clock.clone(), Random::System);
        let (campaigns, places) = routers(&app);
        Self { app, campaigns, places, ..self.clone() }
    }

    /// Advances the clock to the next minute. This expires the cached key and resets the rate limit, so the
    /// instance is warmed up again.
    pub(crate) async fn next_minute(&self) {
        self.clock.advance(60_000);
        self.get().await;
        self.charge().await;
    }

    pub(crate) async fn get(&self) -> Duration {
        let request = Request::get(format!("/v2/scenarios/campaigns/{}", self.asset));
        self.send(&self.campaigns, request, Body::empty()).await
    }

    /// Searches for places, which requires no database calls other than those for admission.
    pub(crate) async fn search(&self) -> Duration {
        let request = Request::post("/v2/msearch").header("content-type", "application/json");
        let body = harness::samples::place_search().to_string();
        self.send(&self.places, request, body.into()).await
    }

    async fn send(&self, router: &Router, request: Builder, body: Body) -> Duration {
        let request = request.header("x-api-key", &self.key).body(body).expect("a request");
        let started = Instant::now();
        let response = router.clone().oneshot(request).await.expect("infallible");
        let status = response.status();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        let taken = started.elapsed();
        assert!(status == 200 && !body.is_empty(), "{status}");
        taken
    }

    pub(crate) async fn charge(&self) -> Duration {
        let presented = RequestCredentials { api_key: Some(&self.key), ..RequestCredentials::default() };
        let product = Product::ScenarioCampaignCrud;
        let identified = self
            .app
            .admissions
            .identify(product, product.auth(), true, presented)
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

    pub(crate) async fn read(&self) -> Duration {
        let assets = Assets::new(self.app.dynamo.clone(), Family::Campaign);
        let started = Instant::now();
        let asset = assets.read(&self.org, self.asset).await;
        let taken = started.elapsed();
        assert!(asset.expect("a response").is_some());
        taken
    }
}

fn routers(app: &App) -> (Router, Router) {
    let campaigns = scenarios::campaigns::router(app, sample().scenarios.clone());
    (campaigns, places::router(app, sample().places.clone()))
}
