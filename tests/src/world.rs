//! The whole service in one process, with the calls, organizations and assets that tests start from.
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use accounting::{Account, AccountKey, Credits, KeyId, OrgId, PurchaseNames, Scope, Scopes, Tier, Timestamp};
use aws::{LocalEndpoint, sdk_config};
use aws_sdk_dynamodb::Client;
use axum::Router;
use gateway::{App, Config, SelfSignUp};
use http::Method;
use marquee::administrator::Administrator;
use marquee::engine::{DataFolder, Engine};
use marquee::serve::{Gateway, LocalIssuer, Releases};
use measurement::{ApplyError, MeasurementEvent, Outcome};
use runtime::{Clock, Random};
use serde_json::json;
use store::{Accounts, Connection, Family, NewKey, Person, Role, StoredAccount, create_tables};

use crate::logs::keep_events_enabled;
use crate::{Call, Wire, access, api_key, organization, sample, samples};

/// The address of the main surface.
pub const PUBLIC_URL: &str = "https://api.marquee.example";

/// Where errors are explained.
const DOCS_URL: &str = "https://docs.marquee.example/v2/errors";

/// The whole service on an engine in memory, with a clock that stands still and repeatable randomness.
pub struct World {
    /// What the functions are made from.
    pub app: App,
    /// The clock, at 2026-11-20T09:00:30Z until it is moved, unless the options have another.
    pub clock: Clock,
    /// The operator.
    pub operator: Administrator,
    /// The wire between the SDK and the engine.
    pub wire: Wire,
    /// The issuer of bearer tokens.
    pub issuer: LocalIssuer,
    router: Router,
    purchase_names: PurchaseNames,
    _engine: Engine,
}

/// How a world differs from the ordinary one.
#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// The seed of its randomness.
    pub seed: u64,
    /// The clock, the engine's too.
    pub clock: Clock,
    /// How long one try of a database call may take.
    pub attempt_timeout: Duration,
    /// How long a handler may take.
    pub handler_deadline: Duration,
    /// The portal's origins.
    pub portal_origins: Vec<String>,
    /// The billing names that purchases may have.
    pub purchase_names: PurchaseNames,
    /// How people may sign up by themselves.
    pub self_sign_up: Option<SelfSignUp>,
    /// The folder of the database; it is in memory without.
    pub data_dir: Option<PathBuf>,
}

/// An organization with a key of all scopes.
#[derive(Clone, Debug)]
pub struct TestOrg {
    /// The organization.
    pub id: OrgId,
    /// The key, in the clear.
    pub key: String,
    /// A bearer token of its own owner, which is good once [`World::owner_token`] has taken them in.
    pub owner_token: String,
    /// A bearer token of somebody who belongs to no organization until they sign up.
    pub newcomer_token: String,
    /// A bearer token of somebody without an organization, whom [`World::invite_the_invitee`] invites.
    pub invitee_token: String,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            seed: 7,
            clock: Clock::fixed(Timestamp::parse("2026-11-20T09:00:30Z").expect("a moment")),
            attempt_timeout: Duration::from_secs(5),
            handler_deadline: Duration::from_secs(15),
            portal_origins: Vec::new(),
            purchase_names: PurchaseNames::default(),
            self_sign_up: Some(SelfSignUp { per_day: 100 }),
            data_dir: None,
        }
    }
}

impl World {
    /// Makes an ordinary world.
    pub async fn new() -> Self {
        Self::with(WorldOptions::default()).await
    }

    /// Makes an ordinary world with the organization `org_a`, which [`Self::org`] creates.
    pub async fn with_org() -> (Self, TestOrg) {
        let world = Self::new().await;
        let org = world.org("org_a").await;
        (world, org)
    }

    /// Makes an ordinary world with the organizations `org_a` and `org_b`.
    pub async fn with_two_orgs() -> (Self, TestOrg, TestOrg) {
        let (world, org) = Self::with_org().await;
        let other = world.org("org_b").await;
        (world, org, other)
    }

    /// Makes an ordinary world with the organization `org_a` of a tier, which [`Self::org_with`] creates.
    pub async fn with_org_of(tier: Tier, purchased: Credits) -> (Self, TestOrg) {
        let world = Self::new().await;
        let org = world.org_with("org_a", tier, purchased).await;
        (world, org)
    }

    /// Makes a world whose clock is the system's, as that of the functions' own processes is.
    pub async fn on_system_clock() -> Self {
        Self::with(WorldOptions { clock: Clock::System, ..WorldOptions::default() }).await
    }

