//! The page on which a developer chooses who signs in. It asks for no password.

use axum::response::Html;

use super::issuer::{DEVELOPER_EMAIL, NEWCOMER_EMAIL};

/// Makes the page. Its forms are sent to the address that it has itself.
pub(super) fn choose() -> Html<String> {
    let people = [(DEVELOPER_EMAIL, "owner of org_enterprise"), (NEWCOMER_EMAIL, "new, can sign up")];
    let items: String = people.iter().map(|(address, about)| item(address, about)).collect();
    Html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Who signs in? · Marquee</title>\n<style>{style}</style>\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<main>\n<h1>Who signs in?</h1>\n\
         <p>This is the local process of Marquee. Sign in as anybody; there are no passwords here.</p>\n\
         <h2 id=\"known\">A known person</h2>\n<form method=\"post\">\n\
         <input type=\"hidden\" name=\"verified\" value=\"on\">\n\
         <ul aria-labelledby=\"known\">\n{items}</ul>\n</form>\n\
         <h2>A new person</h2>\n<form method=\"post\">\n<label for=\"email\">E-mail address</label>\n\
         <input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"off\" required maxlength=\"254\">\n\
         <div><input id=\"verified\" name=\"verified\" type=\"checkbox\" checked>\n\
         <label for=\"verified\">The address is verified</label></div>\n\
         <p>The same address is the same person again, also after a restart.</p>\n\
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
