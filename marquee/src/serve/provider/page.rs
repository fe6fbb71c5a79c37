//! The local sign-in page, where a developer selects a user without a password.

use axum::response::Html;

use super::issuer::{DEVELOPER_EMAIL, NEWCOMER_EMAIL};

/// Returns the page, which lists existing users and has a form for a new one. The page's forms are sent to
/// its own URL.
pub(super) fn choose() -> Html<String> {
    let people = [(DEVELOPER_EMAIL, "owner of org_enterprise"), (NEWCOMER_EMAIL, "new, can sign up")];
    let items: String = people.iter().map(|(address, about)| item(address, about)).collect();
    Html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Sign in locally · Marquee</title>\n<style>{style}</style>\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<main>\n<h1>Sign in locally</h1>\n\
         <p>Marquee is running on your machine. Sign in as anyone; no password is needed.</p>\n\
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

fn item(address: &str, about: &str) -> String {
    format!(
        "<li><button name=\"email\" value=\"{address}\"><strong>{address}</strong> \
         <span>{about}</span></button></li>\n"
    )
}
