//! A client that sends calls of every kind until the service is killed, and records its requests and their
//! responses.

use std::time::Duration;

use accounting::{Credits, OrgId, Product, Timestamp};
use harness::{Answer, Body, Delete, Known, price, samples, stamped, text, try_call, version, whole};
use http::Method;
use measurement::{EventType, MeasurementEvent, Outcome};
use serde_json::{Value, json};
use store::{AssetState, EntryId, Family};

use crate::service::Access;
use crate::tally::{Tally, Unanswered};

/// The price of every purchase, in credits.
const PURCHASE: Credits = 3;

/// The maximum number of unfinished assets per client. At the maximum, a client deletes an asset instead of
/// creating another one.
const MAX_ASSETS: usize = 16;

/// The event types to choose from. A failed measurement can be purchased again, so most assets go through
/// several measurements. Completions are rare, because completed assets can't be deleted.
const EVENTS: [EventType; 6] = [
    EventType::Purchased,
    EventType::Purchased,
    EventType::Started,
    EventType::Measured,
    EventType::Failed,
    EventType::Failed,
];
const COMPLETED_IN: u32 = 40;

/// An organization's client. No other client changes the assets that it has created.
pub(crate) struct Client {
    pub(crate) org: OrgId,
    pub(crate) assets: Vec<Known>,
    /// The create calls that weren't answered.
    pub(crate) creates: Vec<Create>,
    /// The answered create calls that had an idempotency key, with the IDs of their assets.
    answered: Vec<(Create, String)>,
    pub(crate) tally: Tally,
    key: String,
    rng: fastrand::Rng,
    name: String,
    made: usize,
}

/// A create call, which can be repeated.
#[derive(Clone, Debug)]
pub(crate) struct Create {
    pub(crate) family: Family,
    pub(crate) stamp: String,
    pub(crate) idempotency_key: Option<String>,
}

/// A request and the product that it is charged as.
pub(crate) struct Request<'a> {
    pub(crate) method: Method,
    pub(crate) path: &'a str,
    pub(crate) product: Product,
    pub(crate) body: Option<Value>,
    pub(crate) idempotency_key: Option<&'a str>,
}

impl<'a> Request<'a> {
    pub(crate) fn get(path: &'a str, product: Product) -> Self {
        Self { method: Method::GET, path, product, body: None, idempotency_key: None }
    }

    fn post(path: &'a str, product: Product, body: Value) -> Self {
        Self { method: Method::POST, path, product, body: Some(body), idempotency_key: None }
    }
}

impl Client {
    pub(crate) fn new(org: &OrgId, key: String, number: u64, seed: u64) -> Self {
        Self {
            org: org.clone(),
            assets: Vec::new(),
            creates: Vec::new(),
            answered: Vec::new(),
            tally: Tally::default(),
            key,
            rng: fastrand::Rng::with_seed(seed),
            name: format!("{org}.{number}"),
            made: 0,
        }
    }

    /// Sends calls one after the other until a call isn't answered or the service is killed.
    pub(crate) async fn play(mut self, access: Access) -> Self {
        while self.step(&access).await.is_some() && !access.is_killed() {}
        self
    }

