//! The cookie that names a session.

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};

/// Returns the id that a request's cookie holds.
pub(super) fn read<'a>(origin: &str, headers: &'a HeaderMap) -> Option<&'a str> {
    let named = name(origin);
    let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find_map(|(name, value)| (name == named).then_some(value))
}

/// Makes the header that sets the cookie until the browser ends.
pub(super) fn set(origin: &str, id: &str) -> HeaderValue {
    header(&format!("{}={id}; Path=/; HttpOnly; SameSite=Lax", name(origin)))
}

/// Makes the header that removes the cookie.
pub(super) fn clear(origin: &str) -> HeaderValue {
    header(&format!("{}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax", name(origin)))
}

/// Browsers send a cookie to all ports of a host, and two processes must not take each other's.
fn name(origin: &str) -> String {
    let port = origin.rsplit(':').next().unwrap_or_default();
    format!("marquee_session_{port}")
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("ids and ports are plain text")
}
