//! The portal's shell: all pages are the same document, which is never cached and has a strict content
//! security policy.

use axum::body::Body;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{Method, Request, StatusCode};
use lambda_http::RequestExt;
use portal::Settings;
use serde_json::{Value, json};

use super::{Page, get, request, send, settings};

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, after) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    after.split_once(end).expect("the end of the passage").0
}

fn configuration(page: &Page) -> Value {
    let html = page.text();
    serde_json::from_str(between(&html, "id=\"configuration\">", "</script>")).expect("JSON")
}

#[tokio::test]
async fn every_page_returns_the_same_document() {
    let first = get("/portal/").await;
    assert_eq!(first.status, StatusCode::OK);
    for path in [
        "/portal",
        "/portal/planner",
        "/portal/campaigns/0190?x=1",
        "/portal/no/such/page",
        "/portal/signed-in?code=c",
    ] {
        let page = get(path).await;
        assert_eq!((page.status, page.body), (StatusCode::OK, first.body.clone()), "{path}");
    }
}

#[tokio::test]
async fn root_redirects_to_the_portal() {
    let page = get("/").await;
    assert_eq!((page.status, page.header("location")), (StatusCode::TEMPORARY_REDIRECT, "/portal/"));
}

#[tokio::test]
async fn shell_is_not_cached_and_sends_no_referrer() {
    let page = get("/portal/").await;
    for (header, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("strict-transport-security", "max-age=31536000"),
    ] {
        assert_eq!(page.header(header), value, "{header}");
    }
}

#[tokio::test]
async fn policy_allows_only_the_import_map_as_inline_script() {
    let page = get("/portal/").await;
    let (html, policy) = (page.text(), page.header("content-security-policy").to_owned());
    let map = between(&html, "<script type=\"importmap\">", "</script>");
    let hash = STANDARD.encode(ring::digest::digest(&ring::digest::SHA256, map.as_bytes()));
    assert!(policy.contains(&format!("script-src 'self' 'sha256-{hash}'; ")), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert_eq!(html.matches("<script").count(), 3, "the import map, the configuration, and the main module");
    assert!(!html.contains(" style=") && !html.contains(" on"), "{html}");
}

#[tokio::test]
async fn policy_allows_connections_to_the_issuer_and_the_search_gateway() {
    let stage = [("OidcAudience", "client-of-the-stage"), ("SearchUrl", "https://search.example")];
    let variables = stage.map(|(name, value)| (name.to_owned(), vec![value.to_owned()]));
    let request =
        request(Method::GET, "/portal/").with_stage_variables(std::collections::HashMap::from(variables));
    let page = send(settings(), request).await;
    assert_eq!(
        between(page.header("content-security-policy"), "connect-src ", ";"),
        "'self' https://issuer.example https://search.example https://sign-in.example"
    );
    assert_eq!(
        configuration(&page),
        json!({
            "issuer": "https://issuer.example/pool", "client_id": "client-of-the-stage",
            "sign_out_url": "https://sign-in.example/logout", "search_url": "https://search.example",
            "support_url": "https://example.com/credits", "base_map": null, "self_sign_up": false, "local": false,
        })
    );
}

#[tokio::test]
async fn policy_allows_exactly_the_origins_of_the_administrators_base_map() {
    let without = get("/portal/").await;
    let base_map = portal::BaseMap {
        style_url: "https://tiles.example/styles/gray.json?key=1".parse().expect("an address"),
        origins: vec!["https://fonts.example".parse().expect("an origin")],
    };
    let with = Settings { base_map: Some(base_map), ..settings() };
    let with = send(with, request(Method::GET, "/portal/")).await;
    assert_eq!(configuration(&without)["base_map"], Value::Null);
    let style_url = "https://tiles.example/styles/gray.json?key=1";
    assert_eq!(configuration(&with)["base_map"], json!({ "style_url": style_url }));
    let directive = |page: &Page, name: &str| {
        between(page.header("content-security-policy"), &format!("{name} "), ";").to_owned()
    };
    let added = " https://fonts.example https://tiles.example";
    assert_eq!(directive(&with, "img-src"), format!("{}{added}", directive(&without, "img-src")));
    let connections = directive(&with, "connect-src");
    assert_eq!(
        connections,
        "'self' https://fonts.example https://issuer.example https://sign-in.example https://tiles.example"
    );
    for same in ["script-src", "style-src", "font-src", "worker-src"] {
        assert_eq!(directive(&with, same), directive(&without, same), "{same}");
    }
}

#[tokio::test]
async fn settings_cannot_close_their_script_element() {
    let support_url = Some("https://example.com/</script><script>".to_owned());
    let page = send(Settings { support_url, ..settings() }, request(Method::GET, "/portal/")).await;
    assert_eq!(page.text().matches("<script").count(), 3);
    assert_eq!(configuration(&page)["support_url"], "https://example.com/</script><script>");
}

#[tokio::test]
async fn accepts_head_and_refuses_other_methods() {
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
        for path in ["/", "/portal", "/portal/", "/portal/campaigns", "/portal/files/0/main.js"] {
            let page = send(settings(), request(method.clone(), path)).await;
            assert_eq!(page.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        }
    }
    let head = send(settings(), Request::head("/portal/").body(Body::empty()).expect("a request")).await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
}
