use std::collections::BTreeSet;

use harness::{Answer, Call, DocumentedOperation, Fault, World};

use super::{busy, drop_table};

/// One of the three operations of the account function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccountOperation {
    Health,
    Credits,
    Openapi,
}

impl AccountOperation {
    pub(super) fn of(documented: &DocumentedOperation) -> Option<Self> {
        match (documented.method.as_str(), documented.path.as_str()) {
            ("GET", "/v2/health") => Some(Self::Health),
            ("GET", "/v2/billing/credits") => Some(Self::Credits),
            ("GET", "/v2/openapi.yaml") => Some(Self::Openapi),
            _ => None,
        }
    }

    /// Returns the statuses that the specification names.
    pub(super) fn specified(self) -> BTreeSet<u16> {
        let statuses: &[u16] = match self {
            Self::Health => &[200, 401, 503],
            Self::Credits => &[200, 401, 403, 429],
            Self::Openapi => &[200],
        };
        statuses.iter().copied().collect()
    }

    fn call(self, world: &World) -> Call<'_> {
        world.get(match self {
            Self::Health => "/v2/health",
            Self::Credits => "/v2/billing/credits",
            Self::Openapi => "/v2/openapi.yaml",
        })
    }

    /// Drives the operation to a status; `None` when there is no case for it.
    pub(super) async fn drive(self, status: u16) -> Option<Answer> {
        let world = World::new().await;
        let org = world.org("org_a").await;
        let call = match (self, status) {
            (_, 200) => self.call(&world).key(&org.key),
            (_, 400) => self.call(&world).key(&org.key).bearer("x.y.z"),
            (_, 401) => self.call(&world).key("nonsense"),
            (_, 403) => {
                let of_nobody = world.issuer.mint(world.clock.now()).expect("a token");
                self.call(&world).bearer(&of_nobody)
            }
            (Self::Credits, 429) => self.call(&world).key(&busy(&world).await.key),
            (_, 500) => {
                drop_table(&world, "accounts").await;
                self.call(&world).key(&org.key)
            }
            (_, 503) => {
                world.wire.break_with(|_| Fault::ErrorBeforeCommit);
                self.call(&world).key(&org.key)
            }
            _ => return None,
        };
        Some(call.send().await)
    }
}
