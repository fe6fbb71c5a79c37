//! Stage variables, which pass settings that aren't known when a function is created.

use gateway::Issuer;
use harness::runtime_api::FunctionProcess;
use harness::{TestOrg, World, sources};
use serde_json::{Value, json};

use super::events::filled_in;
use super::runtime::{answered, start_with};
use super::template::Template;

/// The main API's address in the event files.
const MAIN_API: &str = "https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com";

/// Reads an event file as JSON.
fn event(org: &TestOrg, file: &str) -> Value {
    serde_json::from_str(&filled_in(file, org, "")).expect("JSON")
}

async fn send(process: &mut FunctionProcess, event: &Value) -> Value {
    answered(process.invoke(&event.to_string()).await)
}

fn error_of(answer: &Value) -> Value {
    let body: Value = serde_json::from_str(answer["body"].as_str().expect("a string")).expect("JSON");
    body["error"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn token_audience_comes_from_configuration_or_stage() {
    const OTHER: &str = "2other3456789012";
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    world.owner_token(&org).await;
    let mut event = event(&org, "account/read-account.json");
    let Issuer { issuer, audience, jwks_url } = world.issuer.issuer();
    let audience = audience.as_deref().expect("an audience");
    for (configured, of_stage, status) in [
        ("", Some(audience), 200),
        ("", Some(OTHER), 401),
        ("", Some(""), 401),
        ("", None, 401),
        (audience, None, 200),
        (audience, Some(OTHER), 200),
        (OTHER, Some(audience), 401),
    ] {
        let variables = [("OIDC_ISSUER", issuer.as_str()), ("OIDC_JWKS_URL", jwks_url)];
        let variables = [&variables[..], &[("OIDC_AUDIENCE", configured)]].concat();
        let mut process = start_with(&world, "account", &variables).await;
        event["stageVariables"] = json!({ "OidcAudience": of_stage });
        if of_stage.is_none() {
            event.as_object_mut().expect("an event").remove("stageVariables");
        }
        let answer = send(&mut process, &event).await;
        assert_eq!(answer["statusCode"], status, "{configured:?} {of_stage:?}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_gateway_allows_only_the_main_apis_origin() {
    let world = World::on_system_clock().await;
    let mut process = start_with(&world, "inventory", &[]).await;
    let mut search = event(&world.org("org_a").await, "inventory/search-inventory.json");
    let mut preflight = search.clone();
    preflight["requestContext"]["http"]["method"] = json!("OPTIONS");
    preflight["headers"]["access-control-request-method"] = json!("POST");
    for (origin, is_allowed) in [(MAIN_API, true), ("https://evil.example", false)] {
        for event in [&mut search, &mut preflight] {
            event["headers"]["origin"] = json!(origin);
            let answer = send(&mut process, event).await;
            assert_eq!(answer["statusCode"], 200, "{answer}");
            let headers = &answer["headers"];
            let allowed = headers["access-control-allow-origin"].as_str();
            assert_eq!(allowed, is_allowed.then_some(origin), "{headers}");
            assert_eq!(headers["vary"], "origin, accept, accept-encoding");
        }
    }
    // Without a stage variable for the portal's origin, the gateway doesn't allow any page.
    preflight["headers"]["origin"] = json!(MAIN_API);
    preflight["stageVariables"].as_object_mut().expect("variables").remove("PortalOrigin");
    let answer = send(&mut process, &preflight).await;
    assert_eq!(answer["statusCode"], 405, "{answer}");
    assert_eq!(answer["headers"]["access-control-allow-origin"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_gateways_allow_the_listed_origins() {
    const APP: &str = "https://app.example.com";
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    for (function, file, main_api_may_send_keys) in [
        ("inventory", "inventory/search-inventory.json", true),
        ("inventory", "inventory/look-up-displays.json", false),
        ("account", "account/read-credits.json", false),
    ] {
        let origins = format!("{APP},https://staging.example.com");
        let mut process = start_with(&world, function, &[("PORTAL_ORIGINS", &origins)]).await;
        let mut preflight = event(&org, file);
        preflight["requestContext"]["http"]["method"] = json!("OPTIONS");
        preflight["headers"]["access-control-request-method"] = json!("POST");
        for (origin, is_allowed, may_send_keys) in [
            (APP, true, false),
            ("https://evil.example", false, false),
            // The main API's own pages don't need permission to call it. On the search gateway, a stage
            // variable contains their origin.
            (MAIN_API, main_api_may_send_keys, main_api_may_send_keys),
        ] {
            preflight["headers"]["origin"] = json!(origin);
            let answer = send(&mut process, &preflight).await;
            assert_eq!(answer["statusCode"], 200, "{answer}");
            let headers = &answer["headers"];
            let allowed = headers["access-control-allow-origin"].as_str();
            assert_eq!(allowed, is_allowed.then_some(origin), "{file} {headers}");
            let sendable = headers["access-control-allow-headers"].as_str().expect("a list");
            assert!(sendable.contains("authorization"), "{sendable}");
            assert_eq!(sendable.contains("apikey"), may_send_keys, "{file} {origin}: {sendable}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn docs_url_defaults_to_the_portals_error_page() {
    const OWN_DOMAIN: &str = "https://api.example.com";
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    for (docs_url, public_url, page) in [
        ("", "", format!("{MAIN_API}/portal/docs/errors")),
        ("", OWN_DOMAIN, format!("{OWN_DOMAIN}/portal/docs/errors")),
        ("https://docs.example.com/errors", OWN_DOMAIN, "https://docs.example.com/errors".to_owned()),
    ] {
        let variables = [("DOCS_URL", docs_url), ("PUBLIC_URL", public_url)];
        for (function, file) in [
            ("account", "account/read-credits.json"),
            ("places", "places/search-places-at-the-search-gateway.json"),
        ] {
            let mut process = start_with(&world, function, &variables).await;
            let mut refused = event(&org, file);
            refused["headers"] = json!({ "x-api-key": "nonsense", "apikey": "nonsense" });
            let error = error_of(&send(&mut process, &refused).await);
            assert_eq!(error["docs_url"], format!("{page}#unauthorized"), "{file}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn openapi_document_names_both_gateways_of_the_stack() {
    const SEARCH: &str = "https://f6g7h8i9j0.execute-api.us-east-1.amazonaws.com";
    let world = World::on_system_clock().await;
    let event = event(&world.org("org_a").await, "account/read-openapi.json");
    for (public_url, api) in [("", MAIN_API), ("https://api.acme.example", "https://api.acme.example")] {
        let mut process = start_with(&world, "account", &[("PUBLIC_URL", public_url)]).await;
        let answer = send(&mut process, &event).await;
        let document: Value =
            serde_saphyr::from_str(answer["body"].as_str().expect("a string")).expect("valid YAML");
        let urls = |place: &Value| -> Vec<Value> {
            let servers = place["servers"].as_array().expect("servers");
            servers.iter().map(|server| server["url"].clone()).collect()
        };
        assert_eq!(urls(&document), [format!("{api}/v2")]);
        assert_eq!(urls(&document["paths"]["/msearch"]), [format!("{api}/v2"), SEARCH.to_owned()]);
        assert_eq!(urls(&document["paths"]["/msearch/inventory"]), [SEARCH]);
    }
}

#[test]
fn every_stage_variable_is_read() {
    let template = Template::read();
    let code: String = sources(&["shared", "functions"]).into_iter().map(|(_, source)| source).collect();
    let of_main: &[&str] = &["ApiOrigin", "OidcAudience", "SearchUrl"];
    for (api, expected) in [("HttpApi", of_main), ("SearchApi", &["OidcAudience", "PortalOrigin"])] {
        let properties = &template.value()["Resources"][api]["Properties"];
        let variables = properties["StageVariables"].as_object().expect("variables");
        let names: Vec<_> = variables.keys().map(String::as_str).collect();
        assert_eq!(names, expected, "{api}");
        for name in names {
            assert!(code.contains(name), "{name} must be read by the code");
        }
    }
}
