//! The whole service in one process. Tests use it to create organizations, people, assets, and requests.
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use accounting::{Account, AccountKey, Credits, KeyId, OrgId, PurchaseNames, Scope, Scopes, Tier, Timestamp};
use aws::{LocalEndpoint, sdk_config};
use aws_sdk_dynamodb::Client;
use axum::Router;
use estimates::OwnMeasurement;
use gateway::{App, Config, MailSender, SelfSignUp};
use http::Method;
use marquee::administrator::Administrator;
use marquee::engine::{DataFolder, Engine, Records};
use marquee::serve::{Gateway, LocalIssuer, Releases};
use marquee::sweep::measurement_of;
use measurement::{ApplyError, MeasurementEvent, Outcome};
use runtime::{Clock, Random};
use serde_json::json;
use store::{Accounts, Connection, Family, NewKey, Person, Role, StoredAccount, create_tables};

use crate::logs::keep_events_enabled;
use crate::{Call, Wire, access, api_key, organization, sample, samples};

pub const PUBLIC_URL: &str = "https://api.marquee.example";

/// The page that error responses link to.
const DOCS_URL: &str = "https://docs.marquee.example/v2/errors";

/// The whole service on an in-memory engine, with a fixed clock and repeatable random numbers.
pub struct World {
    /// The state that all functions share.
    pub app: App,
    /// The clock. By default, it starts at 2026-11-20T09:00:30Z and moves only when a test advances it.
    pub clock: Clock,
    /// The administrator's functions, which bypass the API.
    pub administrator: Administrator,
    /// The connection between the SDK and the engine.
    pub wire: Wire,
    /// The issuer of bearer tokens.
    pub issuer: LocalIssuer,
    router: Router,
    purchase_names: PurchaseNames,
    engine: Engine,
}

#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// The seed for random numbers.
    pub seed: u64,
    /// The clock of the service and the engine.
    pub clock: Clock,
    /// The time limit for each attempt of a database call.
    pub attempt_timeout: Duration,
    /// The time limit for handling a request.
    pub handler_deadline: Duration,
    pub portal_origins: Vec<String>,
    /// The meters that purchases may name.
    pub purchase_names: PurchaseNames,
    /// The sign-up settings, or `None` to close sign-up.
    pub self_sign_up: Option<SelfSignUp>,
    /// The database's folder, or `None` for an in-memory database.
    pub data_dir: Option<PathBuf>,
}

/// An organization with an API key that has all scopes.
#[derive(Clone, Debug)]
pub struct TestOrg {
    pub id: OrgId,
    pub key: String,
    /// The owner's bearer token, which is valid once [`World::owner_token`] has added the owner.
    pub owner_token: String,
    /// A bearer token for a user who has no organization and can sign up.
    pub newcomer_token: String,
    /// A bearer token for the person that [`World::invite_sample_invitee`] invites.
    pub invitee_token: String,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            seed: 7,
            clock: Clock::fixed(Timestamp::parse("2026-11-20T09:00:30Z").expect("a timestamp")),
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
    pub async fn new() -> Self {
        Self::with(WorldOptions::default()).await
    }

    /// Creates a default world with organization `org_a` (see [`Self::org`]).
    pub async fn with_org() -> (Self, TestOrg) {
        let world = Self::new().await;
        let org = world.org("org_a").await;
        (world, org)
    }

    /// Creates a default world with organizations `org_a` and `org_b`.
    pub async fn with_two_orgs() -> (Self, TestOrg, TestOrg) {
        let (world, org) = Self::with_org().await;
        let other = world.org("org_b").await;
        (world, org, other)
    }

    /// Creates a default world with the organization `org_a` in the given tier (see [`Self::org_with`]).
    pub async fn with_org_of(tier: Tier, purchased: Credits) -> (Self, TestOrg) {
        let world = Self::new().await;
        let org = world.org_with("org_a", tier, purchased).await;
        (world, org)
    }

