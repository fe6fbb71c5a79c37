//! The portal's documentation pages work without JavaScript and have permanent addresses.

use std::collections::BTreeSet;

use http::StatusCode;
use portal::DOCUMENTS;

use super::{files, get, send, settings, web};

/// Returns the text between each `start` and the next `end`.
fn all_between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| rest.split_once(end).map(|(between, _)| between))
}

#[tokio::test]
async fn documents_work_without_javascript() {
    let files = files().await;
    for document in DOCUMENTS {
        let page = get(&format!("/portal/docs/{}", document.name)).await;
        assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), "private, no-cache");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
        let html = page.text();
        assert!(html.contains(&format!("<title>{} – Marquee</title>", document.title)), "{}", document.name);
        assert_eq!(html.matches("<h1").count(), 1, "{}", document.name);
        assert_eq!(
            html.matches("<script").count(),
            1,
            "{}: only the script of the copy buttons",
            document.name
        );
        assert!(!html.contains(" style=") && !html.contains("{{"), "{}", document.name);
        assert_eq!(html.matches("aria-current").count(), 1, "{}", document.name);
        for file in all_between(&html, &format!("=\"{files}/"), "\"") {
            assert_eq!(get(&format!("{files}/{file}")).await.status, StatusCode::OK, "{file}");
        }
    }
}

#[tokio::test]
async fn unknown_document_returns_404_with_links_to_existing_ones() {
    for path in ["/portal/docs/nosuch", "/portal/docs/nosuch.md", "/portal/docs/errors/more"] {
        let page = get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text().contains("<h1>Page not found</h1>"), "{path}");
        assert!(page.text().contains("href=\"/portal/docs/errors\""), "{path}");
    }
    for path in ["/portal/docs", "/portal/docs/reference"] {
        assert_eq!(get(path).await.body, get("/portal/").await.body, "{path} is a page of the shell");
    }
}

#[tokio::test]
async fn llms_txt_lists_the_markdown_of_every_document() {
    let list = get("/llms.txt").await;
    assert_eq!((list.status, list.header("content-type")), (StatusCode::OK, "text/markdown; charset=utf-8"));
    let text = list.text();
    assert!(text.starts_with("# Marquee\n\n> "), "{text}");
    let links: Vec<&str> = all_between(&text, "](", ")").collect();
    let documents = DOCUMENTS.iter().map(|document| format!("/portal/docs/{}.md", document.name));
    assert_eq!(links, ["/openapi.json".to_owned()].into_iter().chain(documents).collect::<Vec<_>>());
    for link in links {
        assert_eq!(get(link).await.status, StatusCode::OK, "{link}");
    }
}

#[tokio::test]
async fn markdown_documents_link_to_each_other() {
    let mut linked = BTreeSet::new();
    for document in DOCUMENTS {
        let page = get(&format!("/portal/docs/{}.md", document.name)).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (StatusCode::OK, "text/markdown; charset=utf-8")
        );
        let text = page.text();
        assert!(text.starts_with(&format!("# {}\n", document.title)), "{}", document.name);
        for link in all_between(&text, "](", ")").filter(|link| link.starts_with('/')) {
            let path = link.split_once('#').map_or(link, |(path, _)| path);
            linked.insert(path.to_owned());
        }
    }
    assert!(linked.len() > 8, "{linked:?}");
    for path in linked {
        assert_eq!(get(&path).await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn openapi_json_equals_the_yaml_document_with_the_service_addresses() {
    let request = http::Request::get("/openapi.json").header("host", "acme.example");
    let page = send(settings(), request.body(axum::body::Body::empty()).expect("a request")).await;
    assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "application/json"));
    let yaml = include_str!("../../../openapi.yaml")
        .replace("https://api.example.com", "https://acme.example")
        .replace("https://search.example.com", "https://acme.example");
    let expected: serde_json::Value = serde_saphyr::from_str(&yaml).expect("valid YAML");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&page.body).expect("JSON"), expected);
}

#[test]
fn links_between_documents_resolve() {
    let mut headings = BTreeSet::new();
    for document in DOCUMENTS {
        headings.insert(format!("/portal/docs/{}", document.name));
        headings.extend(
            all_between(document.html, " id=\"", "\"")
                .map(|id| format!("/portal/docs/{}#{id}", document.name)),
        );
    }
    let mut count = 0;
    for document in DOCUMENTS {
        for link in all_between(document.html, "href=\"", "\"") {
            let link = match link.strip_prefix('#') {
                Some(id) => format!("/portal/docs/{}#{id}", document.name),
                None => link.to_owned(),
            };
            let leads_away = link.starts_with("https://") || link == "/v2/openapi.yaml";
            assert!(leads_away || headings.contains(&link), "{} links to {link}", document.name);
            count += 1;
        }
    }
    assert!(count > 25, "{count} links");
}

#[test]
fn documents_do_not_mention_the_repository() {
    for document in DOCUMENTS {
        for word in [
            "<code>make ",
            "target/",
            "functions/",
            "shared/",
            "tests/",
            "docs/",
            ".rs",
            ".local",
            "template.yaml",
        ] {
            let text = document.html.replace("/portal/docs/", "");
            assert!(!text.contains(word), "{} must not contain {word}", document.name);
        }
    }
}

#[tokio::test]
async fn examples_use_the_addresses_of_the_service() {
    let request = |host| {
        let request = http::Request::get("/portal/docs/developer").header("host", host);
        request.body(axum::body::Body::empty()).expect("a request")
    };
    let search_url = Some("https://search.acme.example".to_owned());
    let own = portal::Settings { search_url, ..settings() };
    let page = send(own.clone(), request("acme.example")).await.text();
    assert!(page.contains("BASE=https://acme.example/v2\nSEARCH=https://search.acme.example\n"), "{page}");
    let local = send(portal::Settings { local: true, ..settings() }, request("127.0.0.1:3000")).await.text();
    assert!(local.contains("BASE=http://127.0.0.1:3000/v2\nSEARCH=http://127.0.0.1:3000\n"), "{local}");
    let odd = send(own, request("a<b")).await.text();
    assert!(odd.contains("BASE=https://api.example.com/v2\n"), "{odd}");
}

#[test]
fn portal_lists_every_document_by_title() {
    let table = std::fs::read_to_string(web().join("documents.js")).expect("the table");
    let names = all_between(&table, "name: '", "'");
    let listed: Vec<_> = names.zip(all_between(&table, " title: '", "'")).collect();
    let served: Vec<_> = DOCUMENTS.iter().map(|document| (document.name, document.title)).collect();
    assert_eq!(listed, served);
}
