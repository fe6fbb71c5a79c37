//! Every request logs exactly one line, with fixed fields and a generated request ID.

use std::collections::{BTreeMap, BTreeSet};

use accounting::{KeyId, Product, Scopes, Tier};
use harness::{Fault, Logs, TestOrg, World, price, samples};
use http::Method;
use serde_json::{Value, json};

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

/// The expected fields of a log line, except for the request ID and the duration.
struct Line {
    method: &'static str,
    route: Option<&'static str>,
    org: Option<&'static str>,
    key_id: Option<String>,
    product: &'static str,
    status: u16,
    code: Option<&'static str>,
    credits: u32,
}

impl Line {
    fn of(method: &'static str, route: &'static str, product: &'static str) -> Self {
        let (route, org, key_id, code) = (Some(route), None, None, None);
        Self { method, route, org, key_id, product, status: 200, code, credits: 0 }
    }

    fn by(self, org: &'static str, key_id: Option<&KeyId>) -> Self {
        Self { org: Some(org), key_id: key_id.map(ToString::to_string), ..self }
    }

    fn paid(self, credits: u32) -> Self {
        Self { credits, ..self }
    }

    fn refused(self, status: u16, code: &'static str) -> Self {
        Self { status, code: Some(code), ..self }
    }

    #[track_caller]
    fn check(&self, fields: &Value) {
        let Self { method, route, org, key_id, product, status, code, credits } = self;
        let expected = json!({
            "event": "request", "method": method, "route": route, "org": org, "key_id": key_id,
            "product": product, "status": status, "code": code, "credits": credits,
        });
        let expected = expected.as_object().expect("an object").iter().filter(|(_, value)| !value.is_null());
        let expected: BTreeMap<_, _> = expected.collect();
        let mut found: BTreeMap<_, _> = fields.as_object().expect("an object").iter().collect();
        assert!(found.remove(&"request_id".to_owned()).is_some_and(Value::is_string), "{fields}");
        assert!(found.remove(&"ms".to_owned()).is_some_and(Value::is_u64), "{fields}");
        found.remove(&"message".to_owned());
        assert_eq!(found, expected, "{method} {product}");
    }
}

async fn id_of(world: &World, org: &TestOrg, key: &str) -> KeyId {
    let keys = world.administrator.keys(&org.id).await.expect("the keys are listed");
    keys.into_iter().find(|listed| key.ends_with(&listed.last_four)).expect("the organization has the key").id
}

#[tokio::test]
async fn each_request_logs_one_line_with_its_fields() {
    const CAMPAIGN: &str = "/v2/scenarios/campaigns/{asset_id}";
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    assert_eq!(paid, price(Product::ScenarioEventCrud), "the credits cover exactly two calls");
    let org = world.org_with("org_a", Tier::Enterprise, 2 * paid).await;
    let token = world.bearer(&org).await;
    let narrow = world.key(&org.id, Scopes::default()).await;
    let (id, narrow_id) = (id_of(&world, &org, &org.key).await, id_of(&world, &org, &narrow).await);
    let paid_credits = u32::try_from(paid).expect("the price fits into 32 bits");
    let crud = "scenario_campaign_crud";
    let cases = [
        (
            world.post(CAMPAIGNS).key(&org.key).json(&samples::campaign()),
            Line::of("POST", CAMPAIGNS, crud).by("org_a", Some(&id)).paid(paid_credits),
        ),
        (
            world.get("/v2/scenarios/events/unknown").bearer(&token),
            Line::of("GET", "/v2/scenarios/events/{asset_id}", "scenario_event_crud")
                .by("org_a", None)
                .refused(404, "NOT_FOUND")
                .paid(paid_credits),
        ),
        (
            world.get(CAMPAIGNS).key(&org.key),
            Line::of("GET", CAMPAIGNS, crud).by("org_a", Some(&id)).refused(402, "QUOTA_EXCEEDED"),
        ),
        (
            world.get("/v2/scenarios/campaigns/a-secret").key(&narrow),
            Line::of("GET", CAMPAIGN, crud).by("org_a", Some(&narrow_id)).refused(403, "FORBIDDEN"),
        ),
        (
            world.get("/v2/billing/credits").key(&org.key),
            Line::of("GET", "/v2/billing/credits", "billing_credits").by("org_a", Some(&id)),
        ),
        (world.get("/v2/health"), Line::of("GET", "/v2/health", "health")),
        (world.get(CAMPAIGNS), Line::of("GET", CAMPAIGNS, crud).refused(401, "UNAUTHORIZED")),
        (
            world.get("/v2/nothing/a-secret").key(&org.key),
            Line { route: None, ..Line::of("GET", "", "platform").refused(404, "NOT_FOUND") },
        ),
        (
            world.call(Method::PUT, "/v2/scenarios/campaigns/a-secret"),
            Line::of("PUT", CAMPAIGN, "platform").refused(405, "METHOD_NOT_ALLOWED"),
        ),
        (
            world.get("/v2/places/tiles/places/1/1/1.mvt?token=a-secret"),
            Line::of("GET", "/v2/{product}/tiles/{layer}/{z}/{x}/{y}", "tile").refused(401, "UNAUTHORIZED"),
        ),
        (world.call(Method::HEAD, "/v2/openapi.yaml"), Line::of("HEAD", "/v2/openapi.yaml", "openapi")),
    ];
    for (call, line) in cases {
        let logs = Logs::capture();
        let answer = call.send().await;
        let lines = logs.of("request");
        assert_eq!(lines.len(), 1, "{} {}: {:?}", line.method, line.product, logs.lines());
        assert_eq!(lines[0]["fields"]["request_id"], answer.header("x-request-id"));
        line.check(&lines[0]["fields"]);
        assert!(logs.lines().iter().all(|line| !line.contains("a-secret")), "{:?}", logs.lines());
    }
}

#[tokio::test]
async fn log_line_has_the_returned_status_and_code_when_the_database_fails() {
    let (world, org) = World::with_org().await;
    world.wire.inject_faults(|_| Fault::ErrorBeforeCommit);
    let logs = Logs::capture();
    let answer = world.get(CAMPAIGNS).key(&org.key).send().await;
    let (status, code) = answer.error();
    let fields = &logs.of("request")[0]["fields"];
    assert_eq!((&fields["status"], &fields["code"]), (&json!(status), &json!(code)));
}

#[tokio::test]
async fn request_ids_are_unique_and_ignore_the_callers_header() {
    let world = World::new().await;
    let mut seen = BTreeSet::new();
    for _ in 0..20 {
        let answer = world.get("/v2/health").header("x-request-id", "chosen-by-the-caller").send().await;
        seen.insert(answer.header("x-request-id").to_owned());
    }
    assert_eq!(seen.len(), 20);
    assert!(!seen.contains("chosen-by-the-caller"));
}
