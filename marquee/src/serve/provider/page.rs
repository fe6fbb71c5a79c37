//! The frame of the provider's pages, which run no script.

use std::fmt::{self, Display, Write as _};

use axum::response::{Html, IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};

use super::endpoints::STYLE_PATH;

/// A text as HTML shows it, in an element or in an attribute's double quotes.
pub(super) struct Escaped<T>(pub(super) T);

/// Makes a page of a title and of HTML. Its forms may be sent to this process, which redirects them to the
/// origin of the portal; a browser counts both as where a form goes.
pub(super) fn page(status: StatusCode, origin: Option<&str>, title: &str, main: &str) -> Response {
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'self'; form-action 'self' {}; base-uri 'none'; \
         frame-ancestors 'none'",
        origin.unwrap_or_default()
    );
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Marquee</title>\n\
         <link rel=\"stylesheet\" href=\"{STYLE_PATH}\">\n<link rel=\"icon\" href=\"data:,\">\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n{main}</main>\n</body>\n</html>\n",
        title = Escaped(title)
    );
    let headers = [
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With none at all, browsers would say `null` for the origin of the page's own forms.
        (REFERRER_POLICY, "same-origin"),
    ];
    (status, headers, Html(html)).into_response()
}

/// Makes a page that says one thing, and leads back to the portal.
pub(super) fn message(status: StatusCode, title: &str, text: &impl Display) -> Response {
    let main = format!("<p>{}.</p>\n<p><a href=\"/portal/\">To the portal</a></p>\n", Escaped(text));
    page(status, None, title, &main)
}

pub(super) async fn style() -> Response {
    let headers = [(CONTENT_TYPE, "text/css; charset=utf-8"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, include_str!("page.css")).into_response()
}

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.to_string().chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let shown = Escaped("<b a='1' c=\"2\">&amp;é</b>").to_string();
        assert_eq!(shown, "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;é&lt;/b&gt;");
    }
}
