//! A response with accessors for data, errors, and credits.

use std::io::Read;

use accounting::Credits;
use flate2::read::GzDecoder;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The decompressed body.
    pub body: Vec<u8>,
    /// The length of the body as received, before decompression.
    pub sent_bytes: usize,
}

impl Answer {
    /// Reads the whole response and decompresses its body.
    pub async fn read(response: Response<axum::body::Body>) -> Self {
        let (parts, body) = response.into_parts();
        let sent = body.collect().await.expect("a body").to_bytes();
        let mut body = Vec::new();
        match parts.headers.get("content-encoding") {
            Some(coding) if !sent.is_empty() => {
                assert_eq!(coding, "gzip");
                GzDecoder::new(&sent[..]).read_to_end(&mut body).expect("gzip");
            }
            _ => body.extend_from_slice(&sent),
        }
        Self { status: parts.status, headers: parts.headers, body, sent_bytes: sent.len() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns the body as a string, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the `data` member. Panics unless the call succeeded.
    pub fn data(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.text());
        self.json()["data"].take()
    }

    /// Returns the status and the error code, such as `(404, "NOT_FOUND")`.
    pub fn error(&self) -> (u16, String) {
        let code = self.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
        (self.status.as_u16(), code)
    }

    /// Returns the pointer and the detail of each violation in a validation error.
    pub fn violations(&self) -> Vec<(String, String)> {
        let body = self.json();
        let errors = body["error"]["context"]["errors"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        errors.iter().map(|error| (text(&error["pointer"]), text(&error["detail"]))).collect()
    }

    /// Checks that the response is a validation error with exactly these pointers, in this order. Each detail
    /// must contain the expected words.
    #[track_caller]
    pub fn assert_invalid(&self, expected: &[(&str, &str)], context: &str) {
        assert_eq!(self.error(), (400, "VALIDATION_ERROR".to_owned()), "{context}: {}", self.text());
        let violations = self.violations();
        assert_eq!(violations.len(), expected.len(), "{context}: {violations:?}");
        for ((place, detail), (pointer, words)) in violations.iter().zip(expected) {
            assert_eq!(place, pointer, "{context}: {detail}");
            assert!(detail.contains(words), "{context}: {detail:?} must contain {words:?}");
        }
    }

    /// Returns a header's value, or an empty string if the header is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn credits_used(&self) -> Credits {
        self.credits("x-credits-used")
    }

    pub fn credits_remaining(&self) -> Credits {
        self.credits("x-credits-remaining")
    }

    fn credits(&self, name: &str) -> Credits {
        self.header(name)
            .parse()
            .unwrap_or_else(|_| panic!("{name} must be a number of credits: {:?}", self.headers))
    }

    pub fn number(&self, name: &str) -> i64 {
        self.header(name).parse().unwrap_or_else(|_| panic!("{name} must be a number: {:?}", self.headers))
    }
}
