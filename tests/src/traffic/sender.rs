//! A client on an unreliable connection. It sends calls of every kind, and records its requests and their
//! responses.

use std::sync::Arc;

use accounting::Credits;
use http::Method;
use measurement::Outcome;
use serde_json::Value;
use store::Family;

use super::process::Process;
use crate::{Answer, Body, Call, Delete, Known, TestOrg, World, samples, stamped, text, version, whole};

/// The price of every purchase, in credits.
pub(super) const PRICE: Credits = 3;

/// The stamp of the assets that all clients of an organization edit.
pub(super) const SHARED: &str = "small-shared";

const EVENTS: [&str; 7] = ["purchased", "purchased", "started", "started", "measured", "completed", "failed"];

/// A call that was answered.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) request_id: String,
    pub(super) status: u16,
    pub(super) credits: Credits,
}

/// An organization's client. It owns the assets that it creates, and shares one asset with the other clients.
pub(super) struct Sender {
    pub(super) org: TestOrg,
    pub(super) assets: Vec<Known>,
    pub(super) made: Vec<Made>,
    pub(super) shared: Vec<Body>,
    /// The service process that the client calls.
    pub(super) process: Process,
    world: Arc<World>,
    shared_path: String,
    rng: fastrand::Rng,
    name: String,
    stamps: usize,
}

impl Sender {
    pub(super) fn new(world: &Arc<World>, org: &TestOrg, shared_path: &str, seed: u64) -> Self {
        Self {
            org: org.clone(),
            assets: Vec::new(),
            made: Vec::new(),
            shared: Vec::new(),
            process: Process::own(world),
            world: world.clone(),
            shared_path: shared_path.to_owned(),
            rng: fastrand::Rng::with_seed(seed),
            name: format!("{}.{seed}", org.id),
            stamps: 0,
        }
    }

    /// Sends the given number of calls, one after the other.
    pub(super) async fn play(mut self, calls: usize) -> Self {
        for _ in 0..calls {
            match self.rng.usize(0..100) {
                0..16 => self.create().await,
                16..32 => self.read().await,
                32..38 => self.list().await,
                38..43 => self.summarize().await,
                43..62 => self.edit().await,
                62..71 => self.edit_shared().await,
                71..76 => self.delete().await,
                _ => self.measure().await,
            }
        }
        self
    }

    /// Creates a campaign that is too large for its main item.
    pub(super) async fn create_large(&mut self) {
        let stamp = self.stamp("large");
        self.create_stamped(Family::Campaign, stamp).await;
    }

    /// Sends a call and records the response.
    pub(super) async fn send(&mut self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let call: Call<'_> = self.world.call(method, path).key(&self.org.key);
        let call = if let Some(body) = body { call.json(body) } else { call };
        let answer = call.send_to(self.process.router.clone()).await;
        let made = Made {
            request_id: answer.header("x-request-id").to_owned(),
            status: answer.status.as_u16(),
            credits: answer.credits_used(),
        };
        assert!(
            matches!(made.status, 200 | 204 | 400 | 402 | 404 | 409 | 429 | 503),
            "{made:?} {}",
            answer.text()
        );
        self.made.push(made);
        answer
    }

    async fn create(&mut self) {
        let family = if self.rng.bool() { Family::Campaign } else { Family::Event };
        let stamp = self.stamp("small");
        self.create_stamped(family, stamp).await;
    }

    async fn create_stamped(&mut self, family: Family, stamp: String) {
        let answer = self.send(Method::POST, samples::library(family), Some(&stamped(family, &stamp))).await;
        let (id, version) = match answer.status.as_u16() {
            200 => (Some(text(&answer.data()["asset_id"])), Some(1)),
            503 => (None, None),
            402 | 429 => return,
            _ => panic!("unexpected answer to a create: {}", answer.text()),
        };
        self.assets.push(Known::made(id, family, Body { stamp, version }));
    }

    async fn read(&mut self) {
        let Some((index, path)) = self.pick() else { return };
        let answer = self.send(Method::GET, &path, None).await;
        let known = &self.assets[index];
        match answer.status.as_u16() {
            200 => {
                assert_ne!(known.delete, Delete::Done, "{path} was deleted but can be read");
                let stamp = whole(&answer.data());
                assert!(known.possible().contains(&stamp.as_str()), "{stamp} {known:?}");
            }
            404 => assert_ne!(known.delete, Delete::NotSent, "{path} is lost"),
            status => assert!(matches!(status, 402 | 429 | 503), "{}", answer.text()),
        }
    }