    /// Makes a world.
    pub async fn with(options: WorldOptions) -> Self {
        let WorldOptions {
            seed,
            clock,
            attempt_timeout,
            handler_deadline,
            portal_origins,
            purchase_names,
            self_sign_up,
            data_dir,
        } = options;
        keep_events_enabled();
        let engine = match data_dir {
            Some(folder) => Engine::open(&DataFolder::new(folder), clock.clone()).await,
            None => Engine::in_memory(clock.clone()).await,
        };
        let engine = engine.expect("an engine");
        let wire = Wire::new(clock.clone());
        let issuer = issuer().await;
        let mut connection = engine.connection();
        connection.attempt_timeout = attempt_timeout;
        connection.http_client = Some(wire.client());
        let mut config = Config::new(connection);
        config.issuer = Some(issuer.issuer().clone());
        config.handler_deadline = handler_deadline;
        config.portal_origins = portal_origins;
        config.self_sign_up = self_sign_up;
        config.public_url = Some(PUBLIC_URL.to_owned());
        config.docs_url = Some(DOCS_URL.to_owned());
        let app = App::new(config, clock.clone(), Random::seeded(seed));
        create_tables(&app.dynamo).await.expect("tables");
        let router = access::marked(Gateway::new(&app, sample()));
        let operator = Administrator::new(app.clone());
        Self { app, clock, operator, wire, issuer, router, purchase_names, _engine: engine }
    }

    /// Returns the router of the world's own process.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Returns a client of the engine itself, past the service and the wire.
    pub fn engine(&self) -> Client {
        Client::new(&sdk_config(&self.app.config.connection.endpoint, &None, &None))
    }

    /// Returns the variables by which a function's process finds the tables, as the template declares them.
    pub fn engine_variables(&self) -> [(&'static str, &str); 3] {
        let Connection { table_prefix, endpoint, .. } = &self.app.config.connection;
        let LocalEndpoint { url, access_key_id } = endpoint.as_ref().expect("a local engine");
        [("TABLE_PREFIX", table_prefix), ("DYNAMODB_ENDPOINT", url), ("AWS_ACCESS_KEY_ID", access_key_id)]
    }

    /// Makes another process of the same service: it shares the database and the clock, and remembers
    /// nothing.
    pub async fn another_process(&self, seed: u64) -> (App, Router) {
        self.another_process_at(seed, self.clock.clone()).await
    }

    /// Makes another process of the same service, whose clock is its own.
    pub async fn another_process_at(&self, seed: u64, clock: Clock) -> (App, Router) {
        self.process_with((*self.app.config).clone(), clock, seed)
    }

    /// Makes what the measurement function of the world's own process starts from.
    pub fn measurement(&self) -> measurement::App {
        measurement::App { purchase_names: self.purchase_names.clone(), ..measurement_of(&self.app) }
    }

    fn process_with(&self, config: Config, clock: Clock, seed: u64) -> (App, Router) {
        let app = App::new(config, clock, Random::seeded(seed));
        let router = access::marked(Gateway::new(&app, sample()));
        (app, router)
    }

    /// Makes another process of the same service, past the wire and on another release.
    pub async fn process_past_the_wire(&self, seed: u64, releases: &Releases) -> Router {
        let mut config = (*self.app.config).clone();
        config.connection.http_client = None;
        let app = App::new(config, self.clock.clone(), Random::seeded(seed));
        access::marked(Gateway::new(&app, releases))
    }

    /// Creates an enterprise organization with 1,000,000 purchased credits, and a key.
    pub async fn org(&self, name: &str) -> TestOrg {
        self.org_with(name, Tier::Enterprise, 1_000_000).await
    }

    /// Creates an organization of a tier, with so many purchased credits besides the tier's own, and a key.
    pub async fn org_with(&self, name: &str, tier: Tier, purchased: Credits) -> TestOrg {
        let id = organization(&self.operator, name, tier, purchased).await;
        let key = self.key(&id, Scope::all()).await;
        let owner_token = self.token(&self.owner(&id));
        let newcomer_token = self.token(&self.person(&format!("newcomer-beside-{id}")));
        let invitee_token = self.token(&self.invitee(&id));
        TestOrg { id, key, owner_token, newcomer_token, invitee_token }
    }

    /// Mints a key.
    pub async fn key(&self, org: &OrgId, scopes: Scopes) -> String {
        api_key(&self.operator, org, "test", scopes).await
    }

    /// Mints a key of any kind.
    pub async fn mint(&self, org: &OrgId, new: NewKey) -> String {
        self.operator.mint_key(org, &new).await.expect("a key").api_key.reveal().to_owned()
    }

    /// Mints a key that nobody needs, and returns its handle.
    pub async fn key_to_revoke(&self, org: &TestOrg) -> KeyId {
        let new =
            NewKey { label: "spare".parse().expect("a label"), scopes: Scopes::default(), expires_at: None };
        self.operator.mint_key(&org.id, &new).await.expect("a key").key.id
    }

    /// Reads an organization's account.
    pub async fn account(&self, org: &TestOrg) -> Account {
        self.operator.account(&org.id).await.expect("an account")
    }

    /// Reads an organization's account with its version.
    pub async fn stored_account(&self, org: &TestOrg) -> StoredAccount {
        let accounts = Accounts::new(self.app.dynamo.clone());
        accounts
            .read_stored(&AccountKey::Org(org.id.clone()))
            .await
            .expect("the engine answers")
            .expect("an account")
    }

    /// Mints a bearer token of a person in an organization.
    pub async fn bearer(&self, org: &TestOrg) -> String {
        let person = self.issuer.developer();
        self.member(org, &person, Role::Owner).await;
        self.token(&person)
    }

    /// Makes up a person with a verified address, who belongs to no organization.
    pub fn person(&self, name: &str) -> Person {
        self.issuer.person(name, Some(format!("{name}@example.com").parse().expect("an address")))
    }

    /// Takes a person into an organization, as its operator does.
    pub async fn member(&self, org: &TestOrg, person: &Person, role: Role) {
        self.operator.add_member(&org.id, person.subject.clone(), Some(role)).await.expect("a mapping");
    }

    /// Mints a bearer token of a person.
    pub fn token(&self, person: &Person) -> String {
        self.issuer.mint(person, self.clock.now())
    }

    /// Returns the owner whom [`Self::owner_token`] takes in.
    pub fn owner(&self, org: &OrgId) -> Person {
        self.person(&format!("owner-of-{org}"))
    }

    /// Mints a bearer token of an organization's own owner, whom its first use takes in.
    pub async fn owner_token(&self, org: &TestOrg) -> String {
        let owner = self.owner(&org.id);
        self.member(org, &owner, Role::Owner).await;
        self.token(&owner)
    }

    /// Mints a bearer token of a person who has called nothing yet and belongs to no organization.
    pub fn newcomer_token(&self) -> String {
        self.token(&self.person(&format!("newcomer-{}", self.app.random.below(u64::MAX))))
    }

    /// Moves the clock to a moment.
    pub fn move_to(&self, moment: &str) {
        let moment = Timestamp::parse(moment).expect("a moment");
        self.clock.advance(moment.unix_millis() - self.clock.now().unix_millis());
    }

    /// Starts a request.
    pub fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(self, method, path)
    }

