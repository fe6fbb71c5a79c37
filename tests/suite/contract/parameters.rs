//! Query parameters: invalid, unknown, and repeated parameters return a 400 that names the parameter.

use std::collections::BTreeSet;

use harness::{Answer, Contract, OPERATIONS, Operation, World};
use http::Method;
use store::{Family, TileProduct};

const PACE_MILLIS: i64 = 3_000;

const TEXTS: [&str; 20] = [
    "",
    "0",
    "1",
    "101",
    "-1",
    "%2B5",
    "1.0",
    "ten",
    "99999999999999999999999",
    "%D9%A1",
    "%FF",
    "%00",
    "AAAA",
    "=",
    "Draft",
    "draft,queued",
    "DMA,STATE",
    "DESC",
    "keys,",
    "2026-11-31",
];

struct Parameters<'a> {
    operation: &'static Operation,
    names: Vec<(&'static str, String)>,
    path: String,
    world: &'a World,
    credential: (&'static str, String),
}

impl Parameters<'_> {
    async fn ask(&self, query: &str) -> Answer {
        self.world.clock.advance(PACE_MILLIS);
        let call = self.operation.call(self.world, &format!("{}?{query}", self.path));
        call.header(self.credential.0, &self.credential.1).send().await
    }

    async fn assert_refused(&self, query: &str, place: &str, words: &str) {
        let context = format!("{} {query}", self.operation.name());
        let (answer, has_words) =
            (self.ask(query).await, |(_, detail): &(String, String)| detail.contains(words));
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{context}");
        let violations = answer.violations();
        let all_at_place = violations.iter().all(|(at, _)| at == place);
        assert!(all_at_place && violations.iter().any(has_words), "{context} {words:?}: {violations:?}");
    }
}

/// Creates two campaigns, two events, and two tile grants, and returns the operations with query parameters.
/// Omits `read_tile`, whose only parameter is its credential.
async fn all(world: &World) -> Vec<Parameters<'_>> {
    let org = world.org("org_a").await;
    for _ in 0..2 {
        world.draft(&org, Family::Campaign).await;
        world.draft(&org, Family::Event).await;
        world.create_tile_grant_by(&org, None, TileProduct::Places).await;
    }
    let mut all = Vec::new();
    for operation in OPERATIONS.iter().filter(|operation| operation.id != "read_tile") {
        let names = Contract::get().query_parameters(operation.id);
        if !names.is_empty() {
            let path = operation.path_for(world, &org, &world.router()).await;
            let credential = operation.credential(world, &org).await;
            all.push(Parameters { operation, names, path, world, credential });
        }
    }
    all
}

#[tokio::test]
async fn parameter_that_its_schema_rejects_returns_400() {
    let world = World::new().await;
    let mut refused = 0;
    for one in all(&world).await {
        for (name, schema) in &one.names {
            let limits =
                Contract::get().resolved(Contract::get().document().pointer(schema).expect("a schema"));
            for text in TEXTS {
                let query = format!("{name}={text}");
                let (_, value) = form_urlencoded::parse(query.as_bytes()).next().expect("a parameter");
                if Contract::get().accepts_text(schema, &value) {
                    let changes = one.operation.method != Method::GET;
                    let answer = if changes { continue } else { one.ask(&query).await };
                    let place = answer.violations().first().map(|(place, _)| place.clone());
                    let is_right = answer.status == 200 || place == Some(format!("?{name}"));
                    assert!(is_right, "{} {query}: {}", one.operation.name(), answer.text());
                    continue;
                }
                refused += 1;
                let words = match (&limits["minimum"], &limits["maximum"]) {
                    (minimum, maximum) if maximum.is_u64() => {
                        format!("must be an integer from {minimum} to {maximum}")
                    }
                    _ => String::new(),
                };
                one.assert_refused(&query, &format!("?{name}"), &words).await;
            }
            one.assert_refused(&format!("{name}=1&{name}=1"), &format!("?{name}"), "must be given only once")
                .await;
        }
        for unknown in ["page", "", &one.names[0].0.to_uppercase()] {
            one.assert_refused(&format!("{unknown}=1"), &format!("?{unknown}"), "allowed parameters: ").await;
            let (_, detail) = one.ask(&format!("{unknown}=1")).await.violations().remove(0);
            let allowed =
                detail.strip_prefix("is an unknown parameter; allowed parameters: ").expect("the allowed");
            let allowed: BTreeSet<_> = allowed.split(", ").collect();
            assert_eq!(
                allowed,
                one.names.iter().map(|(name, _)| *name).collect(),
                "{}",
                one.operation.name()
            );
        }
    }
    assert!(refused > 100, "{refused}");
}

#[tokio::test]
async fn altered_cursor_returns_400() {
    let world = World::new().await;
    let mut altered = 0;
    for one in all(&world).await.iter().filter(|one| one.names.iter().any(|(name, _)| *name == "cursor")) {
        let page = one.ask("limit=1").await.json();
        // The list of changes has its cursor next to the changes.
        let cursor = page["pagination"]["cursor"].as_str().or(page["data"]["cursor"].as_str());
        let cursor = cursor.expect("a cursor");
        let other = if &cursor[5..6] == "A" { "B" } else { "A" };
        for text in [format!("{cursor}{cursor}"), format!("{}{other}{}", &cursor[..5], &cursor[6..])] {
            let query = format!("cursor={text}");
            one.assert_refused(&query, "?cursor", "must be a cursor that this list returned").await;
        }
        altered += 1;
    }
    assert_eq!(altered, 5);
}
