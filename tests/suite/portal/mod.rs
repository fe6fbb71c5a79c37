//! Tests of the portal function's responses. Tests in `tests/browser` open the pages in a browser.

mod documents;
mod error_copy;
mod files;
mod modules;
mod operations;
mod shell;

use std::io::Read;
use std::path::PathBuf;

use axum::body::Body;
use axum::response::Response;
use harness::root;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use portal::{Pages, Settings};
use tower::ServiceExt;

/// A complete response.
struct Page {
    status: StatusCode,
    response: http::response::Parts,
    body: Vec<u8>,
}

impl Page {
    fn header(&self, name: &str) -> &str {
        self.response.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    fn unpacked(&self) -> Vec<u8> {
        assert_eq!(self.header("content-encoding"), "gzip");
        let mut content = Vec::new();
        flate2::read::GzDecoder::new(&self.body[..]).read_to_end(&mut content).expect("gzip");
        content
    }
}

/// Returns a deployed stack's settings, except for those from stage variables.
fn settings() -> Settings {
    Settings {
        issuer: Some("https://issuer.example/pool".to_owned()),
        sign_out_url: Some("https://sign-in.example/logout".to_owned()),
        support_url: Some("https://example.com/credits".to_owned()),
        ..Settings::default()
    }
}

async fn get(path: &str) -> Page {
    send(settings(), Request::get(path).body(Body::empty()).expect("a request")).await
}

async fn send(settings: Settings, request: Request<Body>) -> Page {
    let router = portal::router(Pages::built_in().expect("pages"), settings);
    let response: Response = router.oneshot(request).await.expect("an answer");
    let (response, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes().to_vec();
    Page { status: response.status, response, body }
}

fn request(method: Method, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).body(Body::empty()).expect("a request")
}

/// Returns the folder of the portal's source files.
fn web() -> PathBuf {
    root().join("functions/portal/web")
}

/// Returns the path of the portal's files, which contains their digest, from the shell page.
async fn files() -> String {
    let shell = get("/portal/").await.text();
    let (_, after) = shell.split_once("/portal/files/").expect("files");
    format!("/portal/files/{}", after.split_once('/').expect("a path").0)
}
