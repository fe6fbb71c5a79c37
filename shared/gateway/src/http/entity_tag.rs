//! Entity tags, of answers and of errors alike.

use http::HeaderValue;

/// Writes a version as a strong entity tag: a number in quotation marks.
pub(super) fn entity_tag(version: u64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).expect("digits and quotation marks are visible ASCII")
}
