//! A customer's program: it sends calls of every kind until the service dies, and remembers what it sent and
//! was told.

use std::time::Duration;

use accounting::{Credits, OrgId, Product, Timestamp};
use harness::{Answer, Body, Delete, Known, price, samples, stamped, text, try_call, version, whole};
use http::Method;
use measurement::{EventType, MeasurementEvent, Outcome};
use serde_json::{Value, json};
use store::{AssetState, EntryId, Family};

use crate::service::Doors;
use crate::tally::{Tally, Unanswered};

/// The price of every purchase.
const PURCHASE: Credits = 3;

/// The assets that a program keeps besides the completed ones at most: it deletes before it creates another.
const MOST_ASSETS: usize = 16;

/// The events that are sent. A failed measurement is bought again, so that most assets live through several
/// runs; what is completed stays for good, and is rare.
const EVENTS: [EventType; 6] = [
    EventType::Purchased,
    EventType::Purchased,
    EventType::Started,
    EventType::Measured,
    EventType::Failed,
    EventType::Failed,
];
const COMPLETED_IN: u32 = 40;

/// One program of an organization. What it creates, nobody else changes.
pub(crate) struct Client {
    pub(crate) org: OrgId,
    pub(crate) assets: Vec<Known>,
    /// The creates without an answer.
    pub(crate) creates: Vec<Create>,
    /// The creates with an idempotency key that were answered.
    answered: Vec<(Create, String)>,
    pub(crate) tally: Tally,
    key: String,
    rng: fastrand::Rng,
    name: String,
    made: usize,
}

/// A create, as it can be sent again.
#[derive(Clone, Debug)]
pub(crate) struct Create {
    pub(crate) family: Family,
    pub(crate) stamp: String,
    pub(crate) idempotency_key: Option<String>,
}

