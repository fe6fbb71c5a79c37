//! The service processes that clients call.

use accounting::Timestamp;
use axum::Router;
use gateway::App;
use runtime::Clock;

use crate::World;

/// A service process, with the world's clock or its own clock.
#[derive(Clone)]
pub struct Process {
    pub(super) app: App,
    pub(super) router: Router,
    pub(super) clock: Clock,
}

impl Process {
    /// Returns the world's main process.
    pub fn own(world: &World) -> Self {
        Self { app: world.app.clone(), router: world.router(), clock: world.clock.clone() }
    }

    /// Starts another process with its own clock.
    pub async fn another(world: &World, seed: u64) -> Self {
        let clock = Clock::fixed(world.clock.now());
        let (app, router) = world.another_process_at(seed, clock.clone()).await;
        Self { app, router, clock }
    }

    pub(super) fn set_clock(&self, now: Timestamp) {
        self.clock.advance(now.unix_millis() - self.clock.now().unix_millis());
    }
}
