//! Entity tags in `If-Match` and `If-None-Match` (<https://www.rfc-editor.org/rfc/rfc9110#section-13.1>).

use http::{HeaderMap, HeaderName};

/// The prefix of weak entity tags.
const WEAK: &str = "W/";

/// The value of `If-Match` or `If-None-Match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityTags {
    /// `*`, which matches any version.
    Any,
    /// One or more entity tags, including their quotation marks and the `W/` of weak tags.
    Listed(Vec<String>),
}

/// The error for a header that is neither `*` nor a list of entity tags. The string is the malformed part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedEntityTags(pub String);

impl EntityTags {
    /// Parses a header that contains `*` or a comma-separated list of entity tags. A bare `version` number
    /// also counts as an entity tag. Returns `None` if the header is missing.
    pub fn read(headers: &HeaderMap, name: HeaderName) -> Result<Option<Self>, MalformedEntityTags> {
        let mut tags = Vec::new();
        for value in headers.get_all(name) {
            let malformed = |_| MalformedEntityTags(String::from_utf8_lossy(value.as_bytes()).into_owned());
            let text = value.to_str().map_err(malformed)?.trim();
            if text == "*" {
                return Ok(Some(Self::Any));
            }
            for tag in parts(text).map(str::trim) {
                tags.push(entity_tag(tag).ok_or_else(|| MalformedEntityTags(tag.to_owned()))?);
            }
        }
        Ok((!tags.is_empty()).then_some(Self::Listed(tags)))
    }

    /// Returns whether `tag`, a strong entity tag, matches under the rules for `If-Match`. Weak tags in the
    /// list never match.
    pub fn match_strongly(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(tags) => tags.iter().any(|listed| listed == tag),
        }
    }

    /// Returns whether `tag` matches under the rules for `If-None-Match`. A weak tag matches the strong tag
    /// with the same text.
    pub fn match_weakly(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(tags) => tags.iter().any(|listed| opaque(listed) == opaque(tag)),
        }
    }

    /// Returns the first tag without its `W/` if all tags are weak, and `None` otherwise.
    pub fn only_weak(&self) -> Option<&str> {
        let Self::Listed(tags) = self else { return None };
        let is_weak = |tag: &String| tag.starts_with(WEAK);
        tags.iter().all(is_weak).then(|| tags.first().map(|first| opaque(first)))?
    }
}

/// Splits a list of entity tags at its commas, except for commas within a quoted tag
/// (<https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3>).
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |character| {
        is_quoted ^= character == '"';
        character == ',' && !is_quoted
    })
}

/// Parses an entity tag and quotes a bare version number. Returns `None` for anything else.
fn entity_tag(text: &str) -> Option<String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("\"{text}\""));
    }
    let between = opaque(text).strip_prefix('"')?.strip_suffix('"')?;
    (!between.contains('"')).then(|| text.to_owned())
}

/// Returns a tag without its `W/` prefix.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix(WEAK).unwrap_or(tag)
}
