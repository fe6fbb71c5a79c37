//! The documents that customers read: HTML that needs no script, each at an address that never changes.

use std::fmt::Write;

/// A document, which the build has rendered from its Markdown.
#[derive(Debug)]
pub struct Document {
    /// What kind of document it is, in the list of all.
    pub group: &'static str,
    /// The end of its address, `/portal/docs/NAME`.
    pub name: &'static str,
    pub title: &'static str,
    pub html: &'static str,
}

/// Every document, in the order of the list that each page shows.
pub const DOCUMENTS: &[Document] = &include!(concat!(env!("OUT_DIR"), "/documents.rs"));

const TITLE: &str = "{{title}}";
const NAVIGATION: &str = "{{navigation}}";
const CONTENT: &str = "{{content}}";

/// What the documents call the main API and the search gateway, wherever they are.
pub(crate) const API_ORIGIN: &str = "https://api.example.com";
const SEARCH_ORIGIN: &str = "https://search.example.com";

/// What a page says where there is no such document.
const NOT_FOUND: &str = "<h1>Page not found</h1>\n<p>There is no document at this address.</p>\n";

/// Where the interface is, as a reader reaches it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origins<'a> {
    pub(crate) api: &'a str,
    pub(crate) search: &'a str,
}

/// Finds a document by its name.
pub(crate) fn named(name: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().find(|document| document.name == name)
}

/// Writes the page of a document, or the page that says there is none, into the template. Examples name the
/// reader's own service.
pub(crate) fn page(template: &str, document: Option<&Document>, origins: Origins) -> String {
    let (title, html) = document.map_or(("Page not found", NOT_FOUND), |own| (own.title, own.html));
    let html = html.replace(API_ORIGIN, origins.api).replace(SEARCH_ORIGIN, origins.search);
    let navigation = navigation(document.map(|own| own.name));
    template.replace(TITLE, title).replace(NAVIGATION, &navigation).replace(CONTENT, &html)
}

fn navigation(current: Option<&str>) -> String {
    let mut list = String::new();
    let mut group = "";
    for document in DOCUMENTS {
        if document.group != group {
            group = document.group;
            writeln!(list, "<h2>{group}</h2>").expect("a text takes every word");
        }
        let mark = if current == Some(document.name) { " aria-current=\"page\"" } else { "" };
        let Document { name, title, .. } = document;
        writeln!(list, "<a href=\"/portal/docs/{name}\"{mark}>{title}</a>").expect("a text takes every word");
    }
    list
}