/// A request of a product.
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

    /// Sends calls, one after the other, until one is not answered.
    pub(crate) async fn play(mut self, doors: Doors) -> Self {
        while self.step(&doors).await.is_some() && !doors.is_killed() {}
        self
    }

    /// Sends one call, and holds its answer to the contract; `None` when the service has died, or cannot say
    /// whether it did what it was asked for.
    pub(crate) async fn send(&mut self, doors: &Doors, request: Request<'_>) -> Option<Answer> {
        let Request { method, path, product, body, idempotency_key } = request;
        let key = ("X-API-Key", self.key.as_str());
        let headers: Vec<_> =
            [key].into_iter().chain(idempotency_key.map(|key| ("Idempotency-Key", key))).collect();
        self.tally.calls += 1;
        let call = format!("{method} {path}");
        let unanswered = Unanswered { product: product.name(), call, price: price(product) };
        let answer = try_call(&doors.address, &method, path, &headers, body.as_ref()).await;
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

    /// Sends a create again that was not answered, and tells whether it had created its asset.
    pub(crate) async fn send_again(&mut self, doors: &Doors, create: Create) -> bool {
        let answer = loop {
            if let Some(answer) = self.send_create(doors, &create).await {
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

    async fn step(&mut self, doors: &Doors) -> Option<()> {
        match self.rng.u32(0..100) {
            0..22 if self.open_assets() < MOST_ASSETS => self.create(doors).await,
            0..22 => self.delete(doors).await,
            22..27 => self.repeat(doors).await,
            27..37 => self.read(doors).await,
            37..43 => self.list(doors).await,
            43..63 => self.edit(doors).await,
            63..71 => self.delete(doors).await,
            71..76 => self.ask(doors).await,
            _ => self.measure(doors).await,
        }
    }

    async fn create(&mut self, doors: &Doors) -> Option<()> {
        self.made += 1;
        let size = if self.rng.u32(0..30) == 0 { "large" } else { "small" };
        let family = if size == "large" || self.rng.bool() { Family::Campaign } else { Family::Event };
        let stamp = format!("{size}-{}-{}", self.name, self.made);
        let idempotency_key = (self.rng.u32(0..3) > 0).then(|| format!("key-{stamp}"));
        let create = Create { family, stamp, idempotency_key };
        let Some(answer) = self.send_create(doors, &create).await else {
            self.creates.push(create);
            return None;
        };
        if answer.status.as_u16() == 429 {
            return Some(());
        }
        self.created(create, &answer);
        Some(())
    }

    async fn send_create(&mut self, doors: &Doors, create: &Create) -> Option<Answer> {
        let path = samples::library(create.family);
        let body = stamped(create.family, &create.stamp);
        let request = Request::post(path, library(create.family), body);
        self.send(doors, Request { idempotency_key: create.idempotency_key.as_deref(), ..request }).await
    }

    fn created(&mut self, create: Create, answer: &Answer) {
        let id = text(&answer.data()["asset_id"]);
        let body = Body { stamp: create.stamp.clone(), version: Some(version(answer)) };
        self.tally.writes += 1;
        self.assets.push(Known::made(Some(id.clone()), create.family, body));
        if create.idempotency_key.is_some() {
            self.answered.push((create, id));
            // The oldest was repeated long enough.
            if self.answered.len() > MOST_ASSETS {
                self.answered.remove(0);
            }
        }
    }

    /// Sends a create again that was answered: it costs nothing, and nothing is created.
    async fn repeat(&mut self, doors: &Doors) -> Option<()> {
        let Some((create, id)) = self.rng.choice(&self.answered).cloned() else { return Some(()) };
        let answer = self.send_create(doors, &create).await?;
        match answer.status.as_u16() {
            429 => {}
            404 => assert!(self.assets.iter().all(|known| known.id.as_ref() != Some(&id)), "{id} is lost"),
            _ => {
                assert_eq!((answer.credits_used(), text(&answer.data()["asset_id"])), (0, id), "{create:?}");
            }
        }
        Some(())
    }

    async fn read(&mut self, doors: &Doors) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let answer = self.send(doors, Request::get(&path, library(self.assets[index].family))).await?;
        if answer.status.as_u16() != 429 {
            let stamp = whole(&answer.data());
            assert_eq!(self.assets[index].possible(), [&stamp], "{path}");
        }
        Some(())
    }

    async fn list(&mut self, doors: &Doors) -> Option<()> {
        let family = if self.rng.bool() { Family::Campaign } else { Family::Event };
        let path = match self.rng.u32(0..3) {
            0 => format!("{}/summary", samples::library(family)),
            1 => format!("{}?limit=10&state=draft", samples::library(family)),
            _ => format!("{}?limit=10", samples::library(family)),
        };
        self.send(doors, Request::get(&path, library(family))).await?;
        Some(())
    }

    async fn edit(&mut self, doors: &Doors) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let family = self.assets[index].family;
        self.made += 1;
        let size = self.assets[index].bodies[0].stamp.split('-').next().unwrap_or("small");
        let stamp = format!("{size}-{}-{}", self.name, self.made);
        let request = Request::post(&path, library(family), stamped(family, &stamp));
        let answer = self.send(doors, Request { method: Method::PATCH, ..request }).await;
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

    async fn delete(&mut self, doors: &Doors) -> Option<()> {
        let Some((index, path)) = self.pick() else { return Some(()) };
        let request = Request::get(&path, library(self.assets[index].family));
        let Some(answer) = self.send(doors, Request { method: Method::DELETE, ..request }).await else {
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

    /// Asks what reads a release and is charged, or the credits.
    async fn ask(&mut self, doors: &Doors) -> Option<()> {
        let request = match self.rng.u32(0..3) {
            0 => Request::post("/v2/msearch", Product::PlaceSearch, samples::place_search()),
            1 => Request::get("/v2/billing/credits", Product::BillingCredits),
            _ => Request::get("/v2/markets?limit=1", Product::Markets),
        };
        let answer = self.send(doors, request).await?;
        assert!(matches!(answer.status.as_u16(), 200 | 429), "{}", answer.text());
        Some(())
    }

    async fn measure(&mut self, doors: &Doors) -> Option<()> {
        let Some((index, _)) = self.pick() else { return Some(()) };
        let event_type = match self.rng.u32(0..COMPLETED_IN) {
            0 => EventType::Completed,
            _ => self.rng.choice(EVENTS).expect("there are events"),
        };
        self.made += 1;
        let id = self.assets[index].id.clone().expect("it was acknowledged");
        let event = self.event(&id, self.assets[index].family, event_type);
        let Some(outcome) = doors.until_killed(harness::apply(&doors.app, &event)).await else {
            self.assets[index].unsure = Some(event);
            return None;
        };
        self.applied(index, event, &outcome.expect("the engine answers while the service lives"));
        Some(())
    }

    /// Enters events without an answer: they may have been applied.
    pub(crate) fn enter_unsure_events(&mut self) {
        for event in self.assets.iter().filter_map(|known| known.unsure.as_ref()) {
            self.tally.entries.insert(EntryId::event(&event.event_id));
        }
    }

    /// Sends an event again that was not answered: it is found applied, or applied, or refused, for good.
    pub(crate) async fn settle_event(&mut self, doors: &Doors, index: usize) {
        let Some(event) = self.assets[index].unsure.take() else { return };
        let outcome = harness::apply(&doors.app, &event).await.expect("the engine answers");
        self.applied(index, event, &outcome);
    }

    fn applied(&mut self, index: usize, event: MeasurementEvent, outcome: &Outcome) {
        self.tally.entries.insert(EntryId::event(&event.event_id));
        match outcome {
            Outcome::Applied | Outcome::Purchased { .. } | Outcome::AlreadyApplied => {}
            Outcome::Refused { .. } => return,
            Outcome::Deleted { .. } => panic!("{event:?} is of an asset that is there"),
        }
        self.tally.writes += 1;
        let product = format!("{}_measurement", event.family);
        match event.event_type {
            EventType::Purchased => self.tally.book(&product, 1, PURCHASE.cast_signed()),
            // A failed measurement costs one credit.
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

/// Returns the product of a library's calls.
pub(crate) fn library(family: Family) -> Product {
    match family {
        Family::Campaign => Product::ScenarioCampaignCrud,
        Family::Event => Product::ScenarioEventCrud,
    }
}
