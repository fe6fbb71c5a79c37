//! The page on which somebody says who they are. No password is asked for: the process is their own.

use axum::response::Response;
use http::StatusCode;
use shared::types::{InvalidId, Person};

use super::endpoints::LOGIN_PATH;
use super::page::{self, Escaped};
use super::state::Provider;

/// What was asked for before, and was refused.
pub(super) struct Asked<'a> {
    pub(super) email: Option<&'a str>,
    pub(super) is_verified: bool,
    pub(super) error: Option<ChoiceError>,
}

/// Why nobody is signed in by a form.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChoiceError {
    #[error("This person is not known any more; choose again")]
    Forgotten,
    #[error("The address {0}")]
    Email(#[from] InvalidId),
}

impl Default for Asked<'_> {
    /// Nothing yet: whoever is made up has a verified address unless they say otherwise.
    fn default() -> Self {
        Self { email: None, is_verified: true, error: None }
    }
}

/// Makes the page for an authorization request, by its query.
pub(super) fn page(provider: &Provider, query: &str, asked: &Asked<'_>) -> Response {
    let action = format!("{LOGIN_PATH}?{query}");
    let status = if asked.error.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let main = format!(
        "<p>This is the local process of Marquee. Be whom you like; there are no passwords here.</p>\n{}{}{}",
        forgotten(asked),
        list(provider, &action),
        form(&action, asked)
    );
    page::page(status, Some(provider.origin()), "Who signs in?", &main)
}

fn forgotten(asked: &Asked<'_>) -> String {
    match &asked.error {
        Some(error @ ChoiceError::Forgotten) => {
            format!("<p class=\"error\" role=\"alert\">{}.</p>\n", Escaped(error))
        }
        Some(ChoiceError::Email(_)) | None => String::new(),
    }
}

fn list(provider: &Provider, action: &str) -> String {
    let people = &provider.people;
    let mut items = item(people.developer(), "owner of org_enterprise");
    items.push_str(&item(people.newcomer(), "somebody new, who can sign up"));
    for person in people.made_up() {
        let verified = if person.is_email_verified { "verified address" } else { "address not verified" };
        items.push_str(&item(&person, &format!("made up, {verified}")));
    }
    format!(
        "<h2 id=\"known\">Somebody you know</h2>\n<form method=\"post\" action=\"{}\">\n\
         <ul aria-labelledby=\"known\">\n{items}</ul>\n</form>\n",
        Escaped(action)
    )
}

fn item(person: &Person, words: &str) -> String {
    let email = person.email.as_ref().map_or("", |email| email.as_str());
    format!(
        "<li><button name=\"person\" value=\"{}\"><strong>{}</strong> <span>{}</span></button></li>\n",
        Escaped(&person.subject.subject),
        Escaped(email),
        Escaped(words)
    )
}

fn form(action: &str, asked: &Asked<'_>) -> String {
    let (invalid, error) = match &asked.error {
        Some(error @ ChoiceError::Email(_)) => (
            " aria-invalid=\"true\" aria-describedby=\"email-error\" autofocus",
            format!("<p class=\"error\" id=\"email-error\" role=\"alert\">{}.</p>\n", Escaped(error)),
        ),
        Some(ChoiceError::Forgotten) | None => ("", String::new()),
    };
    let checked = if asked.is_verified { " checked" } else { "" };
    format!(
        "<h2>Somebody you make up</h2>\n<form method=\"post\" action=\"{}\">\n\
         <label for=\"email\">E-mail address</label>\n\
         <input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"off\" required maxlength=\"254\" \
         value=\"{}\"{invalid}>\n{error}\
         <div><input id=\"verified\" name=\"verified\" type=\"checkbox\"{checked}>\n\
         <label for=\"verified\">The address is verified</label></div>\n\
         <p>The same address is the same person again, after a restart too.</p>\n\
         <button class=\"main\">Sign in</button>\n</form>\n",
        Escaped(action),
        Escaped(asked.email.unwrap_or_default())
    )
}