    /// Creates a world with the system clock, for tests that also run function processes.
    pub async fn on_system_clock() -> Self {
        Self::with(WorldOptions { clock: Clock::System, ..WorldOptions::default() }).await
    }

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
        config.measurement_credits = Some(OwnMeasurement::DEFAULT_CREDITS);
        config.public_url = Some(PUBLIC_URL.to_owned());
        config.docs_url = Some(DOCS_URL.to_owned());
        config.allows_local_webhooks = true;
        let app = App::new(config, clock.clone(), Random::seeded(seed));
        create_tables(&app.dynamo).await.expect("tables");
        let router = access::marked(Gateway::new(&app, sample()));
        let administrator = Administrator::new(app.clone());
        Self { app, clock, administrator, wire, issuer, router, purchase_names, engine }
    }

    /// Returns the router of the world's main process.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Returns a client that connects directly to the engine, bypassing the service and the simulated
    /// connection.
    pub fn engine(&self) -> Client {
        Client::new(&sdk_config(&self.app.config.connection.endpoint, &None, &None))
    }

    /// Returns the stream records of all writes from now on.
    pub fn records(&self) -> Records {
        self.engine.records()
    }

    /// Returns the environment variables that connect a function's process to the tables.
    pub fn engine_variables(&self) -> [(&'static str, &str); 3] {
        let Connection { table_prefix, endpoint, .. } = &self.app.config.connection;
        let LocalEndpoint { url, access_key_id } = endpoint.as_ref().expect("a local engine");
        [("TABLE_PREFIX", table_prefix), ("DYNAMODB_ENDPOINT", url), ("AWS_ACCESS_KEY_ID", access_key_id)]
    }

    /// Creates another service process that shares the database and the clock. Its cache is empty.
    pub async fn another_process(&self, seed: u64) -> (App, Router) {
        self.another_process_at(seed, self.clock.clone()).await
    }

    /// Creates another service process with its own clock.
    pub async fn another_process_at(&self, seed: u64, clock: Clock) -> (App, Router) {
        self.process_with((*self.app.config).clone(), clock, seed)
    }

    /// Returns the measurement function's state, based on the world's main process.
    pub fn measurement(&self) -> measurement::App {
        measurement_of(&self.app, self.purchase_names.clone())
    }

    /// Creates another service process that sends email with the given sender, and returns its router.
    pub fn process_that_mails(&self, sender: MailSender) -> Router {
        let config = Config { mail_sender: Some(sender), ..(*self.app.config).clone() };
        self.process_with(config, self.clock.clone(), 77).1
    }

    fn process_with(&self, config: Config, clock: Clock, seed: u64) -> (App, Router) {
        let app = App::new(config, clock, Random::seeded(seed));
        let router = access::marked(Gateway::new(&app, sample()));
        (app, router)
    }

    /// Creates another service process that serves the given release and connects directly to the engine.
    pub async fn process_without_the_wire(&self, seed: u64, releases: &Releases) -> Router {
        let mut config = (*self.app.config).clone();
        config.connection.http_client = None;
        let app = App::new(config, self.clock.clone(), Random::seeded(seed));
        access::marked(Gateway::new(&app, releases))
    }

    /// Creates an enterprise organization with 1,000,000 purchased credits.
    pub async fn org(&self, name: &str) -> TestOrg {
        self.org_with(name, Tier::Enterprise, 1_000_000).await
    }

    /// Creates an organization with `purchased` credits in addition to its tier's credits.
    pub async fn org_with(&self, name: &str, tier: Tier, purchased: Credits) -> TestOrg {
        let id = organization(&self.administrator, name, tier, purchased).await;
        let key = self.key(&id, Scope::all()).await;
        let owner_token = self.token(&self.owner(&id));
        let newcomer_token = self.token(&self.person(&format!("newcomer-beside-{id}")));
        let invitee_token = self.token(&self.invitee(&id));
        TestOrg { id, key, owner_token, newcomer_token, invitee_token }
    }

    pub async fn key(&self, org: &OrgId, scopes: Scopes) -> String {
        api_key(&self.administrator, org, "test", scopes).await
    }

    pub async fn create(&self, org: &OrgId, new: NewKey) -> String {
        self.administrator.create_key(org, &new).await.expect("a key").api_key.reveal().to_owned()
    }

    /// Creates an API key for a test to revoke and returns the key's ID.
    pub async fn key_to_revoke(&self, org: &TestOrg) -> KeyId {
        let new =
            NewKey { label: "spare".parse().expect("a label"), scopes: Scopes::default(), expires_at: None };
        self.administrator.create_key(&org.id, &new).await.expect("a key").key.id
    }

    pub async fn account(&self, org: &TestOrg) -> Account {
        self.administrator.account(&org.id).await.expect("an account")
    }

    /// Reads an organization's account with its version.
    pub async fn stored_account(&self, org: &TestOrg) -> StoredAccount {
        let accounts = Accounts::new(self.app.dynamo.clone());
        accounts.read_stored(&AccountKey::Org(org.id.clone())).await.expect("a response").expect("an account")
    }

    /// Adds the issuer's developer to the organization as an owner and creates a bearer token for them.
    pub async fn bearer(&self, org: &TestOrg) -> String {
        let person = self.issuer.developer();
        self.member(org, &person, Role::Owner).await;
        self.token(&person)
    }

    /// Returns a person who has a verified email address but no organization.
    pub fn person(&self, name: &str) -> Person {
        self.issuer.person(name, Some(format!("{name}@example.com").parse().expect("an address")))
    }

    /// Adds a person to an organization as an administrator does.
    pub async fn member(&self, org: &TestOrg, person: &Person, role: Role) {
        self.administrator.add_member(&org.id, person.subject.clone(), Some(role)).await.expect("a mapping");
    }

    pub fn token(&self, person: &Person) -> String {
        self.issuer.create(person, self.clock.now())
    }

    /// Returns the owner that [`Self::owner_token`] adds.
    pub fn owner(&self, org: &OrgId) -> Person {
        self.person(&format!("owner-of-{org}"))
    }

    /// Adds an owner to the organization and creates a bearer token for them.
    pub async fn owner_token(&self, org: &TestOrg) -> String {
        let owner = self.owner(&org.id);
        self.member(org, &owner, Role::Owner).await;
        self.token(&owner)
    }

    /// Creates a bearer token for a new person without an organization.
    pub fn newcomer_token(&self) -> String {
        self.token(&self.person(&format!("newcomer-{}", self.app.random.below(u64::MAX))))
    }

    /// Sets the clock to an RFC 3339 time.
    pub fn move_to(&self, moment: &str) {
        let moment = Timestamp::parse(moment).expect("a timestamp");
        self.clock.advance(moment.unix_millis() - self.clock.now().unix_millis());
    }

    pub fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(self, method, path)
    }

    pub fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Call<'_> {
        self.call(Method::POST, path)
    }

    pub fn put(&self, path: &str) -> Call<'_> {
        self.call(Method::PUT, path)
    }

    pub fn patch(&self, path: &str) -> Call<'_> {
        self.call(Method::PATCH, path)
    }

    pub fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::DELETE, path)
    }

    /// Creates a draft from the sample body and returns its path.
    pub async fn draft(&self, org: &TestOrg, family: Family) -> String {
        let created =
            self.post(samples::library(family)).key(&org.key).json(&samples::body(family)).send().await;
        let data = created.data();
        let id = data["asset_id"].as_str().expect("an ID");
        format!("{}/{id}", samples::library(family))
    }

    /// Creates a draft that can be estimated, and returns its ID.
    pub async fn estimated_draft(&self, org: &TestOrg, family: Family) -> String {
        let body = match family {
            Family::Campaign => samples::estimated_campaign(),
            Family::Event => samples::estimated_event(),
        };
        let created = self.post(samples::library(family)).key(&org.key).json(&body).send().await;
        created.data()["asset_id"].as_str().expect("an ID").to_owned()
    }

    /// Applies a new measurement event of the given type to the asset at a path.
    pub async fn measure(&self, org: &TestOrg, path: &str, event_type: &str) -> Outcome {
        let event = self.event(org, path, event_type, 25);
        self.apply(&event).await
    }

    /// Applies a measurement event as the measurement function does.
    pub async fn apply(&self, event: &MeasurementEvent) -> Outcome {
        apply_on(&self.measurement(), event).await.expect("a response")
    }

    /// Creates a measurement event with a unique ID for the asset at a path.
    pub fn event(&self, org: &TestOrg, path: &str, event_type: &str, credits: Credits) -> MeasurementEvent {
        let (library, id) = path.rsplit_once('/').expect("an asset path");
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

    /// Moves a draft to a state by applying the necessary events.
    pub async fn bring_to(&self, org: &TestOrg, path: &str, state: &str) {
        let events: &[&str] = match state {
            "draft" => &[],
            "queued" => &["purchased"],
            "in_flight" => &["purchased", "started"],
            "completed" => &["purchased", "started", "completed"],
            "failed" => &["purchased", "failed"],
            other => panic!("unknown state {other}"),
        };
        for event in events {
            assert!(self.measure(org, path, event).await.is_applied(), "{event}");
        }
    }
}

/// Applies a measurement event to the database of the given process.
pub async fn apply(app: &App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    apply_on(&measurement_of(app, PurchaseNames::default()), event).await
}

/// Applies a measurement event as the measurement function does.
pub async fn apply_on(app: &measurement::App, event: &MeasurementEvent) -> Result<Outcome, ApplyError> {
    access::as_function("measurement", measurement::apply(app, event)).await
}

/// Starts a token issuer that serves its keys on a loopback port.
async fn issuer() -> LocalIssuer {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let issuer = LocalIssuer::at(&format!("http://{address}"));
    let router = issuer.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    issuer
}