    /// Sends a call and checks the response against the contract. Returns `None` if the outcome is unknown
    /// because the service was killed or returned a 503.
    pub(crate) async fn send(&mut self, access: &Access, request: Request<'_>) -> Option<Answer> {
        let Request { method, path, product, body, idempotency_key } = request;
        let key = ("X-API-Key", self.key.as_str());
        let headers: Vec<_> =
            [key].into_iter().chain(idempotency_key.map(|key| ("Idempotency-Key", key))).collect();
        self.tally.calls += 1;
        let call = format!("{method} {path}");
        let unanswered = Unanswered { product: product.name(), call, price: price(product) };
        let answer = try_call(&access.address, &method, path, &headers, body.as_ref()).await;
        let Ok(answer) = answer else {
            self.tally.unanswered.push(unanswered);
            return None;
        };
        if answer.status.as_u16() == 503 {
            self.tally.enter_unavailable(&answer, unanswered);
            return None;
        }
        assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.text());
        self.tally.enter(product.name(), &answer);
        if answer.status.as_u16() == 429 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Some(answer)
    }

    /// Repeats an unanswered create call and returns whether the first attempt had created the asset.
    pub(crate) async fn send_again(&mut self, access: &Access, create: Create) -> bool {
        let answer = loop {
            if let Some(answer) = self.send_create(access, &create).await {
                break answer;
            }
        };
        assert_eq!(answer.status.as_u16(), 200, "{create:?}: {}", answer.text());
        let is_repeat = answer.header("idempotency-replayed") == "true";
        assert_eq!(answer.credits_used(), if is_repeat { 0 } else { price(library(create.family)) });
        assert_eq!(whole(&answer.data()), create.stamp);
        self.created(create, &answer);
        is_repeat
    }

    async fn step(&mut self, access: &Access) -> Option<()> {
        match self.rng.u32(0..100) {
            0..22 if self.open_assets() < MAX_ASSETS => self.create(access).await,
            0..22 => self.delete(access).await,
            22..27 => self.repeat(access).await,
            27..37 => self.read(access).await,
            37..43 => self.list(access).await,
            43..63 => self.edit(access).await,
            63..71 => self.delete(access).await,
            71..76 => self.ask(access).await,
            _ => self.measure(access).await,
        }
    }

    async fn create(&mut self, access: &Access) -> Option<()> {
        self.made += 1;
        let size = if self.rng.u32(0..30) == 0 { "large" } else { "small" };
        let family = if size == "large" || self.rng.bool() { Family::Campaign } else { Family::Event };
        let stamp = format!("{size}-{}-{}", self.name, self.made);
        let idempotency_key = (self.rng.u32(0..3) > 0).then(|| format!("key-{stamp}"));
        let create = Create { family, stamp, idempotency_key };
        let Some(answer) = self.send_create(access, &create).await else {
            self.creates.push(create);
            return None;
        };
        if answer.status.as_u16() == 429 {
            return Some(());
        }
        self.created(create, &answer);
        Some(())
    }

    async fn send_create(&mut self, access: &Access, create: &Create) -> Option<Answer> {
        let path = samples::library(create.family);
        let body = stamped(create.family, &create.stamp);
        let request = Request::post(path, library(create.family), body);
        self.send(access, Request { idempotency_key: create.idempotency_key.as_deref(), ..request }).await
    }

    fn created(&mut self, create: Create, answer: &Answer) {
        let id = text(&answer.data()["asset_id"]);
        let body = Body { stamp: create.stamp.clone(), version: Some(version(answer)) };
        self.tally.writes += 1;
        self.assets.push(Known::made(Some(id.clone()), create.family, body));
        if create.idempotency_key.is_some() {
            self.answered.push((create, id));
            // Forgets the oldest create call.
            if self.answered.len() > MAX_ASSETS {
                self.answered.remove(0);
            }
        }
    }

    /// Repeats an answered create call. The repetition must be free and must not create another asset.
    async fn repeat(&mut self, access: &Access) -> Option<()> {
        let Some((create, id)) = self.rng.choice(&self.answered).cloned() else { return Some(()) };
        let answer = self.send_create(access, &create).await?;
        match answer.status.as_u16() {
            429 => {}
            404 => assert!(self.assets.iter().all(|known| known.id.as_ref() != Some(&id)), "{id} is lost"),
            _ => {
                assert_eq!((answer.credits_used(), text(&answer.data()["asset_id"])), (0, id), "{create:?}");
            }
        }
        Some(())
    }

    async fn read(&mut self, access: &Access) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let answer = self.send(access, Request::get(&path, library(self.assets[index].family))).await?;
        if answer.status.as_u16() != 429 {
            let stamp = whole(&answer.data());
            assert_eq!(self.assets[index].possible(), [&stamp], "{path}");
        }
        Some(())
    }

    async fn list(&mut self, access: &Access) -> Option<()> {
        let family = if self.rng.bool() { Family::Campaign } else { Family::Event };
        let path = match self.rng.u32(0..3) {
            0 => format!("{}/summary", samples::library(family)),
            1 => format!("{}?limit=10&state=draft", samples::library(family)),
            _ => format!("{}?limit=10", samples::library(family)),
        };
        self.send(access, Request::get(&path, library(family))).await?;
        Some(())
    }

    async fn edit(&mut self, access: &Access) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let family = self.assets[index].family;
        self.made += 1;
        let size = self.assets[index].bodies[0].stamp.split('-').next().unwrap_or("small");
        let stamp = format!("{size}-{}-{}", self.name, self.made);
        let request = Request::post(&path, library(family), stamped(family, &stamp));
        let answer = self.send(access, Request { method: Method::PATCH, ..request }).await;
        let known = &mut self.assets[index];
        let Some(answer) = answer else {
            known.bodies.push(Body { stamp, version: None });
            return None;
        };
        match answer.status.as_u16() {
            200 => {
                assert_eq!(whole(&answer.data()), stamp);
                known.bodies = vec![Body { stamp, version: Some(version(&answer)) }];
                self.tally.writes += 1;
            }
            429 => {}
            _ => assert!(known.possible_states()[0].is_locked(), "{}", answer.text()),
        }
        Some(())
    }

    async fn delete(&mut self, access: &Access) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let request = Request::get(&path, library(self.assets[index].family));
        let Some(answer) = self.send(access, Request { method: Method::DELETE, ..request }).await else {
            self.assets[index].delete = Delete::Unanswered;
            return None;
        };
        match answer.status.as_u16() {
            204 => {
                self.assets.swap_remove(index);
                self.tally.writes += 1;
            }
            429 => {}
            _ => assert!(self.assets[index].possible_states()[0].is_locked(), "{}", answer.text()),
        }
        Some(())
    }

    /// Reads the balance or sends a charged call that reads a release.
    async fn ask(&mut self, access: &Access) -> Option<()> {
        let request = match self.rng.u32(0..3) {
            0 => Request::post("/v2/msearch", Product::PlaceSearch, samples::place_search()),
            1 => Request::get("/v2/billing/credits", Product::BillingCredits),
            _ => Request::get("/v2/markets?limit=1", Product::Markets),
        };
        let answer = self.send(access, request).await?;
        assert!(matches!(answer.status.as_u16(), 200 | 429), "{}", answer.text());
        Some(())
    }

    async fn measure(&mut self, access: &Access) -> Option<()> {
        let Some((index, _)) = self.pick() else { return Some(()) };
        let event_type = match self.rng.u32(0..COMPLETED_IN) {
            0 => EventType::Completed,
            _ => self.rng.choice(EVENTS).expect("there are events"),
        };
        self.made += 1;
        let id = self.assets[index].id.clone().expect("acknowledged assets have an ID");
        let event = self.event(&id, self.assets[index].family, event_type);
        let Some(outcome) = access.until_killed(harness::apply(&access.app, &event)).await else {
            self.assets[index].unsure = Some(event);
            return None;
        };
        self.applied(index, event, &outcome.expect("the engine answers while the service runs"));
        Some(())
    }

    /// Records the ledger entries of unanswered events, which may have been applied.
    pub(crate) fn enter_unsure_events(&mut self) {
        for event in self.assets.iter().filter_map(|known| known.unsure.as_ref()) {
            self.tally.entries.insert(EntryId::event(&event.event_id));
        }
    }

    /// Resends an unanswered event, and records its final outcome.
    pub(crate) async fn settle_event(&mut self, access: &Access, index: usize) {
        let Some(event) = self.assets[index].unsure.take() else { return };
        let outcome = harness::apply(&access.app, &event).await.expect("a response");
        self.applied(index, event, &outcome);
    }

    fn applied(&mut self, index: usize, event: MeasurementEvent, outcome: &Outcome) {
        self.tally.entries.insert(EntryId::event(&event.event_id));
        match outcome {
            Outcome::Applied | Outcome::Purchased { .. } | Outcome::AlreadyApplied => {}
            Outcome::Refused { .. } => return,
            Outcome::Deleted { .. } => panic!("the asset of {event:?} should exist"),
        }
        self.tally.writes += 1;
        let product = format!("{}_measurement", event.family);
        match event.event_type {
            EventType::Purchased => self.tally.book(&product, 1, PURCHASE.cast_signed()),
            // A failed measurement costs one credit. The rest of the price is refunded.
            EventType::Failed => self.tally.book(&product, 0, 1 - PURCHASE.cast_signed()),
            EventType::Started | EventType::Measured | EventType::Completed => {}
        }
        self.assets[index].applied = vec![event];
    }

    fn event(&self, id: &str, family: Family, event_type: EventType) -> MeasurementEvent {
        let mut event = json!({
            "event_id": format!("{}-{}", self.name, self.made),
            "org_id": self.org,
            "family": family,
            "asset_id": id,
            "type": event_type,
            "occurred_at": Timestamp::from_system(std::time::SystemTime::now()),
        });
        if event_type == EventType::Purchased {
            let product = format!("{family}_measurement");
            event["purchase"] = json!({ "purchase_id": self.name, "product": product, "credits": PURCHASE });
        }
        serde_json::from_value(event).expect("an event")
    }

    fn open_assets(&self) -> usize {
        let is_open = |known: &&Known| known.possible_states() != [AssetState::Completed];
        self.assets.iter().filter(is_open).count()
    }

    fn pick(&mut self) -> Option<(usize, String)> {
        if self.assets.is_empty() {
            return None;
        }
        let index = self.rng.usize(0..self.assets.len());
        Some((index, self.assets[index].path()?))
    }
}

/// Returns the product that a library's calls are charged as.
pub(crate) fn library(family: Family) -> Product {
    match family {
        Family::Campaign => Product::ScenarioCampaignCrud,
        Family::Event => Product::ScenarioEventCrud,
    }
}
