//! The local sign-in page, on which a developer selects a user. It doesn't ask for a password.

use std::collections::BTreeSet;

use axum::response::Html;

use super::issuer::{DEVELOPER_EMAIL, NEWCOMER_EMAIL};

/// Returns the page with a list of addresses. Its forms post to the page's own URL.
pub(super) fn choose(addresses: &BTreeSet<String>) -> Html<String> {
    let items: String = addresses.iter().map(|address| item(address)).collect();
    Html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Sign in locally · Marquee</title>\n<style>{style}</style>\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<main>\n<h1>Sign in locally</h1>\n\
         <p>This Marquee runs on your machine. Sign in as anyone; no password is needed.</p>\n\
         <h2 id=\"known\">Existing users</h2>\n<form method=\"post\">\n\
         <input type=\"hidden\" name=\"verified\" value=\"on\">\n\
         <ul aria-labelledby=\"known\">\n{items}</ul>\n</form>\n\
         <h2>New user</h2>\n<form method=\"post\">\n<label for=\"email\">Email address</label>\n\
         <input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"off\" required maxlength=\"254\">\n\
         <div><input id=\"verified\" name=\"verified\" type=\"checkbox\" checked>\n\
         <label for=\"verified\">The address is verified</label></div>\n\
         <p>The same address always signs in the same user, even after a restart.</p>\n\
         <button class=\"main\">Sign in</button>\n</form>\n</main>\n</body>\n</html>\n",
        style = include_str!("page.css")
    ))
}

fn item(address: &str) -> String {
    let about = match address {
        DEVELOPER_EMAIL => "owner of org_enterprise",
        NEWCOMER_EMAIL => "not signed up yet",
        _ => "verified address",
    };
    let address = escaped(address);
    format!(
        "<li><button name=\"email\" value=\"{address}\"><strong>{address}</strong> \
         <span>{about}</span></button></li>\n"
    )
}

/// Escapes text for an HTML element or a double-quoted attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_escaped() {
        let page = choose(&BTreeSet::from(["\"><b>&amp;@example.com".to_owned()])).0;
        assert!(page.contains("value=\"&quot;&gt;&lt;b&gt;&amp;amp;@example.com\""), "{page}");
    }
}