    /// Starts a `GET`.
    pub fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::GET, path)
    }

    /// Starts a `POST`.
    pub fn post(&self, path: &str) -> Call<'_> {
        self.call(Method::POST, path)
    }

    /// Starts a `PATCH`.
    pub fn patch(&self, path: &str) -> Call<'_> {
        self.call(Method::PATCH, path)
    }

    /// Starts a `DELETE`.
    pub fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::DELETE, path)
    }

    /// Creates an asset and returns its path.
    pub async fn draft(&self, org: &TestOrg, family: Family) -> String {
        let created =
            self.post(samples::library(family)).key(&org.key).json(&samples::body(family)).send().await;
        let data = created.data();
        let id = data["asset_id"].as_str().expect("an id");
        format!("{}/{id}", samples::library(family))
    }

    /// Sends a measurement event of an asset, by its path.
    pub async fn measure(&self, org: &TestOrg, path: &str, event_type: &str) -> Outcome {
        let event = self.event(org, path, event_type, 25);
        self.apply(&event).await
    }

    /// Applies a measurement event as the measurement function does.
    pub async fn apply(&self, event: &MeasurementEvent) -> Outcome {
        apply_on(&self.measurement(), event).await.expect("the engine answers")
    }

    /// Makes a measurement event of an asset, by its path, with an id of its own.
    pub fn event(&self, org: &TestOrg, path: &str, event_type: &str, credits: Credits) -> MeasurementEvent {
        let (library, id) = path.rsplit_once('/').expect("an asset's path");
        let family = if library.ends_with("campaigns") { "campaign" } else { "event" };
        let mut event = json!({
            "event_id": format!("{event_type}-{}", self.app.random.below(u64::MAX)),
            "org_id": org.id,
            "family": family,
            "asset_id": id,
            "type": event_type,
            "occurred_at": self.clock.now(),
        });
        if event_type == "purchased" {
            let product = format!("{family}_measurement");
            event["purchase"] = json!({ "purchase_id": "p-1", "product": product, "credits": credits });
        }
        serde_json::from_value(event).expect("an event")
    }

    /// Moves an asset, by its path, through the events that lead from draft to a state.
    pub async fn bring_to(&self, org: &TestOrg, path: &str, state: &str) {
        let events: &[&str] = match state {
            "draft" => &[],
            "queued" => &["purchased"],
            "in_flight" => &["purchased", "started"],
            "completed" => &["purchased", "started", "completed"],
            "failed" => &["purchased", "failed"],
            other => panic!("no state {other}"),
        };
        for event in events {
            assert!(self.measure(org, path, event).await.is_applied(), "{event}");
        }
    }
}

/// Applies a measurement event as the measurement function does, beside any process.
pub async fn apply(app: &App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    apply_on(&measurement_of(app), event).await
}

/// Applies a measurement event as the measurement function does.
pub async fn apply_on(app: &measurement::App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    access::as_function("measurement", measurement::apply(app, event)).await
}

/// Makes what the measurement function starts from, on the database of a process.
fn measurement_of(app: &App) -> measurement::App {
    measurement::App {
        dynamo: app.dynamo.clone(),
        purchase_names: PurchaseNames::default(),
        handler_deadline: app.config.handler_deadline,
        clock: app.clock.clone(),
        random: app.random.clone(),
    }
}

/// Makes an issuer whose keys are served on a loopback port.
async fn issuer() -> LocalIssuer {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let issuer = LocalIssuer::at(&format!("http://{address}"));
    let router = issuer.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    issuer
}
