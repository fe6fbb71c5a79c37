//! The documents for customers: HTML pages that work without scripts, at permanent addresses.

use std::fmt::Write;

use gateway::replace_example_origins;

/// A document that the build script rendered from Markdown.
#[derive(Debug)]
pub struct Document {
    /// The heading of the group that the navigation list shows the document in.
    pub group: &'static str,
    /// The document's name in its address, `/portal/docs/NAME`.
    pub name: &'static str,
    pub title: &'static str,
    pub html: &'static str,
}

/// All documents, in the order of the navigation list.
pub const DOCUMENTS: &[Document] = &include!(concat!(env!("OUT_DIR"), "/documents.rs"));

const TITLE: &str = "{{title}}";
const NAVIGATION: &str = "{{navigation}}";
const CONTENT: &str = "{{content}}";

/// The content of the 404 page.
const NOT_FOUND: &str = "<h1>Page not found</h1>\n<p>There's no document at this address.</p>\n";

/// The origins of the main API and the search gateway, as the reader's browser reaches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origins<'a> {
    pub(crate) api: &'a str,
    pub(crate) search: &'a str,
}

/// Returns the document with the given name, if there is one.
pub(crate) fn named(name: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().find(|document| document.name == name)
}

/// Fills the template with a document, or with [`NOT_FOUND`] if `document` is `None`. In the document's
/// examples, replaces the origins with the deployment's.
pub(crate) fn page(template: &str, document: Option<&Document>, origins: Origins) -> String {
    let (title, html) = document.map_or(("Page not found", NOT_FOUND), |own| (own.title, own.html));
    let html = replace_example_origins(html, origins.api, origins.search);
    let navigation = navigation(document.map(|own| own.name));
    template.replace(TITLE, title).replace(NAVIGATION, &navigation).replace(CONTENT, &html)
}

fn navigation(current: Option<&str>) -> String {
    let mut list = String::new();
    let mut group = "";
    for document in DOCUMENTS {
        if document.group != group {
            group = document.group;
            writeln!(list, "<h2>{group}</h2>").expect("writing to a string succeeds");
        }
        let mark = if current == Some(document.name) { " aria-current=\"page\"" } else { "" };
        let Document { name, title, .. } = document;
        writeln!(list, "<a href=\"/portal/docs/{name}\"{mark}>{title}</a>")
            .expect("writing to a string succeeds");
    }
    list
}
