use std::collections::BTreeSet;

use harness::{Answer, Call, DocumentedOperation, Fault, TestOrg, World, samples};
use serde_json::{Value, json};
use shared::types::{Family, Scopes, Tier};

use super::super::{changed, preconditions::meanwhile};
use super::{busy, drop_table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Create,
    List,
    Summarize,
    Read,
    Edit,
    Delete,
}

/// One of the twelve operations on assets.
#[derive(Clone, Copy, Debug)]
pub(super) struct AssetOperation {
    family: Family,
    action: Action,
}

impl AssetOperation {
    pub(super) fn of(documented: &DocumentedOperation) -> Option<Self> {
        let rest = documented.path.strip_prefix("/v2/scenarios/")?;
        let (library, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let family = if library == "campaigns" { Family::Campaign } else { Family::Event };
        let action = match (documented.method.as_str(), rest) {
            ("POST", "") => Action::Create,
            ("GET", "") => Action::List,
            ("GET", "summary") => Action::Summarize,
            ("GET", "{asset_id}") => Action::Read,
            ("PATCH", "{asset_id}") => Action::Edit,
            ("DELETE", "{asset_id}") => Action::Delete,
            other => panic!("no operation {other:?}"),
        };
        Some(Self { family, action })
    }

    /// Returns the statuses that the specification names.
    pub(super) fn specified(self) -> BTreeSet<u16> {
        let own: &[u16] = match self.action {
            Action::Create | Action::List => &[200, 400],
            Action::Summarize => &[200],
            Action::Read => &[200, 404],
            Action::Edit => &[200, 400, 404, 409],
            Action::Delete => &[204, 400, 404],
        };
        own.iter().chain(&[401, 402, 403, 429]).copied().collect()
    }

    fn takes_a_body(self) -> bool {
        matches!(self.action, Action::Create | Action::Edit)
    }

    fn takes_an_asset(self) -> bool {
        matches!(self.action, Action::Read | Action::Edit | Action::Delete)
    }

    /// Starts a call that is valid but for its credentials.
    fn call<'a>(self, world: &'a World, path: &str) -> Call<'a> {
        let library = samples::library(self.family);
        match self.action {
            Action::Create => world.post(library).json(&samples::body(self.family)),
            Action::List => world.get(library),
            Action::Summarize => world.get(&format!("{library}/summary")),
            Action::Read => world.get(path),
            Action::Edit => world.patch(path).json(&json!({})),
            Action::Delete => world.delete(path),
        }
    }

    /// Starts a call with another body.
    fn with_body<'a>(self, world: &'a World, path: &str, content_type: &str, body: String) -> Call<'a> {
        let call = match self.action {
            Action::Edit => world.patch(path),
            _ => world.post(samples::library(self.family)),
        };
        call.bytes(content_type, body)
    }

    fn oversized(self) -> Value {
        let place = if self.family == Family::Campaign { "/campaign/name" } else { "/name" };
        changed(&samples::body(self.family), place, Some(json!("x".repeat(4 * 1024 * 1024))))
    }

    /// Drives the operation to a status; `None` when there is no case for it.
    pub(super) async fn drive(self, status: u16) -> Option<Answer> {
        let world = World::new().await;
        let org = world.org("org_a").await;
        let path = world.draft(&org, self.family).await;
        let call = match status {
            200 if self.action != Action::Delete => self.call(&world, &path).key(&org.key),
            204 if self.action == Action::Delete => self.call(&world, &path).key(&org.key),
            400 => return Some(self.refused(&world, &org, &path).await),
            401 => self.call(&world, &path),
            402 => self.call(&world, &path).key(&world.org_with("org_broke", Tier::Enterprise, 0).await.key),
            403 => self.call(&world, &path).key(&world.key(&org.id, Scopes::default()).await),
            404 if self.takes_an_asset() => {
                let unknown =
                    format!("{}/01999999-9999-7999-8999-999999999999", samples::library(self.family));
                self.call(&world, &unknown).key(&org.key)
            }
            409 if self.takes_an_asset() => {
                world.bring_to(&org, &path, "queued").await;
                meanwhile(&world, &org, &path, "started").await;
                self.call(&world, &path).key(&org.key)
            }
            412 if self.takes_an_asset() => {
                self.call(&world, &path).key(&org.key).header("if-match", "\"2\"")
            }
            413 if self.takes_a_body() => {
                self.with_body(&world, &path, "application/json", self.oversized().to_string()).key(&org.key)
            }
            415 if self.takes_a_body() => {
                self.with_body(&world, &path, "text/plain", "{}".to_owned()).key(&org.key)
            }
            429 => self.call(&world, &path).key(&busy(&world).await.key),
            500 => {
                drop_table(&world, "assets").await;
                self.call(&world, &path).key(&org.key)
            }
            503 => {
                world.wire.break_with(|sent| {
                    let of_assets = sent.body.to_string().contains("marquee-assets");
                    if of_assets { Fault::ErrorBeforeCommit } else { Fault::None }
                });
                self.call(&world, &path).key(&org.key)
            }
            _ => return None,
        };
        let before = world.account(&org).await;
        let answer = call.send().await;
        if answer.status.is_server_error() {
            let after = world.account(&org).await;
            assert_eq!(
                (answer.number("x-credits-used"), after.totals),
                (0, before.totals),
                "{self:?} {status}"
            );
        }
        Some(answer)
    }

    async fn refused(self, world: &World, org: &TestOrg, path: &str) -> Answer {
        let call = match self.action {
            Action::Create => world.post(samples::library(self.family)).json(&json!({})),
            Action::List => world.get(&format!("{}?state=paused", samples::library(self.family))),
            Action::Summarize | Action::Read => self.call(world, path).bearer("x.y.z"),
            Action::Edit | Action::Delete => {
                world.bring_to(org, path, "in_flight").await;
                self.call(world, path)
            }
        };
        call.key(&org.key).send().await
    }
}