    async fn list(&mut self) {
        let family = if self.rng.bool() { Family::Campaign } else { Family::Event };
        let state =
            self.rng.choice(["", "&state=draft", "&state=queued", "&state=failed"]).unwrap_or_default();
        let path = format!("{}?limit={}{state}", samples::library(family), self.rng.usize(1..=12));
        let answer = self.send(Method::GET, &path, None).await;
        if answer.status == 200 {
            for asset in answer.data().as_array().expect("a list") {
                whole(asset);
            }
        }
    }

    async fn summarize(&mut self) {
        let answer = self.send(Method::GET, "/v2/scenarios/events/summary", None).await;
        if answer.status == 200 {
            let summary = answer.data();
            let states = summary["by_state"].as_object().expect("states");
            assert!(states.values().all(|count| count.as_i64().is_some_and(|count| count >= 0)), "{summary}");
        }
    }

    async fn edit(&mut self) {
        let Some((index, path)) = self.pick() else { return };
        let family = self.assets[index].family;
        let size = if self.assets[index].bodies[0].stamp.starts_with("large") { "large" } else { "small" };
        let stamp = self.stamp(size);
        let answer = self.send(Method::PATCH, &path, Some(&stamped(family, &stamp))).await;
        let known = &mut self.assets[index];
        match answer.status.as_u16() {
            200 => {
                assert_eq!(whole(&answer.data()), stamp);
                known.bodies.push(Body { stamp, version: Some(version(&answer)) });
            }
            503 => known.bodies.push(Body { stamp, version: None }),
            404 => assert_ne!(known.delete, Delete::NotSent, "{path} is lost"),
            400 | 409 => assert!(!known.applied.is_empty() || known.unsure.is_some(), "{}", answer.text()),
            _ => {}
        }
    }

    async fn edit_shared(&mut self) {
        let stamp = self.stamp("small");
        let path = self.shared_path.clone();
        let answer = self.send(Method::PATCH, &path, Some(&stamped(Family::Event, &stamp))).await;
        match answer.status.as_u16() {
            200 => self.shared.push(Body { stamp, version: Some(version(&answer)) }),
            503 => self.shared.push(Body { stamp, version: None }),
            status => assert!(matches!(status, 402 | 429), "{}", answer.text()),
        }
    }

    async fn delete(&mut self) {
        let Some((index, path)) = self.pick() else { return };
        let answer = self.send(Method::DELETE, &path, None).await;
        let known = &mut self.assets[index];
        match answer.status.as_u16() {
            204 => known.delete = Delete::Done,
            503 if known.delete == Delete::NotSent => known.delete = Delete::Unanswered,
            404 => assert_ne!(known.delete, Delete::NotSent, "{path} is lost"),
            _ => {}
        }
    }

    async fn measure(&mut self) {
        // Usually picks one of the newest assets, so that some assets go through all states.
        let oldest = if self.rng.usize(0..4) == 0 { 0 } else { self.assets.len().saturating_sub(3) };
        let Some((index, path)) = self.pick_from(oldest) else { return };
        let known = &mut self.assets[index];
        if !known.applied.is_empty() && self.rng.usize(0..4) == 0 {
            let again = &known.applied[self.rng.usize(0..known.applied.len())];
            let outcome = crate::apply(&self.process.app, again).await;
            assert!(matches!(outcome, Ok(Outcome::AlreadyApplied) | Err(_)), "{outcome:?}");
            return;
        }
        if known.delete != Delete::NotSent || known.unsure.is_some() {
            return;
        }
        let event_type = EVENTS[self.rng.usize(0..EVENTS.len())];
        let event = self.world.event(&self.org, &path, event_type, PRICE);
        match crate::apply(&self.process.app, &event).await {
            Ok(
                Outcome::Applied
                | Outcome::Purchased { .. }
                | Outcome::Deleted { .. }
                | Outcome::AlreadyApplied,
            ) => known.applied.push(event),
            Ok(Outcome::Refused { .. }) => {}
            Err(_) => known.unsure = Some(event),
        }
    }

    fn pick(&mut self) -> Option<(usize, String)> {
        self.pick_from(0)
    }

    fn pick_from(&mut self, oldest: usize) -> Option<(usize, String)> {
        let index = self.rng.usize(oldest..self.assets.len().max(oldest + 1));
        Some((index, self.assets.get(index)?.path()?))
    }

    fn stamp(&mut self, size: &str) -> String {
        self.stamps += 1;
        format!("{size}-{}-{}", self.name, self.stamps)
    }
}
